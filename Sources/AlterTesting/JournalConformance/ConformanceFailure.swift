/// A violation of the contract of `Journal`.
package struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the check.
  package let check: String
  /// The behaviour that the contract requires.
  package let expected: String
  /// The behaviour of the tested journal.
  package let found: String

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - check: The name of the check.
  ///   - expected: The behaviour that the contract requires.
  ///   - found: The behaviour of the tested journal.
  package init(check: String, expected: String, found: String) {
    self.check = check
    self.expected = expected
    self.found = found
  }

  /// The failure as one sentence, like 'An append is atomic: expected revisions 1 to 3, found 1 to 2.'
  package var description: String { "\(check): expected \(expected), found \(found)." }
}
