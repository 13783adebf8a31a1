import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("The store's edges", .timeLimit(.minutes(20)))
struct EdgeTests {
  private let journal = MemoryJournal()
  private let deaf = StoreOptions.notFollowing

  @Test("a follower that has seen an older version than the look began with is told to look again")
  func lostWakeUp() async throws {
    let store = Store(Board())
    try store.change(.note("1"))
    let followers = Followers<Board>()
    let first = Task { await followers.wait(past: 1, in: store.watch) { _ in false } }
    while !followers.isLooking { await Task.yield() }
    #expect(await followers.wait(past: 0, in: store.watch) { _ in true })
    first.cancel()
    #expect(await first.value == false)
  }

  @Test("a change that requires a commit which is dropped at this very moment is not made")
  func requirementRace() async throws {
    let armed = Lock<DispatchSemaphore?>(nil)
    var options = deaf
    // The store reads the clock after the change was requested and before it is made.
    options.environment.now = {
      armed.withLock { $0 }?.wait()
      return 0
    }
    let first = try await Store.open(Board(), in: journal, options: deaf)
    let simulated = SimulatedJournal(journal)
    let second = try await Store.open(Board(), in: simulated, options: options)
    try await first.change(.put("a", 1)).durable()
    simulated.nextAppends(.hold)
    let lost = try second.change(.put("a", 9))
    await simulated.waitUntilHeld()
    let isDropped = DispatchSemaphore(value: 0)
    armed.withLock { $0 = isDropped }
    async let error: ChangeError<Refusal>? = withCheckedContinuation { continuation in
      Thread {
        do throws(ChangeError<Refusal>) {
          try second.change(.note("on a"), requires: lost)
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error)
        }
      }.start()
    }
    simulated.release()
    await #expect(throws: CommitError<Refusal>.self) { try await lost.durable() }
    isDropped.signal()
    #expect(await error == .requirementDropped)
    armed.withLock { $0 = nil }
    await second.close()
    #expect(second.state.notes.isEmpty)
  }

  @Test("another writer's entry under the store's own origin is read, whatever its sequence", arguments: [Int64.min, -1, 0, .max])
  func ownOrigin(_ sequence: Int64) async throws {
    var options = deaf
    options.environment.origin = { .test(1) }
    let store = try await Store.open(Board(), in: journal, options: options)
    try await store.change(.note("mine")).durable()
    let id = EntryID(origin: .test(1), sequence: sequence)
    let foreign = Entry.Draft(kind: .changes, id: id, time: 0, payload: Data(#"[{"note":{"_0":"theirs"}}]"#.utf8))
    _ = try await journal.append([foreign], after: journal.head())
    try await store.change(.note("mine, too")).durable()
    #expect(store.state.notes == ["mine", "theirs", "mine, too"])
    await store.close()
  }

  @Test("an append that the journal has elsewhere than at the known head is a conflict: what others wrote before it is read")
  func elsewhere() async throws {
    let stray = ScriptedJournal(journal)
    let store = try await Store.open(Board(), in: stray, options: deaf)
    stray.appendTheirsFirst()
    let observed = Lock<[Revision]>([])
    let token = store.observe { record, _ in if let record { observed.withLock { $0.append(record.revision) } } }
    #expect(try await store.change(.note("mine")).confirmed() == 3)
    #expect(store.state.notes == ["theirs", "mine"] && store.revision == 3)
    // A commit is confirmed before the observers are notified.
    while !store.isAtRest { await Task.yield() }
    #expect(observed.withLock { $0 } == [2, 3])
    token.cancel()
    await store.close()
  }

  @Test("a journal that says where an append is and doesn't have it there stops the store")
  func contradiction() async throws {
    let liar = ScriptedJournal(journal)
    let store = try await Store.open(Board(), in: liar, options: deaf)
    liar.answer { answers in
      answers.append = { _, head, _, _ in
        Appended(first: 40, head: Head(journal: head.journal, revision: 40, checksum: head.checksum))
      }
    }
    let commit = try store.change(.note("mine"))
    let error = await #expect(throws: CommitError<Refusal>.self) { try await commit.durable() }
    #expect(error?.description.contains("reported an append at revision") == true)
    #expect(await store.close().count == 1)
  }

  @Test("an empty list of changes is no entry and no step to undo, and its commit is durable already")
  func nothing() async throws {
    let store = try await Store.open(Board(), in: journal, options: deaf)
    try await store.change(.put("a", 1)).durable()
    let commit = try store.change([])
    #expect(try await commit.confirmed() == 2)
    #expect(store.revision == 2)
    #expect(try await journal.head().revision == 2)
    try await store.undo()
    #expect(store.state.values.isEmpty)
    await store.close()
    #expect(throws: ChangeError<Refusal>.closed) { try store.change([]) }
    let memory = Store(Board())
    #expect(try await memory.change([]).confirmed() == 1)
    #expect(memory.revision == 1)
    await #expect(throws: UndoError.nothingToUndo) { try await memory.undo() }
  }

  @Test("a store that has failed ends its streams with the last value, and an observed value says why")
  func failed() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: deaf)
    let broken = JournalError(.failed, journal: "memory", message: "lost its disk.")
    let observed = await store.observed(\.notes.count)
    simulated.nextAppends(.fail(broken))
    var values = store.values(of: \.notes.count).makeAsyncIterator()
    #expect(await values.next() == 0)
    try store.change(.note("x"))
    var last = 0
    while let value = await values.next() { last = value }
    #expect(last == 1)
    #expect(store.status == .failed(broken))
    // The value and the status reach the main actor one by one.
    while await observed.status == .open { await Task.yield() }
    while await observed.value == 0 { await Task.yield() }
    #expect(await observed.status == .failed(broken))
    #expect(await observed.value == 1)
    var later = store.values(of: \.notes.count).makeAsyncIterator()
    #expect(await later.next() == 1)
    #expect(await later.next() == nil)
    await #expect(throws: broken) { try await store.ready() }
    await store.close()
  }

  @Test("an undo whose target the journal doesn't have counts for nothing, and nothing is folded anew for it", arguments: [true, false])
  func absentTarget(isRunning: Bool) async throws {
    var options = deaf
    options.followsOthers = true
    options.undoWindow = 10
    options.snapshotSpacing = 20
    let store = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<500 { try await store.change(.note("\(number)")).durable() }
    await store.close()
    // While it writes, a store makes a snapshot when the one before is finished, which may be late. At an opening none is under way.
    try await Store.open(Board(), in: journal, options: options).close()
    let counting = ScriptedJournal(journal)
    let reader = isRunning ? try await Store.open(Board(), in: counting, options: options) : nil
    let before = counting.entriesRead
    let stranger = EntryID(origin: .test(77), sequence: 5)
    let undo = Entry.Draft(
      kind: .undo, id: EntryID(origin: .test(9), sequence: 1), time: 0, payload: try JournalCoding.encode(Entry.Targets([stranger])))
    _ = try await journal.append([undo], after: journal.head())
    let late = Entry.Draft(kind: .changes, id: stranger, time: 0, payload: Data(#"[{"note":{"_0":"late"}}]"#.utf8))
    _ = try await journal.append([late], after: journal.head())
    let opened: Store<Board>
    if let reader { opened = reader } else { opened = try await Store.open(Board(), in: counting, options: options) }
    while opened.revision < 503 { await Task.yield() }
    #expect(opened.state.notes.count == 501 && opened.state.notes.last == "late")
    #expect(counting.entriesRead - before < 100)
    // An undo before the entry that it names can't revert that entry, whichever code folds the journal.
    try await opened.change(.note("after")).durable()
    try await opened.undo()
    #expect(opened.state.notes.last == "late")
    #expect(try await opened.state(at: 503).notes.last == "late")
    await opened.close()
    let again = try await Store.open(Board(), in: journal, options: options)
    #expect(again.state == opened.state)
    try await Store<Board>.verify(journal)
  }

  @Test("encodes a state that grows by what is written at most once at an opening, and after it", arguments: [3_000])
  func growing(count: Int) async throws {
    let journal = MemoryJournal()
    var options = deaf
    options.snapshotSpacing = .max
    options.undoWindow = 10
    let store = try await Store.open(Growing(), in: journal, options: options)
    for _ in 0..<count { try store.change(.grow) }
    await store.close()
    options.snapshotSpacing = 100
    Growing.encodings.withLock { $0 = 0 }
    let again = try await Store.open(Growing(), in: journal, options: options)
    #expect(again.state.items.count == count)
    await again.close()
    // Its depth is measured by its `encode(to:)`, too.
    #expect(Growing.encodings.withLock { $0 } == 2)
    // While the state grows, the distance between two attempts grows with the written bytes.
    Growing.encodings.withLock { $0 = 0 }
    let growing = try await Store.open(Growing(), in: journal, options: options)
    for number in 0..<count {
      let commit = try growing.change(.grow)
      if number % 50 == 0 { try await commit.durable() }
    }
    await growing.close()
    // One of them is that of the close.
    #expect(Growing.encodings.withLock { $0 } <= 4)
  }
}

/// A state whose JSON is larger than all of its changes. It counts how often it is encoded.
private struct Growing: Journaled, Hashable {
  enum Change: Hashable, Codable { case grow }
  static let encodings = Lock(0)
  private(set) var items: [String] = []

  init() {}
  init(from decoder: any Decoder) throws { items = try decoder.singleValueContainer().decode([String].self) }
  func encode(to encoder: any Encoder) throws {
    Self.encodings.withLock { $0 += 1 }
    var container = encoder.singleValueContainer()
    try container.encode(items)
  }
  mutating func apply(_ change: Change, at stamp: Stamp) { items.append(String(repeating: "x", count: 200)) }
}
