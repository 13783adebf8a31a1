public import Alter

/// The app, put together: a store, the effect at work in a world, and a context for each screen.
public struct Jokes: Sendable {
  /// Where the state is.
  public let store: Store<JokesState>
  private let loop: FeedbackLoop<JokesState>

  /// An app in a world.
  public init(in world: World) {
    store = Store(JokesState())
    loop = store.run([Loading.feedback], in: world)
  }

  /// What the screen of a state is given.
  public enum Context: Sendable {
    case categories(CategoriesContext)
    case jokes(JokesContext)
  }

  /// The context of the present screen.
  public var context: Context {
    let (store, retry) = (store, UserAction(store, .retry))
    switch ScreenModel(store.state) {
    case .categories(let model):
      return .categories(CategoriesContext(model: model, choose: { UserAction(store, .choose(Category($0))) }, retry: retry))
    case .jokes(let model):
      return .jokes(JokesContext(model: model, next: UserAction(store, .next), back: UserAction(store, .back), retry: retry))
    }
  }

  /// Does what is typed, whatever the screen is.
  public func type(_ word: String) {
    switch context {
    case .categories(let context): ScreenView.type(word, context)
    case .jokes(let context): ScreenView.type(word, context)
    }
  }
}
