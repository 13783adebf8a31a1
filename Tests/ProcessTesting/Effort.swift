import Foundation

/// How much the tests try. By default those that would take long try a part; `script/test --full` tries everything.
public enum Effort {
  /// Whether the tests try everything.
  public static let isFull = ProcessInfo.processInfo.environment["ALTER_FULL"] == "1"

  /// A number of cases or repetitions, or a distance between them.
  public static func count(short: Int, full: Int) -> Int { isFull ? full : short }

  /// The seeds of random tests: the first ones by default.
  public static func seeds(_ first: UInt64 = 0, short: UInt64, full: UInt64) -> Range<UInt64> { first..<first + (isFull ? full : short) }
}
