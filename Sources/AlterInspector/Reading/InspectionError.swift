/// The reason why an ``Inspection`` cannot answer a question. Errors of the journal itself are `JournalError`.
package struct InspectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of errors.
  package enum Code: String, Sendable, Hashable {
    /// A parameter is invalid.
    case badParameter
    /// There is no such path or condition.
    case notFound
    /// The same operation is already running.
    case busy
    /// The operation needs the app's own types.
    case needsTypes
  }

  /// The kind of the error.
  package let code: Code
  /// The problem, and the remedy.
  package let description: String

  /// Creates an error.
  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
