import Alter

/// A joke in two parts, as the server sends it.
struct Joke: Hashable, Decodable {
  let setup: String
  let punchline: String
}

/// The reason why no joke could be loaded.
enum LoadError: Error, Hashable {
  case unreachable
  /// An HTTP status that is an error.
  case status(Int)
  case unreadable
  case noJokes
}

/// The whole state of the app. The request is derived from it; no code calls a loader.
enum JokeState: Alterable, Hashable {
  enum Change: Hashable { case choose(String), loaded(Joke), failed(LoadError), again, cancel }

  case empty
  case loading(category: String)
  case loaded(Joke, category: String)
  case failed(LoadError, category: String)

  /// The category of which a joke must be loaded now; nil if there is no request.
  var request: String? { if case .loading(let category) = self { category } else { nil } }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch (self, change) {
    case (_, .choose(let category)): self = .loading(category: category)
    case (.loading(let category), .loaded(let joke)): self = .loaded(joke, category: category)
    case (.loading(let category), .failed(let error)): self = .failed(error, category: category)
    case (.loading, .cancel): self = .empty
    case (.loaded(_, let category), .again), (.failed(_, let category), .again): self = .loading(category: category)
    case (_, .loaded), (_, .failed), (_, .cancel), (_, .again): throw .custom("This is not possible now.")
    }
  }
}

/// The visible screen: a function of the state.
struct JokeScreen: Hashable {
  let lines: [String]
  /// The words that a user can type.
  let actions: [String]

  init(_ state: JokeState) {
    switch state {
    case .empty: (lines, actions) = (["A joke about what?"], ["CATEGORY"])
    case .loading(let category): (lines, actions) = (["Loading a joke about \(category) …"], ["cancel", "CATEGORY"])
    case .loaded(let joke, _): (lines, actions) = ([joke.setup, "    \(joke.punchline)"], ["again", "CATEGORY"])
    case .failed(let error, let category): (lines, actions) = ([Self.text(error, category)], ["again", "CATEGORY"])
    }
  }

  private static func text(_ error: LoadError, _ category: String) -> String {
    switch error {
    case .unreachable: "The server does not answer. Is this machine online?"
    case .status(let code): "The server reports the error \(code)."
    case .unreadable: "The server's response can't be read."
    case .noJokes: "There are no jokes about \(category)."
    }
  }

  /// The change that a typed word requests.
  static func change(_ word: String) -> JokeState.Change {
    switch word {
    case "again": .again
    case "cancel": .cancel
    default: .choose(word)
    }
  }
}
