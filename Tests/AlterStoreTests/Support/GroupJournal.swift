import Alter
import AlterCore
import AlterTesting

@testable import AlterJournal

/// A process's handle of a journal in memory, which reads in its turns and appends for groups, as that of PostgreSQL does. Its group appends
/// may fail.
final class GroupJournal: ForwardingJournal, TurnReadingJournal {
  /// The outcome of an append.
  enum Fault: CaseIterable {
    case none
    /// It was not made, and the error says so.
    case refused
    /// It was not made, and the journal is out of reach.
    case unavailable
    /// Its answer was lost, before it was made or after.
    case lostBefore, lostAfter
  }

  /// The journal that all handles of a process share.
  final class Shared: Sendable {
    let memory: MemoryJournal
    let group = AppendGroup()
    let faults = Lock<[Fault]>([])
    /// The number of parts of each append in a group.
    let parts = Lock<[Int]>([])
    /// Runs before a turn is granted; its errors are those of the turn.
    let beforeTurn = Lock<(@Sendable () async -> JournalError?)?>(nil)
    let doubts = Lock<Set<EntryID>>([])
    init(_ memory: MemoryJournal) { self.memory = memory }
  }

  let shared: Shared
  var base: any Journal { shared.memory }
  var group: AppendGroup { shared.group }
  init(_ shared: Shared) { self.shared = shared }

  func takeTurn(
    limit: Int, attempt: Int, from start: @Sendable (_ hasWaited: Bool) async throws(JournalError) -> Head?
  ) async throws(JournalError) -> TurnReading {
    if let hook = shared.beforeTurn.withLock({ $0 }), let error = await hook() { throw error }
    let turn = try await base.takeTurn()
    do throws(JournalError) {
      let known = try await start(false)
      let entries = try await base.entries(after: max(known?.revision ?? .zero, 1).previous, limit: limit + 1)
      return TurnReading(turn, head: try await base.head(), start: known, entries: entries)
    } catch {
      turn.end()
      throw error
    }
  }

  func append(_ parts: [[Entry.Draft]], after head: Head, in turn: Turn, under leases: [Lease]) async throws(JournalError) -> Appended {
    shared.parts.withLock { $0.append(parts.count) }
    let fault = shared.faults.withLock { $0.isEmpty ? .none : $0.removeFirst() }
    let drafts = Array(parts.joined())
    func error(_ code: JournalError.Code) -> JournalError { JournalError(code, journal: name, message: "was told to fail.") }
    switch fault {
    case .none: return try await base.append(drafts, after: head, in: turn, under: leases)
    case .refused: throw .originCollision(name, drafts[drafts.count - 1].id, at: 1)
    case .unavailable: throw error(.unavailable)
    case .lostBefore: throw error(.unknownOutcome)
    case .lostAfter:
      _ = try await base.append(drafts, after: head, in: turn, under: leases)
      throw error(.unknownOutcome)
    }
  }

  func doubt(_ drafts: [Entry.Draft]) { shared.doubts.withLock { $0.formUnion(drafts.map(\.id)) } }
}
