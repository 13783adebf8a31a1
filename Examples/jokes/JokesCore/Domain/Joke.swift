/// A joke, in two parts: so that one may think in between.
public struct Joke: Hashable, Codable, Sendable, Identifiable {
  /// Which one.
  public let id: Int
  /// What is asked.
  public let setup: String
  /// What is answered.
  public let punchline: String

  /// A joke.
  public init(id: Int, setup: String, punchline: String) { (self.id, self.setup, self.punchline) = (id, setup, punchline) }
}

/// What jokes are about.
public struct Category: Hashable, Codable, Sendable, Identifiable {
  /// Its name: lowercase letters.
  public let id: String

  /// A category.
  public init(_ id: String) { self.id = id }

  /// As in an array of names.
  public init(from decoder: any Decoder) throws { id = try decoder.singleValueContainer().decode(String.self) }

  /// Its name alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

/// Why something could not be loaded.
public enum LoadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nobody answers there.
  case unreachable
  /// The server says no: a status of HTTP.
  case status(Int)
  /// What it sends makes no sense.
  case unreadable

  /// What to tell people.
  public var description: String {
    switch self {
    case .unreachable: "The jokes can't be reached."
    case .status(let code): "The server says \(code)."
    case .unreadable: "The server's response is not a joke."
    }
  }

  /// Whether it may be better in a moment.
  public var mayPass: Bool {
    switch self {
    case .unreachable: true
    case .status(let code): code >= 500
    case .unreadable: false
    }
  }
}
