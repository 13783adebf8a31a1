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
    case refused, conflict
    /// It was not made, as the error says, by which the store cannot know.
    case failed
    /// It was not made, and the journal is out of reach.
    case unavailable
    /// Its answer was lost: before it was made, after it, or while it is still being made, so that the others wait for it.
    case lostBefore, lostAfter, lostMeanwhile
  }

  /// The journal that all handles of a process share.
  final class Shared: Sendable {
    let memory: MemoryJournal
    let group = AppendGroup(patience: .seconds(600))
    /// The queue of the process for turns, and the lock of the journal's row, which an append without a turn takes, too.
    let line = TurnQueue(journal: "memory"), row = TurnQueue(journal: "memory")
    /// Ends the appends that are still being made: runs before them.
    let meanwhile = Lock<@Sendable () async -> Void>({ for _ in 0..<50 { await Task.yield() } })
    let faults = Lock<[Fault]>([])
    /// The number of parts of each append in a group.
    let parts = Lock<[Int]>([])
    /// Runs before a turn is granted; its errors are those of the turn.
    let beforeTurn = Lock<(@Sendable () async -> JournalError?)?>(nil)
    let doubts = Lock<Set<EntryID>>([])
    init(_ memory: MemoryJournal) { self.memory = memory }
  }

  let shared: Shared
  /// The lock of the present turn.
  private let held = Lock<Turn?>(nil)
  var base: any Journal { shared.memory }
  var group: AppendGroup { shared.group }
  init(_ shared: Shared) { self.shared = shared }

  func takeTurn(
    limit: Int, attempt: Int, from start: @Sendable (_ hasWaited: Bool) async throws(JournalError) -> Head?
  ) async throws(JournalError) -> TurnReading {
    if let hook = shared.beforeTurn.withLock({ $0 }), let error = await hook() { throw error }
    let free = shared.line.takeIfFree()
    let place = if let free { free } else { try await shared.line.take() }
    let known = try await start(free == nil)
    let row = try await shared.row.take()
    held.withLock { $0 = row }
    let turn = Turn { [weak self] in
      self?.endTurn(row)
      place.end()
    }
    let entries = try await base.entries(after: max(known?.revision ?? .zero, 1).previous, limit: limit + 1)
    return TurnReading(turn, head: try await base.head(), start: known, entries: entries)
  }

  /// Releases the row, unless an append that is still being made holds it.
  private func endTurn(_ row: Turn) {
    let isHeld = held.withLock { held in
      guard held === row else { return false }
      held = nil
      return true
    }
    if isHeld { row.end() }
  }

  func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError) -> Appended {
    let row = turn == nil || held.withLock { $0 == nil } ? try await shared.row.take() : nil
    defer { row?.end() }
    return try await base.append(drafts, after: head, in: nil, under: leases)
  }

  func append(_ parts: [[Entry.Draft]], after head: Head, in turn: Turn, under leases: [Lease]) async throws(JournalError) -> Appended {
    shared.parts.withLock { $0.append(parts.count) }
    let fault = shared.faults.withLock { $0.isEmpty ? .none : $0.removeFirst() }
    let drafts = Array(parts.joined())
    func error(_ code: JournalError.Code) -> JournalError { JournalError(code, journal: name, message: "was told to fail.") }
    switch fault {
    case .none: return try await append(drafts, after: head, in: turn, under: leases)
    case .refused: throw .originCollision(name, drafts[drafts.count - 1].id, at: 1)
    case .conflict: throw .conflict(name, at: head.revision, expected: head.revision)
    case .failed: throw error(.failed)
    case .unavailable: throw error(.unavailable)
    case .lostBefore: throw error(.unknownOutcome)
    case .lostAfter:
      _ = try await append(drafts, after: head, in: turn, under: leases)
      throw error(.unknownOutcome)
    case .lostMeanwhile:
      let row = held.withLock { held in
        defer { held = nil }
        return held
      }
      let (memory, meanwhile) = (shared.memory, shared.meanwhile.withLock { $0 })
      Task {
        await meanwhile()
        _ = try? await memory.append(drafts, after: head)
        row?.end()
      }
      throw error(.unknownOutcome)
    }
  }

  func doubt(_ drafts: [Entry.Draft]) { shared.doubts.withLock { $0.formUnion(drafts.map(\.id)) } }
}
