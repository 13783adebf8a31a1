public import Alter

/// The assembled app: a store, its effect, and a context for each screen.
public struct Jokes: Sendable {
  /// The store of the app's state.
  public let store: Store<JokesState>
  private let loop: FeedbackLoop<JokesState>

  /// An app whose effects run in a world.
  public init(in world: World) {
    store = Store(JokesState())
    loop = store.run([Loading.feedback], in: world)
  }

  /// The data and actions for a screen.
  public enum Context: Sendable {
    case categories(CategoriesContext)
    case jokes(JokesContext)
  }

  /// The context of the current screen.
  public var context: Context {
    let (store, retry) = (store, UserAction(store, .retry))
    switch ScreenModel(store.state) {
    case .categories(let model):
      return .categories(CategoriesContext(model: model, choose: { UserAction(store, .choose(Category($0))) }, retry: retry))
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
