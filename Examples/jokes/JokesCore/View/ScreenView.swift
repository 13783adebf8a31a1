/// The text of a screen on a terminal, and the meaning of typed words.
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

  /// Handles a typed word on the screen of categories.
  public static func type(_ word: String, _ context: CategoriesContext) {
    switch word {
    case "retry": context.retry()
    case "": break
    default: context.choose(word)
    }
  }

  /// Handles a typed word on the screen of jokes.
  public static func type(_ word: String, _ context: JokesContext) {
    switch word {
    case "next", "": context.next()
    case "back": context.back()
    case "retry": context.retry()
    default: break
    }
  }
}
