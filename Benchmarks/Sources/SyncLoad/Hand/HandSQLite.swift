import GRDB

/// One SQLite file with durable transactions, one for each request. `@unchecked Sendable`: `send` is set once, before any request.
final class HandSQLite: HandDatabase, @unchecked Sendable {
  private let queue: DatabaseQueue
  private var send: @Sendable (String, String) -> Void = { _, _ in }

  init(_ path: String) throws {
    queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      // GRDB's own setting of WAL would choose `synchronous = NORMAL`.
      try database.execute(
        sql: """
          PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
          CREATE TABLE change (number INTEGER PRIMARY KEY, key TEXT NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL);
          CREATE TABLE line (key TEXT, id INTEGER, text TEXT NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;
          """)
    }
  }

  func begin(_ send: @escaping @Sendable (String, String) -> Void) { self.send = send }

  func append(_ changes: [HandChange], text: String, to key: String) async throws -> Int64 {
    try await queue.writeWithoutTransaction { [send] database in
      try database.inTransaction(.immediate) {
        let log = try database.cachedStatement(sql: "INSERT INTO change (key, line, text) VALUES (?, ?, ?)")
        let state = try database.cachedStatement(
          sql: "INSERT INTO line VALUES (?, ?, ?) ON CONFLICT (key, id) DO UPDATE SET text = excluded.text")
        for change in changes {
          try log.execute(arguments: [key, change.line, change.text])
          try state.execute(arguments: [key, change.line, change.text])
        }
        return .commit
      }
      // In the order of the commits, because the queue is serial.
      send(key, text)
      return database.lastInsertedRowID
    }
  }
}
