/// A general-purpose reason to refuse a change, for models that need no error type of their own.
///
/// ```swift
/// struct Team: Alterable {
///   typealias Failure = Refusal
///   mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) { … throw .missing("player", id) … }
/// }
/// ```
///
/// A refusal is a value: it can be compared, encoded and shown to the user (``message``). `IdentityArray` throws
/// ``missing(_:_:)`` and ``duplicate(_:_:)``; throw ``illegal(from:change:)`` for an impossible transition and ``custom(_:)`` for any other
/// reason.
public enum Refusal: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The value that the change refers to does not exist.
  case missing(kind: String, id: String)

  /// The value that the change would insert already exists.
  case duplicate(kind: String, id: String)

  /// The change is not possible in the current state.
  case illegal(from: String, change: String)

  /// Any other reason: a code that a program can compare, and a message for people.
  case custom(code: String, message: String)

  /// The value that the change refers to does not exist.
  ///
  /// - Parameters:
  ///   - kind: The kind of the value, as in "item".
  ///   - id: The value's identity.
  public static func missing(_ kind: String, _ id: some Any) -> Refusal { .missing(kind: kind, id: "\(id)") }

  /// The value that the change would insert already exists.
  ///
  /// - Parameters:
  ///   - kind: The kind of the value, as in "item".
  ///   - id: The value's identity.
  public static func duplicate(_ kind: String, _ id: some Any) -> Refusal { .duplicate(kind: kind, id: "\(id)") }

  /// Any other reason, described by a message. The code is 'refused'.
  public static func custom(_ message: String) -> Refusal { .custom(code: "refused", message: message) }

  /// The message for people.
  public var message: String {
    switch self {
    case .missing(let kind, let id): "There is no \(kind) \(id)."
    case .duplicate(let kind, let id): "There is already a \(kind) \(id)."
    case .illegal(let from, let change): "'\(change)' can't happen in the state '\(from)'."
    case .custom(_, let message): message
    }
  }

  /// The ``message``.
  public var description: String { message }
}
