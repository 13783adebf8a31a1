import Alter
import Foundation
import Testing

@Suite("A store of identities")
struct IdentityStoreTests {
  struct Person: Identifiable, Hashable, Codable, Alterable {
    typealias Change = Never
    let id: Int
    let salary: Int
  }

  /// An element with its own stored form and its own schema.
  struct Versioned: Identifiable, Journaled {
    enum Change: Codable { case nothing }
    static var schema: StateSchema { StateSchema(version: 3) }
    let id: Int
    mutating func apply(_ change: Change, at stamp: Stamp) {}
  }

  @Test("keeps the latest value of every identity, and finds it again in its journal")
  func latest() async throws {
    let journal = MemoryJournal()
    var options = StoreOptions()
    options.keepsJournalOpen = true
    let store = try await Store.open(IdentityArray<Person>(), in: journal, options: options)
    let jack = Person(id: 1, salary: 100)
    try store.change(.put(jack), .put(Person(id: 2, salary: 50)))
    try store.change(.put(Person(id: 1, salary: 120)))
    #expect(throws: ChangeError<Refusal>.refused(.missing(kind: "Person", id: "3"))) { try store.change(.remove(3)) }
    #expect(store.state.latest(jack)?.salary == 120)
    await store.close()

    let again = try await Store.open(IdentityArray<Person>(), in: journal)
    #expect(again.state.all == [Person(id: 1, salary: 120), Person(id: 2, salary: 50)])
    try await again.undo()
    #expect(again.state.latest(jack) == jack)
    await again.close()
  }

  /// A value that knows nothing of Alter.
  struct Plain: Identifiable, Codable, Equatable {
    let id: String
    let salary: Int
  }

  @Test("keeps the latest value of each identity of any type that can be encoded")
  func plain() async throws {
    let journal = MemoryJournal()
    var options = StoreOptions()
    options.keepsJournalOpen = true
    let people = try await IdentityStore<Plain>.open([], in: journal, options: options)
    let (jack, richer, jill) = (Plain(id: "jack", salary: 1), Plain(id: "jack", salary: 2), Plain(id: "jill", salary: 3))
    try people.put(jack)
    try people.put(jill)
    try people.put(richer)
    #expect(people.latest(jack) == richer && people.all() == [richer, jill])
    try await people.remove(jack).durable()
    #expect(people.latest(richer) == nil)
    #expect(throws: ChangeError<Refusal>.refused(.missing(kind: "Plain", id: "jack"))) { try people.remove(jack) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let changes: [IdentityValues<Plain>.Change] = [.put(jack), .remove("jack")]
    #expect(String(decoding: try encoder.encode(changes), as: UTF8.self) == #"[{"put":{"id":"jack","salary":1}},{"remove":"jack"}]"#)
    try await people.undo()
    #expect(people.all() == [richer, jill])
    await people.close()
    let again = try await IdentityStore<Plain>.open([], in: journal)
    #expect(again.all() == [richer, jill] && again.state == [jack, jill, richer])
    await again.close()
  }

  /// An account that refuses to be overdrawn.
  struct Account: Identifiable, Hashable, Codable, Alterable {
    enum Change: Hashable, Codable { case deposit(Int), withdraw(Int) }
    struct Overdrawn: Error, Hashable {}
    let id: Int
    private(set) var balance = 0
    mutating func apply(_ change: Change, at stamp: Stamp) throws(Overdrawn) {
      switch change {
      case .deposit(let amount): balance += amount
      case .withdraw(let amount):
        guard amount <= balance else { throw Overdrawn() }
        balance -= amount
      }
    }
  }

  @Test("changes an element by its own vocabulary: two stores that change it at once lose nothing")
  func elements() async throws {
    let journal = MemoryJournal()
    var options = StoreOptions()
    options.keepsJournalOpen = true
    let first = try await Store.open([Account(id: 1)] as IdentityArray, in: journal, options: options)
    let second = try await Store.open([] as IdentityArray<Account>, in: journal, options: options)
    // None waits for another: each store makes its changes to what it has seen.
    for _ in 1...50 {
      try first.change(1, .deposit(3))
      try second.change(.element(1, .deposit(4)))
    }
    try await first.change(1, .deposit(0)).durable()
    let last = try await second.change(1, .deposit(0)).confirmed()
    #expect(second.state[id: 1]?.balance == 350)
    #expect(throws: ChangeError<Refusal>.refused(.missing(kind: "Account", id: "2"))) { try first.change(2, .deposit(1)) }
    #expect(throws: ChangeError<Refusal>.refused(.custom(code: "refused", message: "Overdrawn()"))) { try first.change(1, .withdraw(351)) }
    try await second.undo()
    await first.close()
    await second.close()
    let again = try await Store.open([] as IdentityArray<Account>, in: journal, options: options)
    #expect(try await again.state(at: last)[id: 1]?.balance == 350)
    try again.remove(Account(id: 1))
    #expect(again.state.isEmpty)
    await again.close()
  }

  @Test("has its elements' schema, or the first")
  func schema() {
    #expect(IdentityArray<Versioned>.schema.version == 3)
    #expect(IdentityArray<Person>.schema.version == 1)
  }
}
