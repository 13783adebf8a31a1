public import Alter

/// The whole state of the app. The requests in flight are derived from it; no code calls a loader or a random generator.
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
    case jokes(Category, Loadable<Deck>)
  }

  /// The changes of the app.
  public enum Change: Hashable, Sendable {
    case categories(Loadable<[Category]>)
    case jokes(Category, Loadable<[Joke]>)
    case choose(Category)
    case next
    case drawn(Int)
    case back
    case retry
  }

  /// The categories. The app loads them when it starts.
  public private(set) var categories = Loadable<[Category]>.loading
  /// The current screen.
  public private(set) var screen = Screen.categories

  /// The state of an app that has just started.
  public init() {}

  /// Whether the categories must be loaded now.
  public var wantsCategories: Bool { screen == .categories && categories == .loading }

  /// The category whose jokes must be loaded now; nil if there is none.
  public var wantedJokes: Category? { if case .jokes(let category, .loading) = screen { category } else { nil } }

  /// How many numbers there are to draw from now; nil if no number is needed.
  public var draw: Int? { if case .jokes(_, .loaded(let deck)) = screen { deck.draw } else { nil } }

  /// Whether the state requests no effect.
  public var isAtRest: Bool { !wantsCategories && wantedJokes == nil && draw == nil }

  /// Makes the change. The state refuses nothing: it ignores an answer to a request that was withdrawn. The result is the same at every
  /// replay, because the random number is in the change.
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch (screen, change) {
    case (_, .categories(let categories)): self.categories = categories
    case (_, .choose(let category)): screen = .jokes(category, .loading)
    case (.jokes(let wanted, .loading), .jokes(let category, let jokes)): if wanted == category { screen = .jokes(category, jokes.deck) }
    case (.jokes(let category, .loaded(let deck)), .next): screen = .jokes(category, .loaded(deck.next))
    case (.jokes(let category, .loaded(let deck)), .drawn(let number)): screen = .jokes(category, .loaded(deck.drawn(number)))
    case (.jokes(let category, .failed), .retry): screen = .jokes(category, .loading)
    case (.jokes, .back): screen = .categories
    case (.categories, .retry): if case .failed = categories { categories = .loading }
    case (.categories, .jokes), (.categories, .next), (.categories, .drawn), (.categories, .back): break
    case (.jokes, .jokes), (.jokes, .next), (.jokes, .drawn), (.jokes, .retry): break
    }
  }
}

extension JokesState.Loadable<[Joke]> {
  /// The same with the jokes in a deck.
  fileprivate var deck: JokesState.Loadable<Deck> {
    switch self {
    case .loading: .loading
    case .loaded(let jokes): .loaded(Deck(jokes))
    case .failed(let error): .failed(error)
    }
  }
}
