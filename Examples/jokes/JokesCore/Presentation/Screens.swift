public import Alter

/// The visible state: one screen at a time, each with its own view model.
public enum ScreenModel: Hashable, Sendable {
  case categories(CategoriesModel)
  case jokes(JokesModel)

  /// The screen of a state.
  public init(_ state: JokesState) {
    switch state.screen {
    case .categories: self = .categories(CategoriesModel(state.categories))
    case .jokes(let category, let deck): self = .jokes(JokesModel(category, deck))
    }
  }
}

/// The view model of the screen of categories.
public struct CategoriesModel: Hashable, Sendable {
  /// The names of the categories, to choose from.
  public let names: [String]
  /// A message in place of the names: they are loading, or the reason why loading failed. Nil when the names are shown.
  public let message: String?
  /// Whether the user can retry.
  public let canRetry: Bool

  init(_ categories: JokesState.Loadable<[Category]>) {
    switch categories {
    case .loading: (names, message, canRetry) = ([], "Loading the categories …", false)
    case .loaded(let categories): (names, message, canRetry) = (categories.map(\.id), nil, false)
    case .failed(let error): (names, message, canRetry) = ([], error.description, error.mayPass)
    }
  }
}

/// The view model of the screen with one joke of a category. While the next joke is being drawn, the screen stays as it was.
public struct JokesModel: Hashable, Sendable {
  /// The title: the category.
  public let title: String
  /// The joke; nil when there is none to show.
  public let joke: Joke?
  /// The position of the joke and the number of jokes, as in `2 of 9`; nil when no joke is shown.
  public let place: String?
  /// A message in place of the joke; nil when a joke is shown.
  public let message: String?
  /// Whether the user can retry.
  public let canRetry: Bool

  init(_ category: Category, _ deck: JokesState.Loadable<Deck>) {
    title = category.id
    switch deck {
    case .loaded(let deck) where deck.jokes.isEmpty:
      (joke, place, message, canRetry) = (nil, nil, "There are no jokes about \(category.id).", false)
    case .loaded(let deck):
      let position = deck.shown ?? deck.before
      joke = position.map { deck.jokes[$0] }
      place = position.map { "\($0 + 1) of \(deck.jokes.count)" }
      (message, canRetry) = (position == nil ? Self.loading(category) : nil, false)
    case .loading: (joke, place, message, canRetry) = (nil, nil, Self.loading(category), false)
    case .failed(let error): (joke, place, message, canRetry) = (nil, nil, error.description, error.mayPass)
    }
  }

  private static func loading(_ category: Category) -> String { "Loading jokes about \(category.id) …" }
}

/// The data and the actions for the screen of categories. The screen sees neither the store nor the state.
public struct CategoriesContext: Sendable {
  /// The data to show.
  public let model: CategoriesModel
  /// The actions of the user: to choose a category by its name, and to retry.
  public let choose: UserAction<String>, retry: UserAction<Void>

  /// A context with the given data and actions.
  public init(model: CategoriesModel, choose: UserAction<String>, retry: UserAction<Void>) {
    (self.model, self.choose, self.retry) = (model, choose, retry)
  }
}

/// The data and the actions for the screen of jokes. The screen has no action that chooses another category.
public struct JokesContext: Sendable {
  /// The data to show.
  public let model: JokesModel
  /// The actions of the user.
  public let next: UserAction<Void>, back: UserAction<Void>, retry: UserAction<Void>

  /// A context with the given data and actions.
  public init(model: JokesModel, next: UserAction<Void>, back: UserAction<Void>, retry: UserAction<Void>) {
    (self.model, self.next, self.back, self.retry) = (model, next, back, retry)
  }
}
