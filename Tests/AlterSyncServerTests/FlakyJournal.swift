import Alter
import AlterJournal
import AlterTesting

/// A served journal in memory whose appends and readings fail as told, and that can be replaced by another one, as by a restored backup.
final class FlakyJournal: ServerJournal, ForwardingJournal {
  /// The failure of an append.
  enum Failure: Sendable {
    /// Nothing is written, and the outcome is unknown.
    case before
    /// The drafts are written, and the outcome is unknown.
    case afterwards
    /// Nothing is written, and another server has been faster.
    case conflicting
    /// Nothing is written.
    case failing
  }

  let present: Lock<MemoryJournal>
  /// The failures of the next appends.
  let failures = Lock<[Failure]>([])
  /// Runs before each reading of a snapshot, as if another process came between.
  let beforeSnapshot = Lock<(@Sendable () async -> Void)?>(nil)
  /// The error of readings of a single entry; nil for none.
  let entryFailure = Lock<JournalError?>(nil)
  /// The number of appends by a server.
  let appends = Lock(0)

  init(_ base: MemoryJournal) { present = Lock(base) }

  var base: any Journal { journal }
  private var journal: MemoryJournal { present.withLock { $0 } }

  func append(_ decided: [DecidedDraft], at position: ServerPosition, under leases: [Lease]) async throws(JournalError) -> Appended {
    appends.withLock { $0 += 1 }
    let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    switch failure {
    case nil: return try await journal.append(decided, at: position, under: leases)
    case .before: throw JournalError(.unknownOutcome, journal: name, message: "may have the entries.")
    case .afterwards:
      _ = try await journal.append(decided, at: position, under: leases)
      throw JournalError(.unknownOutcome, journal: name, message: "may have the entries.")
    case .conflicting: throw .conflict(name, at: position.head.revision, expected: position.head.revision)
    case .failing: throw JournalError(.failed, journal: name, message: "cannot be written.")
    }
  }

  var name: String { "flaky" }
  func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? {
    await beforeSnapshot.withLock { $0.take() }?()
    return try await journal.snapshot(at: revision)
  }
  func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
    if limit == 1, let failure = entryFailure.withLock({ $0 }) { throw failure }
    return try await journal.entries(after: revision, limit: limit)
  }
  func serve(_ lineage: Lineage, schema: Int, replacing present: Generation?) async throws(JournalError) {
    try await journal.serve(lineage, schema: schema, replacing: present)
  }
  func position() async throws(JournalError) -> ServerPosition { try await journal.position() }
  func facts(about questions: ServerQuestions) async throws(JournalError) -> ServerFacts { try await journal.facts(about: questions) }
  func reasons(of ids: [EntryID]) async throws(JournalError) -> [EntryID: String] { try await journal.reasons(of: ids) }
}
