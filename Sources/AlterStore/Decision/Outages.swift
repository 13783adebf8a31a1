import AlterCore
import AlterJournal

/// What a store waits for: the journal is out of reach for the moment.
public struct StoreWait: Sendable, Hashable {
  /// What the journal said last.
  public let reason: JournalError
  /// When the wait began: microseconds since 1970 UTC, by ``StoreOptions/now``.
  public let since: Int64

  /// A wait.
  public init(reason: JournalError, since: Int64) {
    self.reason = reason
    self.since = since
  }
}

/// The part of a store that waits.
enum WaitingPart: Sendable {
  case writer, reader
}

/// The waits of a store, and how long they have been.
struct Outages: Sendable {
  private(set) var writer: StoreWait?
  private(set) var reader: StoreWait?
  /// Tells one wait of the writer from the next.
  private(set) var number = 0

  /// What the store waits for: what it can't write counts more than what it can't read.
  var wait: StoreWait? { writer ?? reader }

  /// A part waits, or goes on waiting for another reason.
  ///
  /// - Returns: Whether the wait begins.
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

  /// A part goes on.
  ///
  /// - Returns: Whether it had waited.
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
