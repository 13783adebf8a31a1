import Alter
import AlterCore
import AlterTesting
import Foundation
import Testing

@testable import AlterStore

@Suite("Stored data of older generations", .timeLimit(.minutes(20)))
struct SchemaTests {
  private let options = StoreOptions.sharedJournal

  private func fixture(_ generation: Int) async throws -> MemoryJournal {
    let journal = MemoryJournal()
    try await journal.import(Data(contentsOf: LedgerHistory.fixture(generation)), from: "generation-\(generation).jsonl")
    return journal
  }

  @Test("is written today as it was when the fixtures were made", arguments: 1...3)
  func format(generation: Int) async throws {
    let today = try await LedgerHistory.export(LedgerHistory.journal(after: generation))
    #expect(today == (try Data(contentsOf: LedgerHistory.fixture(generation))))
  }

  @Test("opens, replays and equals what the older versions of the app saw, fresh ids included")
  func generations() async throws {
    // The state of each generation, computed by its own code.
    let first = try await Store.open(Ledger1(), in: fixture(1)).state
    #expect(first.lines.map(\.text) == ["rent", "bread"] && first.total == 10)
    let second = try await Store.open(Ledger2(), in: fixture(2)).state
    #expect(second.entries.map(\.text) == ["rent", "bread", "tea", "cake", "milk", "jam"] && second.total == 116)
    #expect(Array(second.entries.prefix(2)) == first.lines)
    #expect(Set(second.entries.map(\.id)).count == 6)

    // The current code, on each of the journals.
    let present = [try await fixture(1), try await fixture(2), try await fixture(3)]
    let oldest = try await Store.open(Ledger3(), in: present[0]).state
    #expect(oldest.entries == first.lines && oldest.total == 10 && oldest.currency == "EUR")
    let older = try await Store.open(Ledger3(), in: present[1]).state
    #expect(older.entries == second.entries && older.total == 116)
    let newest = try await Store.open(Ledger3(), in: present[2]).state
    #expect(newest.entries.dropLast() == second.entries[...] && newest.entries.last?.text == "after")
    // An addition counts twice since generation 3, and once before.
    #expect(newest.total == 116 + 2_000 && newest.currency == "CHF")
    for journal in present {
      for revision in 1...(try await journal.head().revision.number) {
        let past = try await Store<Ledger3>.state(at: Revision(revision), in: journal)
        if revision <= 6 { #expect(past.entries == (try await Store<Ledger1>.state(at: Revision(revision), in: fixture(1))).lines) }
      }
    }
  }

  @Test("stays as it is: entries are upgraded when they are read, and go on being undoable")
  func neverRewritten() async throws {
    let journal = try await fixture(2)
    let before = try await journal.entries(after: .zero, limit: 100)
    let store = try await Store.open(Ledger3(), in: journal, options: options)
    try await store.change(.add(1)).durable()
    #expect(store.state.total == 118)
    try await store.undo()
    try await store.undo()
    #expect(store.state.total == 16)
    await store.close()
    let after = try await journal.entries(after: .zero, limit: 100)
    #expect(Array(after.prefix(before.count)) == before)
    #expect(after.map(\.schema) == before.map(\.schema) + [3, 3, 3])
  }

  @Test("snapshots of it are passed over with a report, and removed when others are made after an entry that the older version can't read")
  func snapshots() async throws {
    let journal = MemoryJournal()
    var often = options
    often.undoWindow = 2
    often.snapshotSpacing = 5
    let old = try await Store.open(Ledger2(), in: journal, options: often)
    for number in 0..<40 {
      try await old.change(.add(number)).durable()
      await old.rest()
    }
    await old.close()
    #expect(try await journal.snapshots(upTo: 100, limit: 100).count > 3)
    let new = try await Store.open(Ledger3(), in: journal, options: often)
    #expect(new.state.total == 780)
    for _ in 0..<10 {
      try await new.change(.add(1)).durable()
      await new.rest()
    }
    await new.close()
    var problems: [String] = []
    for await problem in new.problems { problems.append(problem.description) }
    #expect(problems.count == 1)
    #expect(problems.first?.contains("It has schema 2, but this version of the app writes schema 3.") == true)
    let places = try await journal.snapshots(upTo: 100, limit: 100)
    #expect(!places.isEmpty && places.allSatisfy { $0.schema == 3 })
    #expect(try await Store.open(Ledger3(), in: journal, options: often).state.total == 800)
  }

  @Test("of a newer generation is refused, with an error that says so, and can be read without its types")
  func newer() async throws {
    let journal = try await fixture(3)
    let before = try await journal.head()
    let error = await #expect(throws: JournalError.self) { try await Store.open(Ledger2(), in: journal, options: options) }
    #expect(error?.code == .newerSchema && error?.revision == 11)
    #expect(error?.description.contains("revision 11 has schema 3, and this version knows schemas up to 2") == true)
    #expect(try await journal.head() == before)
    var changes: [JSONValue] = []
    for entry in try await journal.entries(after: .zero, limit: 100) where entry.kind == .changes { changes.append(try entry.json()) }
    #expect(changes.last == [["add": ["_0": 1_000]], ["pay": ["_0": "CHF"]]])
    #expect(try await journal.entries(after: 10, limit: 1).first?.wholeJSON["payload"]?[1]?["pay"]?["_0"]?.text == "CHF")
  }

  @Test("a running old process that meets a newer entry fails what is pending, goes read-only, and says why")
  func running() async throws {
    let journal = MemoryJournal()
    let old = try await Store.open(Ledger2(), in: journal, options: options)
    try await old.change(.add(1)).durable()
    let new = try await Store.open(Ledger3(), in: journal, options: options)
    try await new.change(.add(2)).durable()
    // The store detects it by reading or by a conflict.
    await #expect(throws: (any Error).self) {
      while true { try await old.change(.add(4)).durable() }
    }
    guard case .failed(let error) = old.status else {
      Issue.record("the old process goes on")
      return
    }
    #expect(error.code == .newerSchema)
    #expect(old.confirmed.state.total == 1)
    #expect(throws: ChangeError<Never>.self) { try old.change(.add(8)) }
    await old.close()
    await new.close()
  }

  @Test("that a migration can't read is an error that names the revision and the migration")
  func failing() async throws {
    struct Broken: Journaled {
      struct Trouble: Error, CustomStringConvertible { let description = "the amount is missing" }
      enum Change: Hashable, Codable { case add(Int) }
      var total = 0
      static var schema: StateSchema { StateSchema(version: 2, migrations: [Migration(from: 1, to: 2, change: { _ in throw Trouble() })]) }
      mutating func apply(_ change: Change, at stamp: Stamp) {}
    }
    let journal = try await fixture(1)
    let error = await #expect(throws: JournalError.self) { try await Store.open(Broken(), in: journal) }
    #expect(error?.code == .undecodable && error?.revision == 2)
    #expect(error?.description.contains("its migration from schema 1 to 2 fails: the amount is missing") == true)
  }

  @Test("is read through chains of migrations, whatever it skips, and gives each change an index that later migrations keep")
  func chains() throws {
    let schema = StateSchema(
      version: 6,
      migrations: [
        Migration(from: 1, to: 3, change: { [$0, "second"] }),
        Migration(from: 4, to: 5, change: { $0 == "gone" ? [] : [$0] }),
      ])
    #expect(schema.readsAsIs(6) && schema.readsAsIs(5) && !schema.readsAsIs(4) && !schema.readsAsIs(2) && !schema.readsAsIs(-3))
    let fromFirst = try schema.upgrade(changes: ["a", "gone", "b"], from: 1)
    #expect(fromFirst.changes == ["a", "second", "second", "b", "second"])
    #expect(Set(fromFirst.indices).count == 5)
    #expect(fromFirst.indices[0] == 0 && fromFirst.indices[3] == 2 && fromFirst.indices[1] > 1 << 60)
    let direct = try StateSchema(version: 3, migrations: [Migration(from: 1, to: 3, change: { [$0, "second"] })]).upgrade(
      changes: ["a"], from: 1)
    #expect(direct.indices == Array(fromFirst.indices[..<2]))
    #expect(try schema.upgrade(changes: ["gone", "b"], from: 2).indices == [1])
  }
}
