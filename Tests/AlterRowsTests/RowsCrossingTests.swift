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

  /// A board before its cards had a title.
  private struct FormerBoard: Journaled, Hashable {
    enum Change: Hashable, Codable, Sendable { case insert(FormerCard) }

    private(set) var cards = IdentityArray<FormerCard>()

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .insert(let card): try cards.add(card)
      }
    }

    @RowTableBuilder<FormerBoard> static func tables() -> [RowTable<FormerBoard>] { RowTable("card", each: \.cards, columns: ["name"]) }
  }

  private struct FormerCard: Identifiable, Hashable, Codable, Sendable {
    let id: Int
    let name: String
  }

  private struct LaterBoard: Journaled, Hashable {
    enum Change: Hashable, Codable, Sendable { case insert(LaterCard) }

    private(set) var cards = IdentityArray<LaterCard>()

    static var schema: StateSchema {
      // The migration of the state changes values, too: rows at an equal place must not survive it.
      @Sendable func renamed(_ json: JSONValue) -> JSONValue { json.renaming("name", to: "title").converting("title") { _ in "migrated" } }
      return StateSchema(
        version: 2,
        migrations: [
          Migration(
            from: 1, to: 2, state: { $0.converting("cards") { cards in cards.mappingElements(renamed) } },
            change: { [$0.converting("insert") { $0.converting("_0", renamed) }] })
        ])
    }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .insert(let card): try cards.add(card)
      }
    }

    @RowTableBuilder<LaterBoard> static func tables() -> [RowTable<LaterBoard>] { RowTable("card", each: \.cards, columns: ["title"]) }
  }

  private struct LaterCard: Identifiable, Hashable, Codable, Sendable {
    let id: Int
    let title: String
  }

  extension JSONValue {
    fileprivate func mappingElements(_ body: (JSONValue) -> JSONValue) -> JSONValue {
      guard case .array(let elements) = self else { return self }
      return .array(elements.map(body))
    }
  }

  @Suite("Rows, together with everything else", .timeLimit(.minutes(30)))
  struct RowsCrossingTests {
    private func titles(_ database: Database, _ column: String = "title") throws -> [String] {
      try String.fetchAll(database, sql: "SELECT \(column) FROM card ORDER BY position")
    }

    // MARK: - Without a store

    @Test("a program reads rows without a store if they are those of the journal's head, in the tables of its declaration")
    func withoutStore() async throws {
      try await withRows { store, pool, folder in
        let rows = try await Rows(store, pool)
        try await store.change(.insert(Card(1, "one"), at: 0)).durable()
        _ = try await rows.seen()
        let journal = try await SQLiteJournal(at: folder.path("board.alter"), isReadOnly: true)
        func read(version: Int = 1, name: String = "rows") async throws -> [String]? {
          try await Rows<Board>.read(at: journal.head(), in: pool, name: name, version: version, tables: Board.tables) {
            try String.fetchAll($0, sql: "SELECT title FROM card")
          }
        }
        #expect(try await read() == ["one"])
        // Another build's rows, rows of another name, and a place that the rows have not reached.
        for version in [0, 2] { #expect(try await read(version: version) == nil) }
        #expect(try await read(name: "other") == nil)
        await rows.close()
        try await store.change(.insert(Card(2, "two"), at: 0)).durable()
        #expect(try await read() == nil)
        let again = try await Rows(store, pool)
        #expect(try await read()?.sorted() == ["one", "two"])
        await again.close()
        for sql in ["CREATE TRIGGER t AFTER INSERT ON card BEGIN SELECT 1; END", "DROP TRIGGER t; DROP INDEX card_by_position"] {
          try await pool.write { try $0.execute(sql: sql) }
          #expect(try await read() == nil, "\(sql)")
        }
        #expect(try await Rows<Board>.read(at: journal.head(), in: DatabaseQueue(), version: 1, tables: Board.tables) { _ in 1 } == nil)
        await journal.close()
      }
    }

    @Test("the rows of a database, and how far they are behind a journal, are known without the state's type; `alter rows` shows them")
    func records() async throws {
      try await withRows { store, pool, folder in
        let rows = try await Rows(store, pool)
        for id in 1...3 { try await store.change(.insert(Card(id), at: 0)).durable() }
        _ = try await rows.seen()
        func record() async throws -> RowsRecord { try #require(try await pool.read { try RowsRecord.all(in: $0) }.first) }
        func tool(_ arguments: String...) async throws -> String {
          try await Child([Product.path("alter"), "rows", folder.path("board.alter"), folder.path("rows.db")] + arguments).end()
        }
        func relation(_ name: String = "board.alter") async throws -> RowsRecord.Relation {
          let journal = try await SQLiteJournal(at: folder.path(name))
          let relation = try await record().relation(to: journal)
          await journal.close()
          return relation
        }
        let found = try await record()
        #expect(
          found.name == "rows" && found.version == 1 && found.tables == ["card", "card_search", "label", "total"] && !found.hasDrafts)
        #expect(found.head?.revision == store.revision)
        #expect(try await relation() == .behind(0))
        #expect(try await tool() == "rows: current, at revision 4; version 1, tables card, card_search, label, total")
        await rows.close()
        let copied = try await SQLiteJournal(at: folder.path("board.alter"))
        try await copied.backup(to: folder.path("copy.alter"))
        await copied.close()
        for id in 4...5 { try await store.change(.insert(Card(id), at: 0)).durable() }
        #expect(try await relation() == .behind(2))
        #expect(try await tool().hasPrefix("rows: 2 of 6 entries behind; "))
        #expect(try await tool("--json").hasPrefix(#"{"behind":2,"head":6,"name":"rows","revision":4,"#))
        let again = try await Rows(store, pool)
        await again.close()
        #expect(try await relation("copy.alter") == .ahead(2))
        let other = try await Store.open(Board(), in: SQLiteJournal(at: folder.path("other.alter")))
        await other.close()
        #expect(try await relation("other.alter") == .foreign)
        try await pool.write { try $0.execute(sql: "UPDATE alter_rows SET checksum = zeroblob(16)") }
        #expect(try await relation() == .foreign)
        try await pool.write { try $0.execute(sql: "UPDATE alter_rows SET journal = NULL") }
        #expect(try await record().head == nil)
        #expect(try await relation() == .foreign)
        try folder.write(
          Array("no database, but some text of more than a hundred bytes".utf8) + [UInt8](repeating: 1, count: 100), to: "text")
        for (file, message) in [("text", "another kind of file"), ("missing", "does not exist")] {
          do {
            _ = try await Child([Product.path("alter"), "rows", folder.path("board.alter"), folder.path(file)]).end()
            Issue.record("\(file) was read")
          } catch let failure as Child.Failure { #expect(failure.output.contains(message), "\(failure.output)") }
        }
        #expect(try await DatabaseQueue().read { try RowsRecord.all(in: $0) } == [])
      }
    }

    // MARK: - Faults

    @Test(
      "after a power loss, which takes any part of the end of the rows' log and of the journal's, the next opening has the rows of its state",
      arguments: Effort.seeds(short: 3, full: 60))
    func powerLoss(seed: UInt64) async throws {
      var random = SeededGenerator(seed: seed)
      try await Folder.use { folder in
        let store = try await folder.store()
        let pool = try folder.pool()
        let rows = try await Rows(store, pool)
        func files(_ prefix: String) throws -> [String: Data] {
          // SQLite syncs a log before it moves its pages into the database, so a loss takes an end of the log alone.
          Dictionary(uniqueKeysWithValues: try [prefix, prefix + "-wal"].map { ($0, try folder.bytes($0)) })
        }
        var journals: [[String: Data]] = []
        for _ in 0..<Effort.count(short: 8, full: 40) {
          for _ in 0..<Int.random(in: 1..<9, using: &random) { _ = try? store.change(store.state.randomChange(using: &random)) }
          try await store.change(.replace(Array(store.state.cards))).durable()
          _ = try await rows.seen()
          journals.append(try files("board.alter"))
          let database = try files("rows.db")
          for round in 0..<6 {
            let disk = try Folder()
            for (name, bytes) in database {
              let length = name.hasSuffix("-wal") ? Int.random(in: 0...bytes.count, using: &random) : bytes.count
              try disk.write(bytes.prefix(length), to: name)
            }
            // In half of the cases the journal, which did not sync each entry, has lost its last ones, too.
            let journal = round % 2 == 0 ? journals.last! : journals.randomElement(using: &random)!
            for (name, bytes) in journal { try disk.write(bytes, to: name) }
            let (again, pool) = (try await disk.store(), try disk.pool())
            let later = try await Rows(again, pool)
            #expect(try await later.seen() == Seen(again.state, at: again.revision))
            try await later.verify()
            try await again.change(.insert(Card(1_000), at: 0)).durable()
            #expect(try await later.seen() == Seen(again.state, at: again.revision))
            await later.close()
            await again.close()
            try pool.close()
          }
        }
        await rows.close()
        await store.close()
        try pool.close()
      }
    }

    @Test("a long reader in the pool keeps its moment, and delays neither rows nor store; vacuum() says that it is there")
    func longReader() async throws {
      try await withRows { store, pool, folder in
        let rows = try await Rows(store, pool)
        try await store.change(.insert(Card(1, "at the beginning"), at: 0)).durable()
        let before = try await rows.seen()
        let snapshot = try pool.makeSnapshot()
        #expect(try await snapshot.read { try Seen($0) } == before)
        for id in 2...Effort.count(short: 300, full: 20_000) {
          try await store.change(.insert(Card(id, "later"), at: 0)).durable()
          if id % 50 == 0 { #expect(try await rows.seen() == Seen(store.state, at: store.revision)) }
        }
        #expect(try await snapshot.read { try Seen($0) } == before)
        guard case .current = rows.status else { return #expect(Bool(false), "\(rows.status)") }
        let error = await #expect(throws: DatabaseError.self) { try await rows.vacuum() }
        #expect([.SQLITE_BUSY, .SQLITE_LOCKED].contains(error?.resultCode))
        try snapshot.close()
        try await rows.vacuum()
        #expect(try folder.bytes("rows.db-wal").isEmpty)
        #expect(try await rows.seen() == Seen(store.state, at: store.revision))
        await rows.close()
      }
    }

    @Test(
      "a million rows are made, changed one by one, moved, found by words, and verified",
      .enabled(if: Effort.isFull, "SKIPPED: takes minutes; ALTER_FULL=1 runs it"))
    func million() async throws {
      try await Folder.use { folder in
        let count = 1_000_000
        let store = Store(Board((0..<count).map { Card($0, "card \($0)", notes: $0 % 1_000 == 0 ? "a rare word" : nil) }))
        let pool = try folder.pool()
        let rows = try await Rows(of: store, in: pool, version: 1) { RowTable("card", each: \.cards, search: ["title", "notes"]) }
        let schema = try pool.schemaVersion
        var random = SeededGenerator(seed: 1)
        for number in 0..<2_000 {
          let (id, place) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
          switch number % 4 {
          case 0: try store.change(.update(Card(id, "changed")))
          case 1: try store.change(.move(id, to: place))
          case 2: try store.change(.insert(Card(count + number, "new"), at: 1))
          default: _ = try? store.change(.remove(id))
          }
        }
        let ids = try await rows.read { try Int.fetchAll($0, sql: "SELECT id FROM card ORDER BY position") }
        #expect(ids == store.state.cards.map(\.id))
        let found = try await rows.read {
          try Int.fetchOne($0, sql: "SELECT count(*) FROM card_search WHERE card_search MATCH 'rare'")
        }
        #expect(found == store.state.cards.count { $0.notes != nil })
        try await rows.verify()
        #expect(try pool.schemaVersion == schema, "the rows were made again")
        // An undo of an import: all rows differ.
        try store.change(.replace([Card(1, "the only one")]))
        #expect(try await rows.read { try titles($0) } == ["the only one"])
        await rows.close()
        await store.close()
        try pool.close()
      }
    }

    // MARK: - Builds

    @Test("a build with a newer schema makes the rows of its form, at an equal place too; the older build then reads and writes no rows")
    func migration() async throws {
      try await Folder.use { folder in
        let pool = try folder.pool()
        let former = try await Store.open(FormerBoard(), in: SQLiteJournal(at: folder.path("board.alter")))
        let old = try await Rows(of: former, in: pool, version: 1, tables: FormerBoard.tables)
        for id in 1...3 { try await former.change(.insert(FormerCard(id: id, name: "card \(id)"))).durable() }
        #expect(try await old.read { try titles($0, "name") } == ["card 1", "card 2", "card 3"])
        await old.close()
        await former.close()

        // Nothing is appended: the place is the same.
        let later = try await Store.open(LaterBoard(), in: SQLiteJournal(at: folder.path("board.alter")))
        let new = try await Rows(of: later, in: pool, version: 2, tables: LaterBoard.tables)
        #expect(try await new.read { try titles($0) } == ["migrated", "migrated", "migrated"])
        try await new.verify()
        await new.close()

        // The widget of the former release, which still runs.
        let widget = try await Store.open(FormerBoard(), in: SQLiteJournal(at: folder.path("board.alter"), isReadOnly: true))
        let outdated = try await Rows(of: widget, in: pool, version: 1, tables: FormerBoard.tables)
        await #expect(throws: RowsError.outdated(found: 2, own: 1)) { try await outdated.read { try titles($0) } }
        guard case .outdated = outdated.status else { return #expect(Bool(false), "\(outdated.status)") }
        await outdated.close()
        await widget.close()
        #expect(try await pool.read { try titles($0) } == ["migrated", "migrated", "migrated"])

        try await later.change(.insert(LaterCard(id: 4, title: "new"))).durable()
        let again = try await Rows(of: later, in: pool, version: 2, tables: LaterBoard.tables)
        #expect(try await again.read { try titles($0) } == ["migrated", "migrated", "migrated", "new"])
        await again.close()
        await later.close()
        try pool.close()
      }
    }

    // MARK: - Stores

    @Test("rows keep a store of `Stores` in use; after close() its place is free, and the next opening continues the rows")
    func stores() async throws {
      try await Folder.use { folder in
        var budget = StoresBudget(stores: 1)
        budget.timeout = .milliseconds(200)
        let stores = Stores(in: .folder(folder.path("boards")), budget: budget) { _ in Board() }
        try FileManager.default.createDirectory(atPath: folder.path("boards"), withIntermediateDirectories: false)
        let pool = try folder.pool()
        var schema: Int64?
        for round in 1...3 {
          let rows = try await Rows(of: stores["a"], in: pool, name: "a", version: 1, tables: Board.tables)
          if let schema { #expect(try pool.schemaVersion == schema, "the rows were made again") }
          schema = try pool.schemaVersion
          try await stores["a"].change(.insert(Card(round, "round \(round)"), at: 0)).durable()
          #expect(try await rows.read { try titles($0) }.count == round)
          await #expect(throws: JournalError.self, "the rows hold the only place") { _ = try await stores["b"] }
          await rows.close()
        }
        // `rows` of the last round is gone, and with it the store's last user.
        try await stores["b"].change(.insert(Card(1, "of b"), at: 0)).durable()
        _ = await stores.close()
        try pool.close()
      }
    }

    @Test("rows of closed stores wait for nothing, and say so")
    func closedStore() async throws {
      try await withRows { store, pool, _ in
        let rows = try await Rows(store, pool)
        try store.change(.insert(Card(1), at: 0))
        await store.close()
        #expect(try await rows.seen() == Seen(store.state, at: store.revision))
        await rows.close()
        guard case .closed = rows.status else { return #expect(Bool(false), "\(rows.status)") }
      }
    }
  }
#endif
