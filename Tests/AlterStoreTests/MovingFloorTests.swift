import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("A compaction before any reading of a journal", .timeLimit(.minutes(20)))
struct MovingFloorTests {
  private static let origin = Origin.test(7)
  private static let last: Int64 = 60
  private static let floor: Revision = 40

  /// Notes, with an undo of revision 12 at 30, one of an entry that does not exist at 35, and one of revision 45 at 55.
  private func draft(_ revision: Int64) throws -> Entry.Draft {
    let id = EntryID(origin: Self.origin, sequence: revision)
    func targets(_ sequence: Int64) -> Entry.Targets { Entry.Targets([EntryID(origin: Self.origin, sequence: sequence)]) }
    return switch revision {
    case 1: Entry.Draft(kind: .initial, id: id, time: 0, payload: try JournalCoding.encode(Board()))
    case 30: Entry.Draft(kind: .undo, id: id, time: revision, payload: try JournalCoding.encode(targets(12)))
    case 35: Entry.Draft(kind: .undo, id: id, time: revision, payload: try JournalCoding.encode(targets(1_000)))
    case 55: Entry.Draft(kind: .undo, id: id, time: revision, payload: try JournalCoding.encode(targets(45)))
    default: Entry.Draft(kind: .changes, id: id, time: revision, payload: try JournalCoding.encode([Board.Change.note("\(revision)")]))
    }
  }

  private func expected(at revision: Int64) -> [String] {
    (2...max(revision, 2)).filter {
      $0 <= revision && ![30, 35, 55].contains($0) && !($0 == 12 && revision >= 30) && !($0 == 45 && revision >= 55)
    }.map { "\($0)" }
  }

  private func grow(_ journal: MemoryJournal, to last: Int64) async throws {
    let head = try await journal.head()
    _ = try await journal.append((head.revision.number + 1...last).map(draft), after: head)
  }

  /// A journal with a snapshot whose base lies between an undo and its entry.
  private func journal() async throws -> MemoryJournal {
    let journal = MemoryJournal()
    try await grow(journal, to: Self.last)
    let id = try await journal.head().journal
    for (base, head) in [(20, 24), (42, 50)] as [(Int64, Int64)] {
      let (bottom, top) = try await (journal.head(at: Revision(base), of: id), journal.head(at: Revision(head), of: id))
      let state = try await Store<Board>.state(at: Revision(base), in: journal)
      try await journal.keep(
        Snapshot(head: #require(top), base: #require(bottom), schema: 1, written: head * 50, payload: JournalCoding.encode(state)))
    }
    return journal
  }

  private func options(window: Int) -> StoreOptions {
    var options = StoreOptions.notFollowing
    options.undoWindow = window
    options.snapshotSpacing = .max
    return options
  }

  /// Runs a test with a compaction before its first reading, its second, and so on, until it has fewer.
  private func everywhere(_ body: (ScriptedJournal, Int) async throws -> Void) async throws {
    for number in 1... {
      let base = try await journal()
      let moving = ScriptedJournal(base)
      moving.onNext(.readings, number: number) { _ in
        do { try await Store<Board>.compact(base, keeping: .from(Self.floor.next)) } catch { Issue.record("\(error)") }
      }
      try await body(moving, number)
      if moving.isWaiting {
        #expect(number > 3, "The test reads hardly anything.")
        return
      }
      #expect(try await base.floor()?.revision ?? 0 >= Self.floor)
    }
  }

  @Test("does not disturb an opening, whatever its window", arguments: [0, 5, 35, 1_000])
  func opening(window: Int) async throws {
    try await everywhere { journal, number in
      let store = try await Store.open(Board(), in: journal, options: options(window: window))
      #expect(store.state.notes == expected(at: Self.last), "reading \(number)")
      await store.close()
      for await problem in store.problems { Issue.record("reading \(number): \(problem)") }
    }
  }

  @Test("does not disturb a verification")
  func verifying() async throws {
    try await everywhere { journal, number in
      let head = try await Store<Board>.verify(journal)
      #expect(head.revision == Revision(Self.last), "reading \(number)")
    }
  }

  @Test("lets a state be read, or names the floor", arguments: [10, 32, 39, 40, 44, 60] as [Int64])
  func past(revision: Int64) async throws {
    try await everywhere { journal, number in
      do {
        let state = try await Store<Board>.state(at: Revision(revision), in: journal)
        #expect(state.notes == expected(at: revision), "reading \(number)")
      } catch let error as JournalError {
        #expect(error.code == .noSuchRevision && error.message.contains("up to revision 40"), "reading \(number): \(error)")
        #expect(revision < 40)
      }
    }
  }

  @Test("lets entries be read and searched from the floor on, or names it", arguments: [20, 40, 41] as [Int64])
  func searching(first: Int64) async throws {
    let range = Revision(first)...Revision(Self.last)
    try await everywhere { journal, number in
      do {
        let found = try await Store<Board>.scan(in: range, of: journal) { $0.notes.contains("50") }
        #expect(found == 50, "reading \(number)")
        #expect(try await Store<Board>.bisect(in: range, of: journal) { $0.notes.contains("50") } == 50)
        let records = try await Store<Board>.entries(in: range, of: journal)
        #expect(records.map(\.revision.number) == Array(first...Self.last), "reading \(number)")
      } catch let error as JournalError {
        #expect(error.code == .noSuchRevision && error.message.contains("up to revision 40"), "reading \(number): \(error)")
        #expect(first <= 40)
      }
    }
  }

  @Test("does not disturb a store that reads others' entries, and resolves its changes once", arguments: [2, 1_000], [true, false])
  func catchingUp(window: Int, isObserved: Bool) async throws {
    for number in 1... {
      let base = MemoryJournal()
      try await grow(base, to: 8)
      let moving = ScriptedJournal(base)
      let store = try await Store.open(Board(), in: moving, options: options(window: window))
      let transitions = isObserved ? store.transitions : nil
      try await grow(base, to: Self.last)
      moving.onNext(.readings, number: number) { _ in
        do { try await Store<Board>.compact(base, keeping: .from(Self.floor.next)) } catch { Issue.record("\(error)") }
      }
      let revision = try await store.change(.note("own")).result().get()
      #expect(revision == 61, "reading \(number)")
      #expect(store.state.notes == expected(at: Self.last) + ["own"], "reading \(number)")
      await store.close()
      if let transitions {
        var last: Revision = 8
        for await transition in transitions {
          switch transition {
          case .skipped(let revision, let state):
            #expect(state.notes == expected(at: revision.number))
            last = revision
          case .confirmed(let record):
            #expect(record.revision == last.next, "reading \(number)")
            last = record.revision
          default: break
          }
        }
        #expect(last == 61, "reading \(number)")
      }
      if moving.isWaiting {
        #expect(number > 2)
        return
      }
    }
  }

  @Test("does not keep a store from loading its undo window, even if the store was below the floor")
  func undoWindow() async throws {
    for number in 1... {
      let base = MemoryJournal()
      try await grow(base, to: 8)
      let moving = ScriptedJournal(base)
      var options = options(window: 1_000)
      options.undoWindowLoading = .whenNeeded
      options.snapshotSpacing = 1_000_000
      let head = try await base.head()
      try await base.keep(
        Snapshot(head: head, base: head, schema: 1, written: 100, payload: JournalCoding.encode(Store<Board>.state(at: 8, in: base))))
      let store = try await Store.open(Board(), in: moving, options: options)
      #expect(store.lacksUndoWindow)
      try await grow(base, to: Self.last)
      moving.onNext(.readings, number: number) { _ in
        do { try await Store<Board>.compact(base, keeping: .from(Self.floor.next)) } catch { Issue.record("\(error)") }
      }
      try await store.loadUndoWindow()
      #expect(!store.lacksUndoWindow)
      try await store.change(.note("own")).durable()
      try await store.undo()
      #expect(store.state.notes == expected(at: Self.last), "reading \(number)")
      await store.close()
      for await problem in store.problems { Issue.record("reading \(number): \(problem)") }
      if moving.isWaiting {
        #expect(number > 3)
        return
      }
    }
  }

  @Test("lets an export and a copy be whole, or be refused, and never wrong", arguments: [true, false])
  func exporting(isCopy: Bool) async throws {
    var refused = 0
    try await everywhere { journal, number in
      let target = MemoryJournal()
      do {
        if isCopy {
          try await journal.copy(to: target)
        } else {
          var lines = Data()
          try await journal.export { lines += $0 }
          try await target.import(lines)
        }
        let head = try await Store<Board>.verify(target)
        #expect(try await Store<Board>.state(at: head.revision, in: target).notes == expected(at: Self.last), "reading \(number)")
      } catch let error as JournalError {
        refused += 1
        #expect(error.code == .noSuchRevision && error.message.contains("up to revision 40"), "reading \(number): \(error)")
      }
    }
    #expect(refused > 0)
  }

  @Test("does not disturb another compaction", arguments: [30, 41, 50] as [Revision])
  func compacting(first: Revision) async throws {
    try await everywhere { journal, number in
      let plan = try await Store<Board>.compact(journal, keeping: .from(first))
      #expect(plan.floor <= first.previous || plan.entries == 0, "reading \(number)")
      #expect(try await Store<Board>.verify(journal).revision == 60, "reading \(number)")
      // The undo at 55 names 45, and the one at 30 names 12.
      let alone: Revision = first == 30 ? 11 : first == 41 ? 40 : 44
      let reached = try await journal.floor()?.revision ?? 0
      #expect([alone, Self.floor].contains(reached), "reading \(number)")
    }
  }
}
