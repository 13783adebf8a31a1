#if Macros
  /// Derives the name of one element from a plural: `items` gives `item`.
  ///
  /// - Returns: The singular. It is nil if the rules are ambiguous for the ending (`aches`, `oes`, most of `ses`) or if the name is not a
  ///   plural. The user must name one element then.
  func singular(of plural: String) -> String? {
    // An irregular plural can also end a compound name: `grandChildren`.
    for (many, one) in irregularPlurals {
      if plural == many { return one }
      let capitalised = many.prefix(1).uppercased() + many.dropFirst()
      if plural.hasSuffix(capitalised) { return plural.dropLast(many.count) + one.prefix(1).uppercased() + one.dropFirst() }
    }
    func ends(_ suffixes: String...) -> Bool { suffixes.contains { plural.hasSuffix($0) } }
    func without(_ count: Int, adding ending: String = "") -> String? {
      plural.count > count ? plural.dropLast(count) + ending : nil
    }
    if ends("series", "species", "news", "aches", "oes", "zzes") { return nil }
    if ends("ies") { return without(3, adding: "y") }
    if ends("sses", "xes", "ches", "shes") { return without(2) }
    // This rule is for words like `cases` and `databases`. The table of irregular plurals contains `buses`, `statuses` and `analyses`.
    if ends("ases", "ouses", "urses", "onses", "auses", "ences", "oses", "eases") { return without(1) }
    if ends("ses", "ss", "us", "is") { return nil }
    if ends("s") { return without(1) }
    return nil
  }

  private let irregularPlurals = [
    "children": "child", "people": "person", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth", "mice": "mouse",
    "geese": "goose", "oxen": "ox", "data": "datum", "media": "medium", "criteria": "criterion", "indices": "index",
    "vertices": "vertex", "matrices": "matrix", "leaves": "leaf", "halves": "half", "knives": "knife", "lives": "life",
    "shelves": "shelf", "wolves": "wolf", "loaves": "loaf", "movies": "movie", "cookies": "cookie", "zombies": "zombie", "ties": "tie",
    "pies": "pie", "calories": "calorie", "selfies": "selfie", "caches": "cache", "heroes": "hero", "potatoes": "potato",
    "tomatoes": "tomato", "echoes": "echo", "buses": "bus", "statuses": "status", "viruses": "virus", "bonuses": "bonus", "shoes": "shoe",
    "quizzes": "quiz", "lenses": "lens", "analyses": "analysis", "bases": "base", "gases": "gas", "aliases": "alias",
    "canvases": "canvas", "atlases": "atlas", "axes": "axis",
  ]
#endif
