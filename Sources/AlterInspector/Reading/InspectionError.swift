/// Why a question to an ``Inspection`` has no answer. What the journal itself meets is a `JournalError`.
public struct InspectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of trouble.
  public enum Code: String, Sendable, Hashable {
    /// The question makes no sense.
    case badParameter
    /// There is no such place, revision or condition.
    case notFound
    /// The same is being done already.
    case busy
    /// It needs the app's own types.
    case needsTypes
  }

  /// The kind of trouble.
  public let code: Code
  /// What happened, and what to do next.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
