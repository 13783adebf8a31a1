#if Postgres && Macros
  import Alter
  import AlterPostgres
  import AlterPostgresRows
  import AlterRows
  import Foundation
  import ProcessTesting
  import RowsModel
  import Testing

  /// The tables of a board in a schema of their own, and a journal.
  struct RowsFixture {
    let server: TestServer
    let schema: String
    let key: String

    init(setup: Bool = true) async throws {
      server = try TestServer.shared()
      schema = "rows \(UUID().uuidString.prefix(8))"
      key = schema
      // The tables of the journals.
      await (try journal()).close()
      if setup { try await self.run(PostgresRows<Board>.setup(schema: schema, version: 1, tables: Board.typedTables)) }
    }

    var address: String { "host=\(server.folder) dbname=postgres user=alter" }

    func journal() async throws -> PostgresJournal { try await PostgresJournal(at: address, key: key) }

    func store(_ options: StoreOptions = StoreOptions()) async throws -> Store<Board> {
      try await Store.open(Board(), in: try await journal(), options: options)
    }

    @discardableResult
    func run(_ sql: String) async throws -> String { try await server.sql(sql) }

    /// Reads the revision of the rows, and the rows as JSON, in one transaction.
    func seen() async throws -> Seen {
      let quoted = "\"\(schema)\""
      let text = try await run(
        """
        SELECT json_build_object('revision', (SELECT revision FROM \(quoted).alter_rows WHERE journal <> -1 AND name = 'rows'),
          'head', (SELECT head FROM alter.journal WHERE key = '\(key)'),
          'cards', (SELECT coalesce(json_agg(json_build_array(id, title, notes, "isDone", extract(epoch FROM due), labels) ORDER BY position), '[]')
            FROM \(quoted).card),
          'labels', (SELECT coalesce(json_agg(json_build_array(parent, label.id, weight) ORDER BY card.position, label.position), '[]')
            FROM \(quoted).label JOIN \(quoted).card ON card.journal = label.journal AND card.id = parent),
          'totals', (SELECT coalesce(json_agg(json_build_array(name, count) ORDER BY position), '[]') FROM \(quoted).total))
        """)
      return try Seen(JSONSerialization.jsonObject(with: Data(text.utf8)))
    }
  }

  /// The rows as a reader sees them, by JSON that is compared as text with sorted keys.
  struct Seen: Equatable, CustomStringConvertible {
    let revision: Int64
    /// The head of the journal at the same moment.
    let head: Int64
    let rows: String
    var description: String { "at \(revision): \(rows)" }

    init(_ object: Any) throws {
      var members = try #require(object as? [String: Any])
      revision = (members.removeValue(forKey: "revision") as? NSNumber)?.int64Value ?? 0
      head = (members.removeValue(forKey: "head") as? NSNumber)?.int64Value ?? 0
      rows = String(decoding: try JSONSerialization.data(withJSONObject: members, options: .sortedKeys), as: UTF8.self)
    }

    /// The rows that a state must have, by another way than that of the module.
    init(_ board: Board, at revision: Revision) throws {
      func optional(_ value: Any?) -> Any { value ?? NSNull() }
      let cards: [[Any]] = try board.cards.map { card in
        [
          card.id, card.title, optional(card.notes), card.isDone,
          optional(card.due.map { ($0.timeIntervalSince1970 * 1_000).rounded(.down) / 1_000 }),
          try JSONSerialization.jsonObject(with: JournalCoding.encode(card.labels)),
        ]
      }
      let labels: [[Any]] = board.cards.flatMap { card in card.labels.map { [card.id, $0.id, $0.weight] } }
      let totals: [[Any]] = [["open", board.cards.count { !$0.isDone }], ["all", board.cards.count]]
      // Through text once, so that numbers have the same form.
      let data = try JSONSerialization.data(withJSONObject: ["cards": cards, "labels": labels, "totals": totals])
      var members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      (members["revision"], members["head"]) = (NSNumber(value: revision.number), NSNumber(value: revision.number))
      try self.init(members)
    }
  }

  extension PostgresRows where State == Board {
    convenience init(_ store: Store<Board>, _ fixture: RowsFixture, version: Int = 1) async throws {
      try await self.init(of: store, schema: fixture.schema, version: version, tables: Board.typedTables)
    }
  }
#endif
