import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Entries that are refused at replay", .timeLimit(.minutes(20)))
struct RefusedAtReplayTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal
  private let deaf = StoreOptions.notFollowing

  @Test(
    "refused: an entry that was taken back stops the opening, the running store and verify, although the state does not have it",
    arguments: 0..<4)
  func undoneEntry(part: Int) async throws {
    let running = part == 1 ? try await Store.open(Payments2(), in: journal, options: shared) : nil
    let simulated = SimulatedJournal(journal)
    let old = try await Store.open(Payments1(), in: simulated, options: shared)
    // What waits during an append is one append afterwards, so that nobody reads the payment without its undo.
    simulated.nextAppends(.hold)
    try old.change(.note("before"))
    await simulated.waitUntilHeld()
    try old.change(.pay(150))
    let undoing = Task { try await old.undo() }
    while old.state.total != 0 { await Task.yield() }
    simulated.release()
    _ = try await undoing.value
    try await old.change(.pay(50)).durable()
    await old.close()
    switch part {
    case 0:
      let store = try await Store.open(Payments2(), in: journal, options: shared)
      #expect(store.state.total == 50)
    case 1:
      while running!.status == .open, running!.revision < 5 { await Task.yield() }
      #expect(running!.status == .open)
    case 2: try await Store<Payments2>.verify(journal)
    default:
      // The same journal can be opened from a snapshot whose base is before the entry.
      var records: [Record<Payments2>] = []
      try await Store<Payments2>.entries(in: journal) { records.append($0) }
      var unexplained: [History<Payments2>.Refused] = []
      let history = History(base: Payments2(), at: 1, records: Array(records.dropFirst()), window: 10, unexplained: &unexplained)
      #expect(history.state.total == 50 && unexplained.isEmpty)
    }
  }

  @Test("refused: an unrelated later undo hides a stricter check from the opening")
  func lenient() throws {
    func record(_ number: Int64, _ kind: Record<Payments2>.Kind) -> Record<Payments2> {
      Record(revision: Revision(number), id: EntryID(origin: .test(1), sequence: number), time: number, kind: kind)
    }
    let records = [
      record(11, .changes([.note("before")])), record(12, .changes([.pay(150)])),
      record(13, .undo([EntryID(origin: .test(1), sequence: 11)])),
    ]
    var unexplained: [History<Payments2>.Refused] = []
    _ = History(base: Payments2(), at: 10, records: records, window: 100, unexplained: &unexplained)
    #expect(unexplained.map(\.revision) == [12])
  }

  @Test("refused: an entry stops the opening, however many entries follow it", arguments: [0, 10])
  func farBack(window: Int) async throws {
    var options = deaf
    (options.undoWindow, options.snapshotSpacing) = (window, .max)
    let old = try await Store.open(Payments1(), in: journal, options: options)
    try old.change(.pay(150))
    for number in 0..<200 { try old.change(.note("\(number)")) }
    await old.close()
    await #expect {
      _ = try await Store.open(Payments2(), in: journal, options: options)
    } throws: {
      ($0 as? JournalError)?.code == .refusedAtReplay && ($0 as? JournalError)?.revision == 2
    }
    options.refusedAtReplay = .skip
    let skipping = try await Store.open(Payments2(), in: journal, options: options)
    #expect(skipping.state.total == 0 && skipping.state.notes.count == 200)
    await skipping.close()
  }
}
