import AlterCore
import AlterJournal

/// The reason and the start of an outage: the journal is out of reach, and the store keeps trying.
public struct StoreWait: Sendable, Hashable {
  /// The latest transient error of the journal.
  public let reason: JournalError
  /// The start of the outage: microseconds since 1970 UTC, by ``StoreEnvironment/now``.
  public let since: Int64

  /// Creates a wait.
  ///
  /// - Parameters:
  ///   - reason: The latest error of the journal.
  ///   - since: Microseconds since 1970 UTC.
  public init(reason: JournalError, since: Int64) {
    self.reason = reason
    self.since = since
  }
}

/// The part of a store that an outage affects.
enum WaitingPart: Sendable {
  case writer, reader
}

/// The present outages of a store: one of the writer, one of the reader, or both.
struct Outages: Sendable {
  private(set) var writer: StoreWait?
  private(set) var reader: StoreWait?
  /// The number of the writer's outages so far. It distinguishes an outage from the next one.
  private(set) var number = 0

  /// The outage to report. The writer's takes precedence over the reader's.
  var wait: StoreWait? { writer ?? reader }

  /// Records that a part waits, or waits for another reason. The start of a continuing outage stays the same.
  ///
  /// - Returns: Whether the outage begins.
  mutating func begin(_ part: WaitingPart, _ reason: JournalError, now: Int64) -> Bool {
    switch part {
    case .writer:
      let isNew = writer == nil
      writer = StoreWait(reason: reason, since: writer?.since ?? now)
      if isNew { number += 1 }
      return isNew
    case .reader:
      let isNew = reader == nil
      reader = StoreWait(reason: reason, since: reader?.since ?? now)
      return isNew
    }
  }

  /// Records that a part works again.
  ///
  /// - Returns: Whether there was an outage.
  mutating func end(_ part: WaitingPart) -> Bool {
    switch part {
    case .writer:
      defer { writer = nil }
      return writer != nil
    case .reader:
      defer { reader = nil }
      return reader != nil
    }
  }
}
