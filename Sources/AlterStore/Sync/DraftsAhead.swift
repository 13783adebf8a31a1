import AlterCore
import AlterJournal

/// Drafts that were encoded before their flight, by sequence: encoding takes longer than appending, and need not wait for it.
///
/// A draft holds nothing that a rebase changes, except for what an undo or a redo takes back; those are never encoded ahead.
final class DraftsAhead: Sendable {
  private struct Contents {
    var drafts: [Int64: Entry.Draft] = [:]
    /// Their bytes.
    var bytes: Int64 = 0
    var isWanted = false
    /// The last sequence that was encoded ahead, so that nothing is encoded twice during one wait.
    var last: Int64 = 0

    mutating func add(_ draft: Entry.Draft) {
      bytes += draft.size - (drafts.updateValue(draft, forKey: draft.id.sequence)?.size ?? 0)
    }
  }

  /// How many bytes are kept: two appends. What is encoded beyond is only weighed.
  private static var limit: Int64 { 32 << 20 }

  private let contents = Lock(Contents())

  /// Whether to go on.
  var isWanted: Bool { contents.withLock { $0.isWanted } }

  /// Where to go on after a flight.
  ///
  /// - Parameter sequence: The last of the flight.
  func start(after sequence: Int64) -> Int64 {
    contents.withLock { contents in
      contents.isWanted = true
      // A rebase or another origin may have begun anew.
      if contents.last < sequence { contents.last = sequence }
      return contents.last
    }
  }

  /// Sequences begin anew.
  func reset() { contents.withLock { $0 = Contents() } }

  /// An append or a wait ends.
  func stop() { contents.withLock { $0.isWanted = false } }

  /// Encodes records that may be encoded ahead, and are not yet. What can't be encoded is dealt with in its flight.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - coding: How.
  ///   - isNeeded: Whether they are wanted at once, however much they are.
  /// - Returns: Those drafts that take more than 2 KiB: the others are bounded well enough by their number.
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

  /// Puts back drafts that are not needed yet.
  func put(_ drafts: ArraySlice<Entry.Draft>) {
    contents.withLock { contents in for draft in drafts where draft.kind != .undo && draft.kind != .redo { contents.add(draft) } }
  }

  /// Takes out those up to a sequence.
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
