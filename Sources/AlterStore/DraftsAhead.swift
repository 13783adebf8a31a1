import AlterCore
import AlterJournal

/// Drafts that were encoded before their flight, by sequence: encoding takes longer than appending, and need not wait for it.
///
/// A draft holds nothing that a rebase changes, except for what an undo or a redo takes back; those are never encoded ahead.
final class DraftsAhead: Sendable {
  private struct Contents {
    var drafts: [Int64: Entry.Draft] = [:]
    var isWanted = false
  }

  private let contents = Lock(Contents())

  /// Whether to go on.
  var isWanted: Bool { contents.withLock { $0.isWanted } }

  /// An append begins or ends.
  func want(_ isWanted: Bool) { contents.withLock { $0.isWanted = isWanted } }

  /// Encodes records that may be encoded ahead, and are not yet. What can't be encoded is dealt with in its flight.
  func encode<State>(_ records: some Sequence<Record<State>>, by coding: RecordCoding<State>) {
    for record in records {
      switch record.content {
      case .undo, .redo: continue
      case .initial, .change, .changes, .reset:
        guard contents.withLock({ $0.drafts[record.id.sequence] == nil }), let draft = try? coding.draft(record) else { continue }
        contents.withLock { $0.drafts[record.id.sequence] = draft }
      }
    }
  }

  /// Puts back drafts that are not needed yet.
  func put(_ drafts: ArraySlice<Entry.Draft>) {
    contents.withLock { contents in
      for draft in drafts where draft.kind != .undo && draft.kind != .redo { contents.drafts[draft.id.sequence] = draft }
    }
  }

  /// Takes out all that there are.
  func take() -> [Int64: Entry.Draft] {
    contents.withLock { contents in
      defer { contents.drafts = [:] }
      return contents.drafts
    }
  }
}

extension Store {
  /// Starts to encode what is pending behind a flight, if it is worth a task.
  func startEncodingAhead(of flight: Replica<State>.Flight) -> Task<Void, Never>? {
    guard let sequence = flight.records.last?.id.sequence, core.withLock({ $0.replica.pendingCount > flight.records.count }) else {
      return nil
    }
    ahead.want(true)
    return Task { encodeAhead(after: sequence) }
  }

  private func encodeAhead(after sequence: Int64) {
    guard let backend else { return }
    var sequence = sequence
    while ahead.isWanted {
      // A few at a time: the append may be done at any moment, and then nobody wants to wait.
      let records = core.withLock { $0.replica.upcoming(after: sequence, limit: 16) }
      guard let last = records.last else { return }
      ahead.encode(records, by: backend.coding)
      sequence = last.id.sequence
    }
  }

  /// Encodes a large flight on two threads.
  func encode(_ flight: Replica<State>.Flight) async {
    let records = flight.records
    guard let backend, records.count >= 256 else { return }
    let half = records.count / 2
    let other = Task { ahead.encode(records[half...], by: backend.coding) }
    ahead.encode(records[..<half], by: backend.coding)
    await other.value
  }
}
