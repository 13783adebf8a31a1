/// A ready-made reason to refuse a change, for models that need no vocabulary of their own for it.
///
/// ```swift
/// struct Team: Alterable {
///   typealias Failure = Refusal
///   mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) { … throw .missing("player", id) … }
/// }
/// ```
public enum Refusal: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// What the change is about isn't there.
  case missing(kind: String, id: String)

  /// What the change would insert is there already.
  case duplicate(kind: String, id: String)

  /// The value is in a state in which this change can't happen.
  case illegal(from: String, change: String)

  /// Any other reason: a code that a program can compare, and a message for people.
  case custom(code: String, message: String)

  /// What the change is about isn't there.
  ///
  /// - Parameters:
  ///   - kind: What it is, as in "item".
  ///   - id: Its identity.
  public static func missing(_ kind: String, _ id: some Any) -> Refusal { .missing(kind: kind, id: "\(id)") }

  /// What the change would insert is there already.
  ///
  /// - Parameters:
  ///   - kind: What it is, as in "item".
  ///   - id: Its identity.
  public static func duplicate(_ kind: String, _ id: some Any) -> Refusal { .duplicate(kind: kind, id: "\(id)") }

  /// Any other reason, told in a message.
  public static func custom(_ message: String) -> Refusal { .custom(code: "refused", message: message) }

  /// The message, for people.
  public var message: String {
    switch self {
    case .missing(let kind, let id): "There is no \(kind) \(id)."
    case .duplicate(let kind, let id): "There is already a \(kind) \(id)."
    case .illegal(let from, let change): "‘\(change)’ can't happen in the state ‘\(from)’."
    case .custom(_, let message): message
    }
  }

  /// The ``message``.
  public var description: String { message }
}
