import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("The past", .timeLimit(.minutes(20)))
struct PastTests {
  private var options: StoreOptions {
    var options = StoreOptions.notFollowing
    options.undoWindow = 10
    options.snapshotSpacing = 50
    return options
  }

  /// A store with 400 notes, and an undo now and then.
  private func filled(_ journal: any Journal) async throws -> Store<Board> {
    let store = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<400 {
      try store.change(.note("\(number)"))
      guard number % 25 == 0 else { continue }
      try await store.undo()
      await store.rest()
    }
    try await store.change(.note("end")).durable()
    return store
  }

  @Test("is told entry by entry, from a store and from a journal at rest")
  func entries() async throws {
    let journal = MemoryJournal()
    let store = try await filled(journal)
    var all: [Record<Board>] = []
    try await Store<Board>.entries(in: journal) { all.append($0) }
    for range in [1...1, 1...5, 7...300, 1...store.revision, store.revision...store.revision] as [ClosedRange<Revision>] {
      for records in [try await store.entries(in: range), try await Store<Board>.entries(in: range, of: journal)] {
        #expect(records.map(\.id) == all.filter { range.contains($0.revision) }.map(\.id))
        #expect(records.map(\.revision) == all.filter { range.contains($0.revision) }.map(\.revision))
      }
    }
    for range in [0...3, 3...1_000, -5...1] as [ClosedRange<Revision>] {
      let error = await #expect(throws: JournalError.self) { try await store.entries(in: range) }
      #expect(error?.code == .noSuchRevision)
    }
    await store.close()
  }

  @Test("of a store in memory is told, too, as far as it is kept")
  func memory() async throws {
    let store = Store(Board(), options: options)
    for number in 0..<20 { try store.change(.note("\(number)")) }
    #expect(try await store.entries(in: 1...21).count == 21)
    #expect(try await store.bisect(in: 1...21) { $0.notes.count > 6 } == 8)
    #expect(try await store.scan(in: 1...21) { $0.notes.count > 6 } == 8)
    for number in 0..<500 { try store.change(.note("\(number)")) }
    let error = await #expect(throws: JournalError.self) { try await store.entries(in: 1...21) }
    #expect(error?.code == .noSuchRevision)
  }

  @Test("is bisected in a logarithmic number of states, and scanned for the first turn")
  func bisect() async throws {
    let journal = MemoryJournal()
    let store = try await filled(journal)
    let end = store.revision
    // By definition: the state at every revision.
    var states: [Board] = []
    for number in 1...end.number { states.append(try await store.state(at: Revision(number))) }
    for count in [1, 2, 50, 383] {
      var asked = 0
      let found = try #require(
        try await store.bisect(in: 1...end) { state in
          asked += 1
          return state.notes.count >= count
        })
      #expect(asked <= 2 + 10)
      let place = Int(found.number) - 1
      #expect((states[place].notes.count >= count) != (states[place - 1].notes.count >= count))
      let first = Int64(states.firstIndex { $0.notes.count >= count }! + 1)
      #expect(try await store.scan(in: 1...end) { $0.notes.count >= count } == Revision(first))
      #expect(try await Store<Board>.scan(in: 1...end, of: journal) { $0.notes.count >= count } == Revision(first))
      let again = try await Store<Board>.bisect(in: 1...end, of: journal) { $0.notes.count >= count }
      #expect(again == found)
    }
    // Revision 3 is the first undo. After it there are no notes again.
    #expect(try await store.scan(in: 2...end) { $0.notes.isEmpty } == 3)
    #expect(try await store.bisect(in: 1...end) { _ in true } == nil)
    #expect(try await store.scan(in: 1...end) { _ in true } == nil)
    #expect(try await store.bisect(in: 5...5) { $0.notes.isEmpty } == nil)
    let error = await #expect(throws: JournalError.self) { try await store.bisect(in: 1...end.next) { _ in true } }
    #expect(error?.code == .noSuchRevision)
    await store.close()
  }

  @Test("is scanned across undos that reach far back")
  func scanUndos() async throws {
    let journal = MemoryJournal()
    await (try await Store.open(Board(), in: journal, options: options)).close()
    let origin = Origin.test(9)
    var drafts: [Entry.Draft] = []
    func append(_ kind: Entry.Kind, _ payload: Data) {
      drafts.append(Entry.Draft(kind: kind, id: EntryID(origin: origin, sequence: Int64(drafts.count + 1)), time: 0, payload: payload))
    }
    for number in 0..<3_000 { append(.changes, try JournalCoding.encode([Board.Change.note("\(number)")])) }
    // Far more entries than a scan keeps in memory, from a replica with a wide undo window.
    for target in [2_900, 100, 1_500] as [Int64] {
      append(.undo, try JournalCoding.encode(Entry.Targets([EntryID(origin: origin, sequence: target)])))
    }
    append(.changes, try JournalCoding.encode([Board.Change.note("last")]))
    _ = try await journal.append(drafts, after: journal.head())
    let store = Store<Board>.self
    #expect(try await store.scan(in: 2_950...3_005, of: journal) { $0.notes.count >= 3_000 } == 3_001)
    #expect(try await store.scan(in: 3_001...3_005, of: journal) { $0.notes.count >= 2_999 } == 3_003)
    #expect(try await store.scan(in: 3_002...3_005, of: journal) { $0.notes.contains("1499") } == 3_004)
    #expect(try await store.scan(in: 3_004...3_005, of: journal) { $0.notes.count == 2_998 } == 3_005)
  }

  @Test("is verified as a whole: entries, their types, and that every snapshot is what the entries lead to")
  func verify() async throws {
    let journal = MemoryJournal()
    await (try await filled(journal)).close()
    let head = try await journal.head()
    #expect(try await Store<Board>.verify(journal) == head)
    let places = try await journal.snapshots(upTo: Revision(.max), limit: 10)
    let place = try #require(places.dropFirst().first)
    let snapshot = try #require(try await journal.snapshot(at: place.revision))
    // A valid snapshot with a state that differs from the fold of the entries.
    try await journal.keep(
      Snapshot(
        head: snapshot.head, base: snapshot.base, schema: snapshot.schema, written: snapshot.written,
        payload: Data(#"{"notes":[],"values":{"a":1}}"#.utf8)))
    let error = await #expect(throws: JournalError.self) { try await Store<Board>.verify(journal) }
    #expect(error?.code == .damaged && error?.revision == place.revision)
    #expect(error?.description.contains("wrong snapshot") == true && error?.description.contains("nothing is lost") == true)
    try await journal.removeSnapshot(at: place.revision)
    try await Store<Board>.verify(journal)
    try await Store<Board>.verify(MemoryJournal())
  }

  @Test("differs from the present in what has happened since, identity by identity")
  func difference() async throws {
    let store = Store(IdentityArray<Person>([Person(id: 1, name: "Jack"), Person(id: 2, name: "Jill")]))
    try store.change(.update(Person(id: 1, name: "Jacques")), .remove(2))
    let found = differences(from: try await store.state(at: 1), to: store.state).map(\.description)
    #expect(found == [#"[1].name: "Jack" → "Jacques""#, #"[2]: removed Person(id: 2, name: "Jill")"#])
  }

  struct Person: Identifiable, Hashable, Codable, Alterable {
    let id: Int
    private(set) var name: String
    enum Change: Hashable, Codable { case name(String) }
    mutating func apply(_ change: Change, at stamp: Stamp) { if case .name(let name) = change { self.name = name } }
  }
}
