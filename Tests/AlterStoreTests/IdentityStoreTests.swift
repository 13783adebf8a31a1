import Alter
import Testing

@Suite("A store of identities")
struct IdentityStoreTests {
  struct Person: Identifiable, Hashable, Codable, Sendable {
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
    try store.change(.add(jack), .add(Person(id: 2, salary: 50)))
    try store.change(.add(Person(id: 1, salary: 120)))
    #expect(throws: ChangeError<Refusal>.refused(.missing(kind: "Person", id: "3"))) { try store.change(.remove(3)) }
    #expect(store.state.latest(of: jack)?.salary == 120)
    await store.close()

    let again = try await Store.open(IdentityArray<Person>(), in: journal)
    #expect(again.state.all == [Person(id: 1, salary: 120), Person(id: 2, salary: 50)])
    try await again.undo()
    #expect(again.state.latest(of: jack) == jack)
    await again.close()
  }

  @Test("has its elements' schema, or the first")
  func schema() {
    #expect(IdentityArray<Versioned>.schema.version == 3)
    #expect(IdentityArray<Person>.schema.version == 1)
  }
}
