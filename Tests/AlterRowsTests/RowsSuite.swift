#if SQLite && Macros
  import Alter
  import AlterRows
  import AlterSQLite
  import Foundation
  import GRDB
  import ProcessTesting
  import RowsModel
  import Testing

  /// The rows of a state as a reader of the database sees them, and their place.
  struct Seen: Equatable {
    var revision: Int64 = 0
    var cards: [[DatabaseValue]] = []
    var labels: [[DatabaseValue]] = []
    var totals: [[DatabaseValue]] = []

    /// Reads the tables by SQL alone.
    init(_ database: Database) throws {
      func rows(_ sql: String) throws -> [[DatabaseValue]] { try Row.fetchAll(database, sql: sql).map { Array($0.databaseValues) } }
      revision = try Int64.fetchOne(database, sql: "SELECT revision FROM alter_rows") ?? 0
      cards = try rows("SELECT id, title, notes, isDone, due, labels FROM card ORDER BY position")
      labels = try rows(
        "SELECT label.parent, label.id, weight FROM label JOIN card ON card.id = parent ORDER BY card.position, label.position")
      totals = try rows("SELECT name, count FROM total ORDER BY position")
    }

    /// The rows that a state must have, by another way than that of the module.
    init(_ board: Board, at revision: Revision) throws {
      self.revision = revision.number
      func text(_ date: Date) -> String {
        let parts = Calendar(identifier: .iso8601).dateComponents(in: TimeZone(secondsFromGMT: 0)!, from: date)
        let milliseconds = Int((date.timeIntervalSince1970 * 1_000).rounded(.down)) % 1_000
        func digits(_ number: Int?, _ count: Int) -> String {
          let text = "\(number ?? 0)"
          return String(repeating: "0", count: count - text.count) + text
        }
        return "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2)) "
          + "\(digits(parts.hour, 2)):\(digits(parts.minute, 2)):\(digits(parts.second, 2)).\(digits(milliseconds, 3))"
      }
      cards = try board.cards.map { card in
        [
          card.id.databaseValue, card.title.databaseValue, card.notes.databaseValue, (card.isDone ? 1 : 0).databaseValue,
          card.due.map(text).databaseValue, String(decoding: try JournalCoding.encode(card.labels), as: UTF8.self).databaseValue,
        ]
      }
      labels = board.cards.flatMap { card in
        card.labels.map { label in
          // A whole number is stored without a fraction.
          let weight = Int64(exactly: label.weight)?.databaseValue ?? label.weight.databaseValue
          return [card.id.databaseValue, label.id.databaseValue, weight]
        }
      }
      totals = [
        ["open".databaseValue, board.cards.count { !$0.isDone }.databaseValue], ["all".databaseValue, board.cards.count.databaseValue],
      ]
    }
  }

  extension Folder {
    func pool() throws -> DatabasePool { try DatabasePool(path: path("rows.db")) }
    func store() async throws -> Store<Board> {
      try await Store.open(Board(), in: SQLiteJournal(at: path("board.alter"), durability: .relaxed))
    }
  }

  extension Rows where State == Board {
    convenience init(_ store: Store<Board>, _ pool: any DatabaseWriter, version: Int = 1) async throws {
      try await self.init(of: store, in: pool, version: version, tables: Board.tables)
    }

    func seen() async throws -> Seen { try await read { try Seen($0) } }
  }

  extension DatabaseReader {
    /// Changes whenever the rows are made again.
    var schemaVersion: Int64? { get throws { try read { try Int64.fetchOne($0, sql: "PRAGMA schema_version") } } }
  }

  /// Runs a body with a store, a database of rows, and their folder.
  func withRows(_ body: (Store<Board>, DatabasePool, Folder) async throws -> Void) async throws {
    try await Folder.use { folder in
      let store = try await folder.store()
      let pool = try folder.pool()
      try await body(store, pool, folder)
      await store.close()
      try pool.close()
    }
  }

  /// Waits until the status is one that the caller wants.
  func status<State>(of rows: Rows<State>, _ isWanted: (RowsStatus) -> Bool) async {
    while !isWanted(rows.status) { await Task.yield() }
  }
#endif
