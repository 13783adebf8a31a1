import AlterCore
import AlterJournal

/// Drafts that were encoded before their flight, by sequence. Encoding takes longer than appending, so it runs during the previous append.
///
/// A rebase does not change the draft of a change. It may change the targets of an undo or a redo, so those are never encoded ahead.
final class DraftsAhead: Sendable {
  private struct Contents {
    var drafts: [Int64: Entry.Draft] = [:]
    /// The bytes of the drafts.
    var bytes: Int64 = 0
    var isWanted = false
    /// The last sequence that was encoded ahead, so that no record is encoded twice during one wait.
    var last: Int64 = 0

    mutating func add(_ draft: Entry.Draft) {
      bytes += draft.size - (drafts.updateValue(draft, forKey: draft.id.sequence)?.size ?? 0)
    }
  }

  /// The maximum number of bytes to keep: two appends. Further drafts are weighed and discarded.
  private static var limit: Int64 { 32 << 20 }

  private let contents = Lock(Contents())

  /// Whether encoding should continue.
  var isWanted: Bool { contents.withLock { $0.isWanted } }

  /// Begins encoding ahead, and returns the sequence to continue after.
  ///
  /// - Parameter sequence: The last sequence of the flight.
  func start(after sequence: Int64) -> Int64 {
    contents.withLock { contents in
      contents.isWanted = true
      // After a rebase or under another origin, `last` may lie before the flight.
      if contents.last < sequence { contents.last = sequence }
      return contents.last
    }
  }

  /// Forgets everything, because sequences begin again.
  func reset() { contents.withLock { $0 = Contents() } }

  /// Stops encoding ahead, because an append or a wait ends.
  func stop() { contents.withLock { $0.isWanted = false } }

  /// Encodes the records that may be encoded ahead and are not yet. A record that cannot be encoded is left to its flight.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - coding: The coding of the state.
  ///   - isNeeded: Whether the drafts are needed at once and kept whatever their size.
  /// - Returns: The drafts that take more than 2 KiB. Limits on their number suffice for the others.
  @discardableResult
  func encode<State>(_ records: some Sequence<Record<State>>, by coding: RecordCoding<State>, isNeeded: Bool) -> [Entry.Draft] {
    var large: [Entry.Draft] = []
    for record in records where !record.content.isMark {
      let sequence = record.id.sequence
      guard contents.withLock({ $0.drafts[sequence] == nil }), let draft = try? coding.draft(record) else { continue }
      contents.withLock { contents in
        contents.last = max(contents.last, sequence)
        if isNeeded || contents.bytes < Self.limit { contents.add(draft) }
      }
      if draft.size > 2 << 10 { large.append(draft) }
    }
    return large
  }

  /// Returns drafts that are not needed yet. Those of undos and redos are discarded.
  func put(_ drafts: ArraySlice<Entry.Draft>) {
    contents.withLock { contents in for draft in drafts where draft.kind != .undo && draft.kind != .redo { contents.add(draft) } }
  }

  /// Removes and returns the drafts up to a sequence.
  func take(through sequence: Int64) -> [Int64: Entry.Draft] {
    contents.withLock { contents in
      if contents.drafts.keys.allSatisfy({ $0 <= sequence }) {
        defer { (contents.drafts, contents.bytes) = ([:], 0) }
        return contents.drafts
      }
      let taken = contents.drafts.filter { $0.key <= sequence }
      for draft in taken.values {
        contents.drafts[draft.id.sequence] = nil
        contents.bytes -= draft.size
      }
      return taken
    }
  }
}
