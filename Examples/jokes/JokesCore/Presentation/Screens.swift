public import Alter

/// What is seen of the state: one screen at a time, each with a view model of its own.
public enum ScreenModel: Hashable, Sendable {
  case categories(CategoriesModel)
  case jokes(JokesModel)

  /// The screen of a state.
  public init(_ state: JokesState) {
    switch state.screen {
    case .categories: self = .categories(CategoriesModel(state.categories))
    case .jokes(let category, let jokes, let shown): self = .jokes(JokesModel(category, jokes, shown))
    }
  }
}

/// What there are jokes about.
public struct CategoriesModel: Hashable, Sendable {
  /// Their names, to choose from.
  public let names: [String]
  /// What there is to say instead: that they are on their way, or why they aren't.
  public let message: String?
  /// Whether there is something to try again.
  public let canRetry: Bool

  init(_ categories: JokesState.Loadable<[Category]>) {
    switch categories {
    case .loading: (names, message, canRetry) = ([], "Loading the categories …", false)
    case .loaded(let categories): (names, message, canRetry) = (categories.map(\.id), nil, false)
    case .failed(let error): (names, message, canRetry) = ([], error.description, error.mayPass)
    }
  }
}

/// One joke of a category.
public struct JokesModel: Hashable, Sendable {
  /// What they are about.
  public let title: String
  /// The joke; nil when there is none to show.
  public let joke: Joke?
  /// Which it is of how many, as in `2 of 9`.
  public let place: String?
  /// What there is to say instead.
  public let message: String?
  /// Whether there is something to try again.
  public let canRetry: Bool

  init(_ category: Category, _ jokes: JokesState.Loadable<[Joke]>, _ shown: Int) {
    title = category.id
    switch jokes {
    case .loading: (joke, place, message, canRetry) = (nil, nil, "Loading jokes about \(category.id) …", false)
    case .loaded([]): (joke, place, message, canRetry) = (nil, nil, "There are no jokes about \(category.id).", false)
    case .loaded(let jokes): (joke, place, message, canRetry) = (jokes[shown], "\(shown + 1) of \(jokes.count)", nil, false)
    case .failed(let error): (joke, place, message, canRetry) = (nil, nil, error.description, error.mayPass)
    }
  }
}

/// What the screen of categories is given: what it shows, and what a user can do there. It knows no store.
public struct CategoriesContext: Sendable {
  /// What it shows.
  public let model: CategoriesModel
  /// What a user can do.
  public let choose: @Sendable (String) -> UserAction<JokesState>, retry: UserAction<JokesState>
}

/// What the screen of jokes is given. Nothing on it could choose another category.
public struct JokesContext: Sendable {
  /// What it shows.
  public let model: JokesModel
  /// What a user can do.
  public let next: UserAction<JokesState>, back: UserAction<JokesState>, retry: UserAction<JokesState>
}
