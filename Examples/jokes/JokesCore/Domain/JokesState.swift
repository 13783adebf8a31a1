public import Alter

/// All that the app knows, and with it all that it wants: ``wanted`` is derived from the state, and nobody calls anybody.
public struct JokesState: Alterable, Hashable {
  /// Something that comes from elsewhere.
  public enum Loadable<Value: Hashable & Sendable>: Hashable, Sendable {
    case loading
    case loaded(Value)
    case failed(LoadError)
  }

  /// Where one is. The jokes of a category exist on its screen alone.
  public enum Screen: Hashable, Sendable {
    case categories
    case jokes(Category, Loadable<[Joke]>, shown: Int)
  }

  /// What the state asks for.
  public enum Request: Hashable, Sendable { case categories, jokes(Category) }

  /// What can happen.
  public enum Change: Hashable, Sendable {
    case categories(Loadable<[Category]>)
    case jokes(Category, Loadable<[Joke]>)
    case choose(Category)
    case next
    case back
    case retry
  }

  /// What there are jokes about. To begin with they are wanted.
  public private(set) var categories = Loadable<[Category]>.loading
  /// Where one is.
  public private(set) var screen = Screen.categories

  /// An app that has just been started.
  public init() {}

  /// What is to be loaded now; nil when there is nothing to wait for.
  public var wanted: Request? {
    switch (screen, categories) {
    case (.jokes(let category, .loading, _), _): .jokes(category)
    case (.categories, .loading): .categories
    case (.categories, _), (.jokes, _): nil
    }
  }

  /// Makes the change. None is refused: what comes too late is passed over.
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch (screen, change) {
    case (_, .categories(let categories)): self.categories = categories
    case (_, .choose(let category)): screen = .jokes(category, .loading, shown: 0)
    case (.jokes(let asked, .loading, _), .jokes(let category, let jokes)):
      if asked == category { screen = .jokes(category, jokes, shown: 0) }
    case (.jokes(let category, .loaded(let jokes), let shown), .next):
      screen = .jokes(category, .loaded(jokes), shown: jokes.isEmpty ? 0 : (shown + 1) % jokes.count)
    case (.jokes(let category, .failed, _), .retry): screen = .jokes(category, .loading, shown: 0)
    case (.jokes, .back): screen = .categories
    case (.categories, .retry): if case .failed = categories { categories = .loading }
    case (.categories, .jokes), (.categories, .next), (.categories, .back), (.jokes, .jokes), (.jokes, .next), (.jokes, .retry): break
    }
  }
}
