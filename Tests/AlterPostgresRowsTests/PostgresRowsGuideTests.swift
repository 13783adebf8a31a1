#if Postgres && Macros
  import Alter
  import AlterPostgres
  import AlterPostgresRows
  import AlterRows
  import Foundation
  import ProcessTesting
  import Testing

  // The code of the guide 'Queries', and the statements of docs/postgres.md.

  @Alterable private struct Label: Identifiable, Hashable {
    let id: String
    @Default("grey") let colour: String
  }

  @Alterable private struct Card: Identifiable, Hashable {
    let id: Int
    let title: String
    @Default("") let notes: String
    @Default(false) let isDone: Bool
    let due: Date?
    @Each let labels: IdentityArray<Label>
  }

  @Alterable private struct Board: Hashable {
    @Each let cards: IdentityArray<Card>

    @RowTableBuilder<Board> static func tables() -> [RowTable<Board>] {
      RowTable("card", each: \.cards, index: [["isDone", "due"]])
      RowTable("label", each: \.cards, \.labels)
      RowTable("total", columns: ["name", StoredField("count", .integer)]) { [["open", .int($0.cards.count { !$0.isDone })]] }
    }
  }

  @Suite("The pages about rows in PostgreSQL", .enabled(if: TestServer.isExpected), .timeLimit(.minutes(10)))
  struct PostgresRowsGuideTests {
    /// The block of SQL on a page that contains a text.
    private func block(_ page: String, with text: String) throws -> String {
      let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../\(page)")
      let blocks = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "```sql\n").dropFirst()
      return try #require(blocks.lazy.compactMap { $0.components(separatedBy: "```").first }.first { $0.contains(text) })
    }

    @Test("grant all that is needed: an owner makes the tables, a writer moves rows, a reader makes the report of the guide")
    func roles() async throws {
      let server = try TestServer.shared()
      let database = try await server.database()
      func run(_ sql: String, as role: String? = nil) async throws -> String {
        let sql = sql.replacing("shop_", with: "\(database)_").replacing("DATABASE shop", with: "DATABASE \(database)")
        return try await server.sql(sql, database: database, user: role.map { "\(database)_\($0)" } ?? "alter")
      }
      func postgres(as role: String) -> PostgresServer {
        PostgresServer("host=\(server.folder) dbname=\(database) user=\(database)_\(role)")
      }
      func journal(_ role: String) async throws -> PostgresJournal {
        try await PostgresJournal(at: postgres(as: role), key: "board 7")
      }
      let roles = try block("docs/postgres.md", with: "CREATE ROLE shop_owner").components(separatedBy: "-- Once the tables are there")
      _ = try await run(roles[0])
      await (try journal("owner")).close()
      _ = try await run("-- " + roles[1])
      let setup = try PostgresRows<Board>.setup(schema: "board", version: 1, tables: Board.tables)
      await #expect(throws: (any Error).self, "a writer makes no tables") { try await run(setup, as: "writer") }
      _ = try await run(setup, as: "owner")
      _ = try await run(block("docs/postgres.md", with: "IN SCHEMA board"), as: "owner")

      let address = postgres(as: "writer")
      let store = try await Store.open(Board(), in: PostgresJournal(at: address, key: "board 7"))
      let rows = try await PostgresRows(of: store, schema: "board", version: 1) {
        RowTable("card", each: \.cards, index: [["isDone", "due"]])
        RowTable("label", each: \.cards, \.labels)
        RowTable("total", columns: ["name", StoredField("count", .integer)]) { [["open", .int($0.cards.count { !$0.isDone })]] }
      }
      try await store.change(.add(.card(Card(id: 1, title: "late", due: Date(timeIntervalSince1970: 0))))).durable()
      try await store.change(.add(.card(Card(id: 2, title: "open")))).durable()
      let report = try block("Sources/Alter/Documentation.docc/Queries.md", with: "FROM board.card")
      #expect(try await run(report, as: "reader") == "board 7|1")
      #expect(try await run("SELECT key, name, missing FROM board.alter_rows_late", as: "reader") == "")
      await #expect(throws: (any Error).self) { try await run("DELETE FROM board.card", as: "reader") }
      await #expect(throws: (any Error).self) { try await run("DROP TABLE board.card", as: "writer") }
      await rows.close()
      await store.close()
    }
  }
#endif
