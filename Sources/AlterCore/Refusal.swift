/// A general-purpose reason to refuse a change, for models that need no error type of their own.
///
/// ```swift
/// struct Team: Alterable {
///   enum Change: Hashable, Codable { case rename(Int, String), disband }
///   private(set) var names: [Int: String] = [:]
///   private(set) var isDisbanded = false
///
///   mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
///     guard !isDisbanded else { throw .illegal(from: "disbanded", change: "\(change)") }
///     switch change {
///     case .rename(let id, let name):
///       guard names[id] != nil else { throw .missing("player", id) }
///       guard !name.isEmpty else { throw .custom("A player needs a name.") }
///       names[id] = name
///     case .disband: isDisbanded = true
///     }
///   }
/// }
/// ```
///
/// ## Choosing a refusal
///
/// | problem | refusal |
/// |---|---|
/// | the value does not exist | ``missing(_:_:)`` |
/// | the value already exists | ``duplicate(_:_:)`` |
/// | the change is impossible in the current state | ``illegal(from:change:)`` |
/// | any other problem | ``custom(_:)``, or ``custom(code:message:)`` with a code that callers compare |
///
/// `IdentityArray` throws `missing` and `duplicate`, with the name of the element's type as kind. If callers must distinguish many
/// problems, or need values from the error, declare an error type instead (``Alterable/Failure``).
///
/// ## Comparing, storing and showing
///
/// A refusal is a value: it can be compared, encoded, and passed between threads. Two refusals are equal if their cases and texts are
/// equal. Show the ``message`` to the user, and compare cases and codes rather than messages. Ids are stored as text, made with their
/// `description`.
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
    case .missing(let kind, let id): "There is no \(kind) '\(id)'."
    case .duplicate(let kind, let id): "The \(kind) '\(id)' is there already."
    case .illegal(let from, let change): "'\(change)' can't happen in the state '\(from)'."
    case .custom(_, let message): message
    }
  }

  /// The ``message``.
  public var description: String { message }
}
