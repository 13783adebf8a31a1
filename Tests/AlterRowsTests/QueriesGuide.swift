#if SQLite && Macros
  import Alter
  import AlterRows
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import Testing

  /// The guide "Queries".
  enum QueriesGuide {
    struct CardRow: Codable, FetchableRecord, TableRecord {
      static let databaseTableName = "card"
      var id: Int
      var title: String
      var isDone: Bool
      var due: Date?
    }

    @Alterable struct Label: Identifiable, Hashable {
      let id: String
      @Default("grey") let colour: String
    }

    @Alterable struct Card: Identifiable, Hashable {
      let id: Int
      let title: String
      @Default("") let notes: String
      @Default(false) let isDone: Bool
      let due: Date?
      @Each let labels: IdentityArray<Label>
    }

    @Alterable struct Board: Hashable {
      @Each let cards: IdentityArray<Card>

      @RowTableBuilder<Board> static func tables() -> [RowTable<Board>] {
        RowTable("card", each: \.cards, index: [["isDone", "due"]], search: ["title", "notes"])
        RowTable("label", each: \.cards, \.labels)
        RowTable("total", columns: ["name", "count"]) { [["open", .int($0.cards.count { !$0.isDone })]] }
      }
    }

    @Suite("The guide \"Queries\"", .timeLimit(.minutes(5)))
    struct Tests {
      @Test("reads, observes and searches the rows")
      func guide() async throws {
        try await Folder.use { folder in
          let (file, rowsFile) = (folder.path("board.alter"), folder.path("board-rows.db"))
          let store = try await Store.open(Board(), in: SQLiteJournal(at: file))
          let pool = try DatabasePool(path: rowsFile)
          let rows = try await Rows(of: store, in: pool, version: 1, tables: Board.tables)

          try await store.change(.add(.card(Card(id: 1, title: "Call the landlord")))).durable()
          let next = try await rows.read { try CardRow.filter(Column("isDone") == false).order(Column("due")).limit(20).fetchAll($0) }
          #expect(next.map(\.title) == ["Call the landlord"])
          try await store.change(.add(.card(Card(id: 2, title: "Pay rent", isDone: true)))).durable()
          try await store.change(.add(.card(Card(id: 3, title: "Pay the rent", labels: [Label(id: "home")])))).durable()
          let found = try await rows.read { database in
            try CardRow.fetchAll(
              database,
              sql: """
                SELECT card.* FROM card_search JOIN card ON card."row" = card_search.rowid
                WHERE card_search MATCH ? ORDER BY rank LIMIT 20
                """, arguments: ["landl* OR \"pay rent\""])
          }
          #expect(Set(found.map(\.id)) == [1, 2])
          let labels = try await rows.read { try String.fetchAll($0, sql: "SELECT id FROM label WHERE parent = 3") }
          #expect(labels == ["home"])
          let total = try await rows.read { try Int.fetchOne($0, sql: "SELECT count FROM total WHERE name = 'open'") }
          #expect(total == 2)
          try await observe(pool)
          await rows.close()
          await store.close()
          try await readWithoutStore(file, pool)
        }
      }

      private func readWithoutStore(_ file: String, _ pool: DatabasePool) async throws {
        let journal = try await SQLiteJournal(at: file, isReadOnly: true)
        let open = try await Rows<Board>.read(at: journal.head(), in: pool, version: 1, tables: Board.tables) {
          try CardRow.filter(Column("isDone") == false).fetchCount($0)
        }
        #expect(open == 2)
        await journal.close()
      }

      private func observe(_ pool: DatabasePool) async throws {
        struct Enough: Error {}
        func show(_ cards: [CardRow]) throws {
          #expect(cards.map(\.id) == [1, 3])
          throw Enough()
        }
        func follow() async throws {
          let open = ValueObservation.tracking { try CardRow.filter(Column("isDone") == false).order(Column("position")).fetchAll($0) }
          for try await cards in open.values(in: pool) { try show(cards) }
        }
        await #expect(throws: Enough.self) { try await follow() }
      }
    }
  }
#endif
