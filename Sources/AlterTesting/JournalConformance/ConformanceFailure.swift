/// A journal does not do what every journal promises.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The check that found it.
  public let check: String
  /// What a journal promises.
  public let expected: String
  /// What this one did.
  public let found: String

  /// A failure of the given parts.
  ///
  /// - Parameters:
  ///   - check: The check that found it.
  ///   - expected: What a journal promises.
  ///   - found: What this one did.
  public init(check: String, expected: String, found: String) {
    self.check = check
    self.expected = expected
    self.found = found
  }

  /// As in `An append is atomic: expected revisions 1 to 3, found 1 to 2.`
  public var description: String { "\(check): expected \(expected), found \(found)." }
}
