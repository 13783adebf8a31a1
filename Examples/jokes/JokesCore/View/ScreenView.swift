/// What a screen looks like on a terminal, and what is typed there.
public enum ScreenView {
  /// The lines of a screen.
  public static func lines(_ screen: ScreenModel) -> [String] {
    switch screen {
    case .categories(let model):
      ["== Jokes", model.message ?? model.names.joined(separator: "  "), keys(["NAME", "quit"], model.canRetry)]
    case .jokes(let model):
      ["== Jokes about \(model.title)\(model.place.map { ", \($0)" } ?? "")"]
        + (model.joke.map { [$0.setup, "    \($0.punchline)"] } ?? [model.message ?? ""])
        + [keys(model.joke == nil ? ["back", "quit"] : ["next", "back", "quit"], model.canRetry)]
    }
  }

  private static func keys(_ keys: [String], _ canRetry: Bool) -> String {
    "   " + (canRetry ? ["retry"] + keys : keys).joined(separator: "   ")
  }

  /// Does what is typed on the screen of categories.
  public static func type(_ word: String, _ context: CategoriesContext) {
    if word == "retry" { context.retry() } else { context.choose(word)() }
  }

  /// Does what is typed on the screen of jokes.
  public static func type(_ word: String, _ context: JokesContext) {
    switch word {
    case "next", "": context.next()
    case "back": context.back()
    case "retry": context.retry()
    default: break
    }
  }
}
