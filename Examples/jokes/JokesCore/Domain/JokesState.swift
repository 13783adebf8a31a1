public import Alter

/// The whole state of the app. The request in flight, ``wanted``, is derived from it; no code calls a loader.
public struct JokesState: Alterable, Hashable {
  /// A value from a repository.
  public enum Loadable<Value: Hashable & Sendable>: Hashable, Sendable {
    case loading
    case loaded(Value)
    case failed(LoadError)
  }

  /// The current screen. The jokes of a category exist only while its screen is shown.
  public enum Screen: Hashable, Sendable {
    case categories
    case jokes(Category, Loadable<[Joke]>, shown: Int)
  }

  /// A request that the state can make.
  public enum Request: Hashable, Sendable { case categories, jokes(Category) }

  /// The changes of the app.
  public enum Change: Hashable, Sendable {
    case categories(Loadable<[Category]>)
    case jokes(Category, Loadable<[Joke]>)
    case choose(Category)
    case next
    case back
    case retry
  }

  /// The categories. The app loads them when it starts.
  public private(set) var categories = Loadable<[Category]>.loading
  /// The current screen.
  public private(set) var screen = Screen.categories

  /// The state of an app that has just started.
  public init() {}

  /// The request that must be loaded now; nil when nothing is missing.
  public var wanted: Request? {
    switch (screen, categories) {
    case (.jokes(let category, .loading, _), _): .jokes(category)
    case (.categories, .loading): .categories
    case (.categories, _), (.jokes, _): nil
    }
  }

  /// Makes the change. The state refuses nothing: it ignores an answer to a request that was withdrawn.
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
