import Alter
import AlterStore
import AlterTesting
import Foundation
import StoreTesting
import Testing

/// Accounts with a transfer that withdraws before it deposits, so that a refusal comes midway.
struct Bank: Journaled, Hashable {
  enum Change: Hashable, Codable {
    case open(String, Int)
    case deposit(String, Int)
    case transfer(Int, from: String, to: String)
    case close(String)
  }
  typealias Failure = Refusal

  private(set) var accounts: [String: Int] = [:]

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .open(let name, let amount): accounts[name] = amount
    case .deposit(let name, let amount):
      guard accounts[name] != nil else { throw .missing("account", name) }
      accounts[name, default: 0] += amount
    case .transfer(let amount, let source, let target):
      accounts[source, default: 0] -= amount
      try apply(.deposit(target, amount), at: stamp)
    case .close(let name): accounts[name] = nil
    }
  }
}

@Suite("A change that is refused after it has changed something")
struct AtomicityTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.notFollowing
  private let impossible = Bank.Change.transfer(60, from: "jack", to: "nobody")

  @Test("leaves nothing behind in memory, alone and in a batch, also when many changes were made before", arguments: [0, 3, 200])
  func memory(count: Int) throws {
    let store = Store(Bank())
    try store.change(.open("jack", 100))
    for _ in 0..<count { try store.change(.deposit("jack", 1)) }
    let before = store.state
    #expect(throws: ChangeError.refused(Refusal.missing("account", "nobody"))) { try store.change(impossible) }
    #expect(store.state == before)
    #expect(throws: ChangeError<Refusal>.self) { try store.change(.deposit("jack", 5), impossible) }
    #expect(store.state == before)
    try store.change(.deposit("jack", 1))
    #expect(store.state.accounts == ["jack": 101 + count])
  }

  @Test("leaves nothing behind in memory after an undo")
  func memoryUndone() async throws {
    let store = Store(Bank())
    try store.change(.open("jack", 100))
    try store.change(.deposit("jack", 7))
    try await store.undo()
    #expect(throws: ChangeError<Refusal>.self) { try store.change(impossible) }
    #expect(store.state.accounts == ["jack": 100])
  }

  @Test("leaves nothing behind over pending work, in what is written and in what is opened again")
  func pending() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Bank(), in: simulated, options: shared)
    simulated.nextAppends(.hold)
    try store.change(.open("jack", 100))
    await simulated.waitUntilHeld()
    try store.change(.deposit("jack", 1))
    #expect(throws: ChangeError<Refusal>.self) { try store.change(impossible) }
    #expect(store.state.accounts == ["jack": 101])
    simulated.release()
    try await store.change(.deposit("jack", 1)).durable()
    #expect(store.confirmed.state.accounts == ["jack": 102])
    await store.close()
    #expect(try await Store.open(Bank(), in: journal, options: shared).state.accounts == ["jack": 102])
  }

  @Test("leaves nothing behind over pending undos and over more pending work than one append takes")
  func pendingUndo() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Bank(), in: simulated, options: shared)
    simulated.nextAppends(.hold)
    try store.change(.open("jack", 100))
    await simulated.waitUntilHeld()
    for _ in 0..<6_000 { try store.change(.deposit("jack", 1)) }
    #expect(throws: ChangeError<Refusal>.self) { try store.change(impossible) }
    #expect(store.state.accounts == ["jack": 6_100])
    try store.change(.deposit("jack", 1_000))
    async let undone = store.undo()
    for await value in store.values(of: { $0.accounts["jack"] }) where value == 6_100 { break }
    #expect(throws: ChangeError<Refusal>.self) { try store.change(impossible) }
    #expect(store.state.accounts == ["jack": 6_100])
    simulated.release()
    _ = try await undone
    await store.close()
    #expect(store.confirmed.state.accounts == ["jack": 6_100])
  }

  @Test("is dropped at a rebase without a trace")
  func rebase() async throws {
    let first = try await Store.open(Bank(), in: journal, options: shared)
    try await first.change(.open("jack", 100), .open("jill", 0)).durable()
    let second = try await Store.open(Bank(), in: journal, options: shared)
    try await first.change(.close("jill")).durable()
    let lost = try second.change(.transfer(60, from: "jack", to: "jill"))
    let kept = try second.change(.deposit("jack", 1))
    await #expect(throws: CommitError.dropped(Refusal.missing("account", "jill"))) { try await lost.durable() }
    try await kept.durable()
    #expect(second.state.accounts == ["jack": 101] && second.confirmed.state == second.state)
  }

  @Test("is suppressed by an undo without a trace, in the store, in the past and in what is opened again")
  func undo() async throws {
    // The undo reverts the creation of the account to which a later transfer of another scope deposits.
    var other = shared
    other.scope = "other"
    let first = try await Store.open(Bank(), in: journal, options: shared)
    try await first.change(.open("jack", 100)).durable()
    let opening = try first.change(.open("jill", 0))
    try await opening.durable()
    let second = try await Store.open(Bank(), in: journal, options: other)
    try await second.change(.transfer(60, from: "jack", to: "jill")).durable()
    // A store refuses such an undo. If another writer has put one into the journal, it counts all the same.
    let draft = Entry.Draft(
      kind: .undo, id: EntryID(origin: .test(9), sequence: 1), time: 0,
      payload: try JournalCoding.encode(Entry.Targets([opening.id])))
    _ = try await journal.append([draft], after: journal.head())
    let again = try await Store.open(Bank(), in: journal, options: shared)
    #expect(again.state.accounts == ["jack": 100])
    try await again.change(.deposit("jack", 1)).durable()
    #expect(try await again.state(at: 5).accounts == ["jack": 100])
    #expect(try await again.state(at: 4).accounts == ["jack": 40, "jill": 60])
    _ = try? await second.change(.deposit("jack", 1)).durable()
    #expect(second.state.accounts == ["jack": 102])
  }
}
