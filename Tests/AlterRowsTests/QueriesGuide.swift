#if SQLite && Macros
  import Alter
  import AlterRows
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import RowsModel
  import Testing

  struct CardRow: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "card"
    var id: Int
    var title: String
    var isDone: Bool
    var due: Date?
  }

  @Suite("The guide \"Queries\"", .timeLimit(.minutes(5)))
  struct QueriesGuide {
    @Test("reads, observes and searches the rows")
    func guide() async throws {
      try await Folder.use { folder in
        let store = try await folder.store()
        let pool = try DatabasePool(path: folder.path("board-rows.db"))
        let rows = try await Rows(of: store, in: pool, version: 1) {
          RowTable("card", each: \.cards, index: [["isDone", "due"]], search: ["title", "notes"])
          RowTable("label", each: \.cards, \.labels)
          RowTable("total", columns: ["name", "count"]) { [["open", .int($0.cards.count { !$0.isDone })]] }
        }
        try await store.change(.insert(Card(1, "Call the landlord"), at: 0)).durable()
        let next = try await rows.read { try CardRow.filter(Column("isDone") == false).order(Column("due")).limit(20).fetchAll($0) }
        #expect(next.map(\.title) == ["Call the landlord"])
        try await store.change(.insert(Card(2, "Pay rent", isDone: true), at: 0)).durable()
        try await store.change(.insert(Card(3, "Pay the rent"), at: 0)).durable()
        let found = try await rows.read { database in
          try CardRow.fetchAll(
            database,
            sql: """
              SELECT card.* FROM card_search JOIN card ON card."row" = card_search.rowid
              WHERE card_search MATCH ? ORDER BY rank LIMIT 20
              """, arguments: ["landl* OR \"pay rent\""])
        }
        #expect(Set(found.map(\.id)) == [1, 2])
        try await observe(pool)
        try await readWithoutStore(folder, pool)
        await rows.close()
        await store.close()
      }
    }

    private func readWithoutStore(_ folder: Folder, _ pool: DatabasePool) async throws {
      let other = try await Store.open(Board(), in: SQLiteJournal(at: folder.path("board.alter")))
      let rows = try await Rows(of: other, in: pool, version: 1, tables: Board.tables)
      await rows.close()
      await other.close()
      let journal = try await SQLiteJournal(at: folder.path("board.alter"), isReadOnly: true)
      let open = try await Rows<Board>.read(at: journal.head(), in: pool, version: 1, tables: Board.tables) {
        try CardRow.filter(Column("isDone") == false).fetchCount($0)
      }
      #expect(open == 2)
      await journal.close()
    }

    private func observe(_ pool: DatabasePool) async throws {
      struct Enough: Error {}
      func show(_ cards: [CardRow]) throws {
        #expect(cards.map(\.id) == [3, 1])
        throw Enough()
      }
      func follow() async throws {
        let open = ValueObservation.tracking { try CardRow.filter(Column("isDone") == false).order(Column("position")).fetchAll($0) }
        for try await cards in open.values(in: pool) { try show(cards) }
      }
      await #expect(throws: Enough.self) { try await follow() }
    }
  }
#endif
