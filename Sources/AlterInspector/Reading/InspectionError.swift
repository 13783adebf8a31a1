/// Why a question to an ``Inspection`` has no answer. What the journal itself meets is a `JournalError`.
package struct InspectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of trouble.
  package enum Code: String, Sendable, Hashable {
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
  package let code: Code
  /// What happened, and what to do next.
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
