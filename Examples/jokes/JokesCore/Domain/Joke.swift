/// A joke in two parts: a question and its answer.
public struct Joke: Hashable, Codable, Sendable, Identifiable {
  /// The joke's number on its server.
  public let id: Int
  /// The question.
  public let setup: String
  /// The answer.
  public let punchline: String

  /// A joke.
  public init(id: Int, setup: String, punchline: String) { (self.id, self.setup, self.punchline) = (id, setup, punchline) }
}

/// A category of jokes.
public struct Category: Hashable, Codable, Sendable, Identifiable {
  /// The name: lowercase letters.
  public let id: String

  /// A category.
  public init(_ id: String) { self.id = id }

  /// Decodes a category from its name alone, as in an array of names.
  public init(from decoder: any Decoder) throws { id = try decoder.singleValueContainer().decode(String.self) }

  /// Encodes the name alone.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

/// The reason why a request failed.
public enum LoadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The server with this name does not answer.
  case unreachable(String)
  /// The server answered with this HTTP status, which is an error.
  case status(Int)
  /// The answer of the server can't be decoded.
  case unreadable

  /// The message for users.
  public var description: String {
    switch self {
    case .unreachable(let server): "The jokes can't be reached: '\(server)' does not answer. Is this machine online?"
    case .status(let code): "The server says \(code)."
    case .unreadable: "The server's response can't be read."
    }
  }

  /// Whether a retry may succeed.
  public var mayPass: Bool {
    switch self {
    case .unreachable: true
    case .status(let code): code >= 500 || code == 429  // 429: too many requests
    case .unreadable: false
    }
  }
}
