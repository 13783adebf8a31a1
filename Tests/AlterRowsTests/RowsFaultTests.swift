#if SQLite && Macros
  import Alter
  import AlterRows
  import AlterSQLite
  import AlterTesting
  import Foundation
  import GRDB
  import ProcessTesting
  import RowsModel
  import Testing

  @Suite("Law 7: a failing rows database changes no answer of the store", .timeLimit(.minutes(20)))
  struct RowsFaultTests {
    @Test("locked by another connection: the store goes on, and the rows follow afterwards")
    func locked() async throws {
      try await withRows { store, pool, folder in
        let rows = try await Rows(store, pool)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.path("rows.db"), configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        try await store.change(.insert(Card(1), at: 0)).durable()
        await status(of: rows) { if case .waiting = $0 { true } else { false } }
        #expect(store.status == .open && store.state.cards.count == 1)
        await #expect(throws: DatabaseError.self) { try await rows.seen() }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await rows.seen() == Seen(store.state, at: store.revision))
        await status(of: rows) { if case .current = $0 { true } else { false } }
        try other.close()
        await rows.close()
        guard case .closed = rows.status else { return #expect(Bool(false)) }
        await #expect(throws: RowsError.closed) { try await rows.seen() }
      }
    }

    @Test("full: the store goes on, no row is torn, and the rows follow when there is room")
    func full() async throws {
      try await withRows { store, pool, _ in
        let rows = try await Rows(store, pool)
        let empty = try await rows.seen()
        try await pool.write { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        let text = String(repeating: "long ", count: 20_000)
        for id in 0..<5 { try await store.change(.insert(Card(id, text), at: 0)).durable() }
        await status(of: rows) { if case .waiting = $0 { true } else { false } }
        await #expect(throws: DatabaseError.self) { try await rows.seen() }
        #expect(try await pool.read { try Seen($0) } == empty)
        try await pool.write { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        #expect(try await rows.seen() == Seen(store.state, at: store.revision))
        await rows.close()
      }
    }

    @Test("deleted, closed or read-only: the store goes on")
    func gone() async throws {
      try await withRows { store, pool, folder in
        let rows = try await Rows(store, pool)
        for name in folder.contents where name.hasPrefix("rows.db") { try FileManager.default.removeItem(atPath: folder.path(name)) }
        try await store.change(.insert(Card(1), at: 0)).durable()
        _ = try? await rows.seen()
        await rows.close()
        var configuration = Configuration()
        configuration.readonly = true
        let fresh = try folder.pool()
        let again = try await Rows(store, fresh)
        #expect(try await again.seen() == Seen(store.state, at: store.revision))
        try fresh.close()
        try await store.change(.insert(Card(2), at: 0)).durable()
        await #expect(throws: (any Error).self) { try await again.seen() }
        await again.close()
        let readOnly = try await Rows(store, DatabaseQueue(path: folder.path("rows.db"), configuration: configuration))
        await #expect(throws: (any Error).self) { try await readOnly.seen() }
        await readOnly.close()
        #expect(store.status == .open)
      }
    }

    @Test(
      "hostile: tables, triggers and places that something else has written lead to the rows of the state",
      arguments: [
        "DROP TABLE card", "DELETE FROM card", "DELETE FROM card WHERE id = 3", "UPDATE card SET position = 7",
        "UPDATE card SET position = -9223372036854775807 - 1", "UPDATE card SET id = 'x' || id",
        "UPDATE label SET parent = 99 WHERE parent = 2",
        "CREATE TRIGGER t AFTER UPDATE ON card BEGIN DELETE FROM card; END",
        "CREATE UNIQUE INDEX u ON card (isDone) WHERE title LIKE 'new%'",
        "ALTER TABLE card ADD COLUMN more ANY", "DROP INDEX card_by_position", "DROP TABLE card_search",
        "DROP TABLE card_search; CREATE TABLE card_search (title, notes)", "DROP TABLE card; CREATE VIEW card AS SELECT 1",
        "DROP TABLE alter_rows", "DELETE FROM alter_rows", "UPDATE alter_rows SET declaration = 'x', journal = x'00', revision = NULL",
        "UPDATE alter_rows SET revision = 9223372036854775807", "UPDATE alter_rows SET checksum = zeroblob(16)",
        "UPDATE alter_rows SET revision = 2", "UPDATE alter_rows SET revision = -5", "UPDATE alter_rows SET version = NULL",
        "UPDATE alter_rows SET journal = zeroblob(16)", "UPDATE alter_rows SET journal = NULL, checksum = NULL",
        "INSERT INTO card (id, position) VALUES (100, 5)", "INSERT INTO card_search (card_search) VALUES ('delete-all')",
      ])
    func hostile(sql: String) async throws {
      try await withRows { store, pool, _ in
        for whileOpen in [false, true] {
          if !store.state.cards.isEmpty { try store.change(.replace([])) }
          var rows = try await Rows(store, pool)
          for id in 1...8 { try store.change(.insert(Card(id, "card \(id)", labels: [Tag("a"), Tag("b")]), at: 0)) }
          try await store.change(.move(1, to: 7)).durable()
          _ = try await rows.seen()
          if !whileOpen { await rows.close() }
          try await pool.write { try $0.execute(sql: sql) }
          if !whileOpen { rows = try await Rows(store, pool) }
          // Changes that touch each row, and the order of each.
          for id in 1...8 {
            try store.change(.update(Card(id, "new \(id)", isDone: id < 5, labels: [Tag("b", weight: 2)])))
            try store.change(.move(id, to: 7))
          }
          try await store.change(.insert(Card(100, "hundred"), at: 3)).durable()
          #expect(try await rows.seen() == Seen(store.state, at: store.revision), "\(sql), open: \(whileOpen)")
          // An index of FTS5 that was emptied is found, and made again by hand alone.
          if !sql.contains("delete-all") { try await rows.verify() }
          await rows.close()
          try await pool.write {
            try $0.execute(sql: "DROP TABLE alter_rows; DROP TABLE card_search; DROP TABLE card; DROP TABLE label; DROP TABLE total")
          }
        }
      }
    }

    @Test("verify() finds a row that something else has changed, added or removed, with its table and its key")
    func verification() async throws {
      try await withRows { store, pool, _ in
        let rows = try await Rows(store, pool)
        for id in 1...3 { try await store.change(.insert(Card(id, "card \(id)", labels: [Tag("a")]), at: 0)).durable() }
        for (sql, undo, table, key) in [
          ("UPDATE card SET title = 'x' WHERE id = 2", "UPDATE card SET title = 'card 2' WHERE id = 2", "card", "2"),
          ("UPDATE card SET isDone = 0.5 WHERE id = 2", "UPDATE card SET isDone = 0 WHERE id = 2", "card", "2"),
          ("UPDATE label SET id = 'b' WHERE parent = 3", "UPDATE label SET id = 'a' WHERE parent = 3", "label", "3, a"),
          ("INSERT INTO total VALUES (9, 'x', 0, 1)", "DELETE FROM total WHERE name = 'x'", "total", ""),
          ("UPDATE card SET position = position * -1", "UPDATE card SET position = position * -1", "card", "2"),
          (
            "INSERT INTO card_search (rowid, title) VALUES (1, 'more')",
            "INSERT INTO card_search (card_search, rowid, title) VALUES ('delete', 1, 'more')", "card", ""
          ),
        ] {
          try await rows.verify()
          try await pool.write { try $0.execute(sql: sql) }
          do {
            try await rows.verify()
            Issue.record("\(sql) was not found")
          } catch RowsError.differs(let found, let foundKey, _) { #expect(found == table && foundKey == key, "\(sql)") }
          try await pool.write { try $0.execute(sql: undo) }
        }
        await rows.close()
      }
    }

    @Test("a table of the app's own is not replaced")
    func nameTaken() async throws {
      try await withRows { store, pool, _ in
        try await pool.write { try $0.execute(sql: "CREATE TABLE Label (x); INSERT INTO Label VALUES (1)") }
        await #expect(throws: RowsError.nameTaken("label")) { try await Rows(store, pool) }
        #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT x FROM Label") } == 1)
        #expect(try await pool.read { try $0.tableExists("card") } == false)
      }
    }

    @Test("rows of another name keep their tables")
    func names() async throws {
      try await withRows { store, pool, _ in
        try await store.change(.insert(Card(1, "one"), at: 0)).durable()
        let rows = try await Rows(store, pool)
        let other = Store(Board())
        await #expect(throws: RowsError.nameTaken("total")) {
          try await Rows(of: other, in: pool, name: "other", version: 1, tables: Board.tables)
        }
        let beside = try await Rows(of: other, in: pool, name: "other", version: 1) { RowTable("note", each: \.cards, columns: ["notes"]) }
        try other.change(.insert(Card(2, notes: "two"), at: 0))
        #expect(try await beside.read { try String.fetchAll($0, sql: "SELECT notes FROM note") } == ["two"])
        try await beside.verify()
        try await rows.verify()
        await beside.close()
        await rows.close()
      }
    }

    @Test("another declaration of a version, and a higher version, make the rows again; tables that are no longer declared go")
    func declarations() async throws {
      try await withRows { store, pool, _ in
        try store.change(.insert(Card(1, "one"), at: 0))
        let first = try await Rows(store, pool)
        await first.close()
        for version in [1, 2] {
          let rows = try await Rows(of: store, in: pool, version: version) {
            RowTable("card", each: \.cards, columns: version == 1 ? ["title"] : ["notes"])
          }
          try await rows.verify()
          #expect(
            try await pool.read { try $0.columns(in: "card").map(\.name) } == ["row", "id", "position", version == 1 ? "title" : "notes"])
          #expect(try await pool.read { try $0.tableExists("label") } == false)
          #expect(try await pool.read { try $0.tableExists("card_search") } == false)
          await rows.close()
        }
      }
    }

    @Test("a compaction beyond the place makes the rows again")
    func compaction() async throws {
      try await withRows { store, pool, folder in
        let rows = try await Rows(store, pool)
        for id in 0..<10 { try await store.change(.insert(Card(id), at: 0)).durable() }
        _ = try await rows.seen()
        await rows.close()
        for id in 10..<40 { try await store.change(.insert(Card(id), at: 0)).durable() }
        try await store.compact(keeping: .last(5))
        await store.close()
        let again = try await folder.store()
        let later = try await Rows(again, pool)
        #expect(try await later.seen() == Seen(again.state, at: again.revision))
        try await later.verify()
        await later.close()
        await again.close()
      }
    }

    @Test("a store that does not follow other writers reads on when the rows are ahead of it")
    func ahead() async throws {
      try await withRows { store, pool, folder in
        var options = StoreOptions()
        options.followsOthers = false
        let lone = try await Store.open(Board(), in: SQLiteJournal(at: folder.path("board.alter")), options: options)
        let rows = try await Rows(store, pool)
        for id in 1...3 { try await store.change(.insert(Card(id), at: 0)).durable() }
        let seen = try await rows.seen()
        #expect(lone.revision == 1)
        let mine = try await Rows(lone, pool)
        #expect(lone.revision == 4)
        #expect(try await mine.seen() == seen)
        try await lone.change(.insert(Card(4), at: 0)).durable()
        #expect(try await mine.seen() == Seen(lone.state, at: lone.revision))
        try await mine.verify()
        await mine.close()
        await rows.close()
        await lone.close()
      }
    }

    @Test("the search index has the words of the present rows alone")
    func search() async throws {
      try await withRows { store, pool, _ in
        let rows = try await Rows(store, pool)
        func found(_ query: String) async throws -> [Int] {
          try await rows.read {
            try Int.fetchAll(
              $0, sql: "SELECT id FROM card JOIN card_search ON card_search.rowid = \"row\" WHERE card_search MATCH ? ORDER BY rank, id",
              arguments: [query])
          }
        }
        for id in 1...3 {
          try await store.change(.insert(Card(id, "Buy apples \(id)", notes: id == 2 ? "apples, apples and pears" : nil), at: 0)).durable()
        }
        #expect(try await found("appl*") == [2, 1, 3])
        #expect(try await found("\"apples and pears\"") == [2])
        #expect(try await found("notes: apples") == [2])
        try await store.change(.update(Card(2, "Buy plums"))).durable()
        #expect(try await found("appl*") == [1, 3])
        #expect(try await found("plums") == [2])
        try await store.change(.remove(1)).durable()
        #expect(try await found("appl*") == [3])
        try await store.change(.move(3, to: 0)).durable()
        #expect(try await found("buy").sorted() == [2, 3])
        try await store.change(.replace([Card(3, "Zürich")])).durable()
        #expect(try await found("zurich") == [3])
        try await rows.verify()
        await rows.close()
      }
    }
  }
#endif
