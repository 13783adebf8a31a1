import Alter
import AlterSQLite
import Foundation
import ProcessTesting
import Testing

/// The guides "Undo and time travel", "Evolving your schema" and "Several processes and machines".
enum HistoryGuide {
  struct Sheet: Journaled, Hashable {
    enum Change: Hashable, Codable { case set(String, Int), clear(String) }

    private(set) var cells: [String: Int] = [:]

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .set(let name, let value): cells[name] = value
      case .clear(let name):
        guard cells.removeValue(forKey: name) != nil else { throw .missing("cell", name) }
      }
    }
  }

  // snippet: schema-old
  struct Counter1: Journaled, Hashable {
    enum Change: Hashable, Codable { case add(Int) }
    private(set) var count = 0

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .add(let amount): count += amount
      }
    }
  }
  // end

  // snippet: schema-new
  struct Counter2: Journaled, Hashable {
    enum Change: Hashable, Codable { case add(Int), addExactly(Int) }
    private(set) var total = 0

    static var schema: StateSchema {
      StateSchema(
        version: 2,
        migrations: [
          // Version 2 renames "count" to "total", and "add" begins to round to tens. Older additions keep their meaning under a new name.
          Migration(
            from: 1, to: 2, state: { $0.renaming("count", to: "total") }, change: { [$0.renaming("add", to: "addExactly")] })
        ])
    }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .add(let amount): total += (amount + 5) / 10 * 10
      case .addExactly(let amount): total += amount
      }
    }
  }
  // end

  // snippet: schema-dropped
  struct KeepingSheet: Journaled, Hashable {
    enum Change: Hashable, Codable { case set(String, Int) }

    private(set) var cells: [String: Int] = [:]

    static var schema: StateSchema {
      // Version 2 has no change 'clear'. What version 1 cleared is there again.
      StateSchema(version: 2, migrations: [Migration(from: 1, to: 2, change: { $0["clear"] == nil ? [$0] : [] })])
    }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .set(let name, let value): cells[name] = value
      }
    }
  }
  // end

  @Alterable struct Book1: Identifiable, Hashable {
    let id: Int
    @Default("") let title: String
    @Default("") let draft: String
  }

  @Alterable struct Shelf1: Hashable {
    @Each let books: IdentityArray<Book1>
  }

  @Alterable struct Book2: Identifiable, Hashable {
    let id: Int
    @Default("") let title: String
  }

  @Alterable struct Shelf2: Hashable {
    static let schema = StateSchema(
      version: 2,
      migrations: [
        // snippet: schema-removed
        Migration(from: 1, to: 2, change: { $0["book"]?["change"]?["draft"] == nil ? [$0] : [] })
        // end
      ])
    @Each let books: IdentityArray<Book2>
  }

  struct Account: Journaled, Hashable {
    enum Change: Hashable, Codable { case add(Int) }
    private(set) var total = 0
    private(set) var currency = "EUR"

    private static let withCurrency = Migration(
      from: 2, to: 3,
      state: { state in
        var state = state
        state["currency"] = "EUR"
        return state
      })

    static var schema: StateSchema {
      // snippet: schema-snapshots
      StateSchema(version: 3, migrations: [withCurrency], snapshotsFrom: 2)
      // end
    }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .add(let amount): total += amount
      }
    }
  }

  // snippet: schema-stricter
  struct Payments: Journaled, Hashable {
    enum Change: Hashable, Codable { case pay(Int), payUnchecked(Int) }
    typealias Failure = Refusal
    private(set) var total = 0

    static var schema: StateSchema {
      // Version 2 limits a payment to 100. Older payments are still counted.
      StateSchema(version: 2, migrations: [Migration(from: 1, to: 2, change: { [$0.renaming("pay", to: "payUnchecked")] })])
    }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .pay(let amount):
        guard amount <= 100 else { throw .custom("A payment is at most 100.") }
        total += amount
      case .payUnchecked(let amount): total += amount
      }
    }
  }
  // end

  @Suite("The guides on history")
  struct Tests {
    @Test("undo and time travel")
    func undo() async throws {
      let journal = MemoryJournal()
      // snippet: undo-basics
      let store = try await Store.open(Sheet(), in: journal)
      try store.change(.set("a", 1))
      try store.change(.set("b", 2), .set("c", 3))  // one batch: one step of undo

      try await store.undo()  // b and c are gone
      try await store.undo()  // and a
      try await store.redo()  // a is back
      // end
      #expect(store.state.cells == ["a": 1])
      #expect(store.revision == 6)

      // snippet: undo-travel
      let then = try await store.state(at: 3)  // with a, b and c: before anything was undone
      for record in try await store.entries(in: 1...store.revision) {
        print(record.revision, record.time, record.summary())
      }
      // end
      #expect(then.cells.count == 3)

      // snippet: undo-bisect
      try await store.change(.set("a", -1)).durable()  // in the journal, where bisect looks
      let turned = try await store.bisect(in: 1...store.revision) { $0.cells.values.contains { $0 < 0 } }
      // end
      #expect(turned == 7)

      // snippet: undo-own-work
      let commit = try store.change(.set("d", 4))
      try store.change([.set("e", 5)], requires: commit)  // dropped with it, should it be dropped
      // end
      await store.close()
    }

    @Test("a schema that evolved")
    func schema() async throws {
      let journal = MemoryJournal()
      var options = StoreOptions()
      options.keepsJournalOpen = true
      let old = try await Store.open(Counter1(), in: journal, options: options)
      try await old.change(.add(7)).durable()
      await old.close()
      // snippet: schema-open
      let store = try await Store.open(Counter2(), in: journal)  // what 1 wrote, read as 2
      try store.change(.add(7))
      // end
      #expect(store.state.total == 17)
      await store.close()
    }

    @Test("a stricter check keeps what was paid before")
    func stricter() async throws {
      let journal = MemoryJournal()
      var draft = Entry.Draft(
        kind: .initial, id: EntryID(origin: .random(), sequence: 1), time: 0, payload: Data(#"{"total":0}"#.utf8))
      var head = try await journal.append([draft], after: journal.head()).head
      draft = Entry.Draft(
        kind: .changes, id: EntryID(origin: .random(), sequence: 2), time: 0, payload: Data(#"[{"pay":{"_0":150}}]"#.utf8))
      head = try await journal.append([draft], after: head).head
      let store = try await Store.open(Payments(), in: journal)
      #expect(store.state.total == 150 && head.revision == 2)
      #expect(throws: ChangeError<Refusal>.self) { try store.change(.pay(150)) }
      await store.close()
    }

    @Test("an older state gets a currency")
    func currency() async throws {
      let journal = MemoryJournal()
      let draft = Entry.Draft(
        kind: .initial, id: EntryID(origin: .random(), sequence: 1), time: 0, schema: 2, payload: Data(#"{"total":5}"#.utf8))
      _ = try await journal.append([draft], after: journal.head())
      let store = try await Store.open(Account(), in: journal)
      #expect(store.state.total == 5 && store.state.currency == "EUR")
      await store.close()
    }

    @Test("scopes of an undo")
    func scopes() async throws {
      let journal = MemoryJournal()
      // snippet: history-scopes
      var options = StoreOptions()
      options.scope = "ada"  // Ada's changes, on all her devices; or .perProcess, this process alone
      let store = try await Store.open(Sheet(), in: journal, options: options)
      try store.change(.set("a", 1))  // in the scope of the store
      try store.change(.set("total", 5), scope: .never)  // no step of any undo, and it clears no redo
      try await store.undo()  // a is gone, total stays
      // end
      #expect(store.state.cells == ["total": 5])
      await store.close()
    }

    @Test("a migration that drops a change leaves its entry without an effect")
    func dropped() async throws {
      let journal = MemoryJournal()
      var options = StoreOptions()
      options.keepsJournalOpen = true
      let old = try await Store.open(Sheet(), in: journal, options: options)
      try old.change(.set("a", 1))
      try await old.change(.clear("a")).durable()
      await old.close()
      let store = try await Store.open(KeepingSheet(), in: journal)
      #expect(store.state.cells == ["a": 1] && store.revision == 3)
      guard case .changes(let changes) = try #require(await store.entries(in: 3...3).first).kind else {
        Issue.record("the entry has another kind")
        return
      }
      #expect(changes.isEmpty)
      await store.close()
    }

    @Test("a migration drops the changes of a property that was removed")
    func removed() async throws {
      let journal = MemoryJournal()
      var options = StoreOptions()
      options.keepsJournalOpen = true
      let old = try await Store.open(Shelf1(), in: journal, options: options)
      try old.change(.add(.book(Book1(id: 1, title: "Dune", draft: "Sand"))))
      try old.change(.book(1, .draft("Spice")))
      try await old.change(.book(1, .title("Dune Messiah"))).durable()
      await old.close()
      let store = try await Store.open(Shelf2(), in: journal)
      #expect(store.state.books[id: 1]?.title == "Dune Messiah")
      await store.close()
    }

    @Test("an export of an older schema is a fixture")
    func fixture() async throws {
      let source = MemoryJournal()
      var options = StoreOptions()
      options.keepsJournalOpen = true
      let old = try await Store.open(Counter1(), in: source, options: options)
      try await old.change(.add(10)).durable()
      await old.close()
      var fixture = Data()
      _ = try await source.export { fixture += $0 }
      // snippet: schema-fixture
      let journal = MemoryJournal()
      try await journal.import(fixture)
      let store = try await Store.open(Counter2(), in: journal)
      #expect(store.state.total == 10)
      try await Store<Counter2>.verify(journal)
      // end
      await store.close()
    }

    @Test("two stores on one file")
    func processes() async throws {
      let folder = try Folder()
      let path = folder.path("sheet.db")
      // snippet: processes-open
      let mine = try await Store.open(Sheet(), in: SQLiteJournal(at: path))
      let theirs = try await Store.open(Sheet(), in: SQLiteJournal(at: path))  // in another process, as a rule

      try await mine.change(.set("a", 1)).durable()
      try await theirs.change(.set("b", 2)).durable()  // made again on top of what the other wrote
      for await cells in mine.values(of: { $0.cells }) where cells == ["a": 1, "b": 2] { break }
      // end

      // snippet: processes-dropped
      try await mine.change(.clear("a")).durable()
      do {
        let commit = try theirs.change(.clear("a"))  // it may not know yet that a is gone …
        try await commit.durable()
      } catch let error as ChangeError<Refusal> {
        print(error)  // … or it does, and refuses at once
      } catch let error as CommitError<Refusal> {
        print(error)  // … Another writer committed first, and then the state refused the change: There is no cell 'a'.
      }
      // end
      await mine.close()
      await theirs.close()
    }
  }
}
