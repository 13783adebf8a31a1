/// A violation of the contract of `Journal`.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the check.
  public let check: String
  /// The behaviour that the contract requires.
  public let expected: String
  /// The behaviour of the tested journal.
  public let found: String

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - check: The name of the check.
  ///   - expected: The behaviour that the contract requires.
  ///   - found: The behaviour of the tested journal.
  public init(check: String, expected: String, found: String) {
    self.check = check
    self.expected = expected
    self.found = found
  }

  /// The failure as one sentence, like 'An append is atomic: expected revisions 1 to 3, found 1 to 2.'
  public var description: String { "\(check): expected \(expected), found \(found)." }
}
