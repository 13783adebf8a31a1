import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Undos of entries that the journal does not have", .timeLimit(.minutes(20)))
struct AbsentIDTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal
  private let deaf = StoreOptions.notFollowing

  private func undo(_ ids: EntryID..., by number: UInt8) async throws {
    let draft = Entry.Draft(
      kind: .undo, id: EntryID(origin: .test(number), sequence: 1), time: 0, payload: try JournalCoding.encode(Entry.Targets(ids)))
    _ = try await journal.append([draft], after: journal.head())
  }

  @Test("absent: an entry that an earlier undo has named is left out of the next snapshot", arguments: [true, false])
  func staleMark(isRunning: Bool) async throws {
    var options = deaf
    options.undoWindow = 10
    options.snapshotSpacing = .max
    let filling = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<100 { try await filling.change(.note("\(number)")).durable() }
    await filling.close()
    options.snapshotSpacing = 30
    options.followsOthers = true
    let stranger = EntryID(origin: .test(77), sequence: 5)
    let running = isRunning ? try await Store.open(Board(), in: journal, options: options) : nil
    await running?.finishSnapshot()
    try await undo(stranger, by: 9)
    if let running { while running.revision < 102 { await Task.yield() } }
    let late = Entry.Draft(kind: .changes, id: stranger, time: 0, payload: Data(#"[{"note":{"_0":"late"}}]"#.utf8))
    _ = try await journal.append([late], after: journal.head())
    let store: Store<Board>
    if let running { store = running } else { store = try await Store.open(Board(), in: journal, options: options) }
    while store.revision < 103 { await Task.yield() }
    for number in 0..<35 { try await store.change(.note("after \(number)")).durable() }
    #expect(store.state.notes.count { $0 == "late" } == 1)
    await store.close()
    let again = try await Store.open(Board(), in: journal, options: options)
    #expect(again.state == store.state)
    #expect(again.state.notes.count { $0 == "late" } == 1, "in what is opened again")
    await #expect(throws: Never.self) { try await Store<Board>.verify(journal) }
    await again.close()
  }

  @Test("absent: an entry that an earlier undo has named disappears when a later one is refused at a rebase")
  func staleMarkAtRebase() throws {
    func record(_ number: Int64, _ kind: Record<Board>.Kind, origin: UInt8 = 1) -> Record<Board> {
      Record(revision: Revision(number), id: EntryID(origin: .test(origin), sequence: number), time: number, kind: kind)
    }
    var history = History(Board(), at: 1, window: 100)
    _ = history.append(record(2, .undo([EntryID(origin: .test(1), sequence: 3)])))
    _ = history.append(record(3, .changes([.note("late")])))
    #expect(history.state.notes == ["late"])
    #expect(throws: Refusal.self) { try history.attempt(record(4, .changes([.add("none", 1)]))) }
    #expect(history.state.notes == ["late"])
  }

  @Test("absent: many undos of absent ids in one page cost no more than reading them one by one", arguments: [30, 60, 110])
  func manyAbsent(count: Int) async throws {
    var options = deaf
    options.undoWindow = 100
    let filler = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<400 { try filler.change(.note("\(number)")) }
    await filler.close()
    var readers: [Store<Board>] = []
    for _ in 0..<5 { readers.append(try await Store.open(Board(), in: journal, options: options)) }
    var drafts: [Entry.Draft] = []
    for number in 0..<count {
      drafts.append(
        Entry.Draft(
          kind: .undo, id: EntryID(origin: .test(9), sequence: Int64(number + 1)), time: 0,
          payload: try JournalCoding.encode(Entry.Targets([EntryID(origin: .test(77), sequence: Int64(number + 1))]))))
    }
    _ = try await journal.append(drafts, after: journal.head())
    let clock = ContinuousClock()
    // The shortest of several, because other work of the machine may interrupt any of them.
    var running = Duration.seconds(3_600)
    for reader in readers {
      running = min(running, try await clock.measure { try await reader.readOthers() })
    }
    let opening = try await clock.measure { _ = try await Store.open(Board(), in: journal, options: options) }
    // Ten times the duration of opening the same journal is a generous limit. A wrong implementation is quadratic in the number of such
    // undos in a page, under the store's lock.
    #expect(running < opening * 10, "\(count) undos: running \(running), opening \(opening)")
  }

  @Test("absent: one undo of an absent id stops a running store for ever when its history lets go of records in the same page")
  func endlessAbsent() async throws {
    var options = deaf
    options.undoWindow = 10
    let filler = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<200 { try filler.change(.note("\(number)")) }
    _ = await filler.close()
    let hooked = ScriptedJournal(journal)
    let reader = try await Store.open(Board(), in: hooked, options: options)
    let writer = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<50 { try writer.change(.note("more \(number)")) }
    await writer.close()
    try await undo(EntryID(origin: .test(77), sequence: 1), by: 9)
    // The look-ups are the body of a possible endless loop. The script ends it.
    hooked.onEach(.entry) { call in
      guard call.number <= 100 else { throw JournalError(.damaged, journal: "memory", message: "was asked 100 times.") }
    }
    do throws(JournalError) { try await reader.readOthers() } catch { #expect(error.code != .damaged) }
    #expect(hooked.count(.entry) <= 3)
    #expect(reader.state.notes.count == 250)
  }
}
