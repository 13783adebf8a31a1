public import Alter

/// The assembled app: a store, its effects, and a context for each screen.
public struct Jokes: Sendable {
  /// The store of the app's state.
  public let store: Store<JokesState>

  /// An app whose effects receive their parts of a context.
  public init(in context: AppContext) throws(FeedbackError) {
    store = Store(JokesState())
    try store.run(
      [Loading.categories.provide(\.loading), Loading.jokes.provide(\.loading), Drawing.draw.provide(\.dice)], in: context)
  }

  /// The data and actions for a screen.
  public enum Context: Sendable {
    case categories(CategoriesContext)
    case jokes(JokesContext)
  }

  /// The context of the current screen.
  public var context: Context {
    let retry = UserAction(store, .retry)
    switch ScreenModel(store.state) {
    case .categories(let model):
      let choose = UserAction(store) { (name: String) in .choose(Category(name)) }
      return .categories(CategoriesContext(model: model, choose: choose, retry: retry))
    case .jokes(let model):
      return .jokes(JokesContext(model: model, next: UserAction(store, .next), back: UserAction(store, .back), retry: retry))
    }
  }

  /// Handles a typed word on the current screen.
  public func type(_ word: String) {
    switch context {
    case .categories(let context): ScreenView.type(word, context)
    case .jokes(let context): ScreenView.type(word, context)
    }
  }
}
