/// The contents of ``Stores`` at one moment, and its history in numbers: for a page of an operator, a test or a metric.
public struct StoresReport: Sendable, Hashable {
  /// The number of keys that wait for a place in the budget.
  public var waiting = 0
  /// The number of stores that are being opened.
  public var opening = 0
  /// The number of open stores, in use and idle.
  public var open = 0
  /// The number of stores that are being closed.
  public var closing = 0
  /// The bytes of the open states; nil if `Stores` was created without a function for the size.
  public var bytes: Int?
  /// The file descriptors of the stores that are open, being opened or being closed, as the places of the journals state them.
  public var descriptors = 0
  /// The number of openings so far that have succeeded.
  public var opened = 0
  /// The number of openings so far that have failed.
  public var failed = 0
  /// The number of idle stores that were closed so far.
  public var evicted = 0
  /// The number of stores that had ended, by a permanent failure of the journal, and were replaced at the next access.
  public var replaced = 0
  /// The number of changes that stores could not write before they ended, and that were not resumed.
  public var unwritten = 0

  /// Creates a report of nothing.
  package init() {}
}
