#if Macros
  import Testing

  @testable import AlterMacrosPlugin

  @Suite("The name of one of several things")
  struct SingularTests {
    @Test(
      "is derived where English leaves no doubt",
      arguments: [
        "items": "item", "entries": "entry", "tags": "tag", "boxes": "box", "branches": "branch", "dishes": "dish", "addresses": "address",
        "cases": "case", "houses": "house", "courses": "course", "responses": "response", "sizes": "size", "keys": "key", "days": "day",
        "people": "person", "children": "child", "grandChildren": "grandChild", "cookies": "cookie", "movies": "movie", "leaves": "leaf",
        "todoItems": "todoItem", "statuses": "status", "caches": "cache", "moves": "move", "releases": "release", "phrases": "phrase",
      ])
    func derived(plural: String, one: String) { #expect(singular(of: plural) == one) }

    @Test(
      "is asked for where English leaves a doubt",
      arguments: ["staff", "news", "series", "glass", "campus", "tennis", "coaches", "dominoes", "s"])
    func doubtful(plural: String) { #expect(singular(of: plural) == nil) }
  }
#endif
