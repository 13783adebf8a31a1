#if Postgres
  import CBareLibPQ
  import Dispatch
  import Foundation

  /// A PostgreSQL database: a request is one statement and one durable transaction, with a notification for all processes. Eight connections, each
  /// with a queue that blocks.
  final class HandPostgres: HandDatabase {
    private let address: String
    private let lines: [BareLine]
    private let turn = Turn()

    /// The number of the next connection. `@unchecked Sendable`: the lock guards the variable.
    private final class Turn: @unchecked Sendable {
      private let lock = NSLock()
      private var turn = 0

      func next(of count: Int) -> Int {
        lock.withLock {
          turn = (turn + 1) % count
          return turn
        }
      }
    }

    init(_ address: String) throws {
      self.address = address
      let setup = try BareLine(address)
      try setup.run(
        """
        CREATE TABLE change (number bigserial PRIMARY KEY, key text NOT NULL, line bigint NOT NULL, text text NOT NULL);
        CREATE TABLE line (key text, id bigint, text text NOT NULL, PRIMARY KEY (key, id));
        """)
      lines = try (0..<8).map { _ in
        let line = try BareLine(address)
        // The lines of the state are locked in their order, so that two requests don't wait for each other.
        try line.prepare(
          """
          WITH given AS (
            SELECT * FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (line bigint, text text)) WITH ORDINALITY AS each(line, text, place)),
          log AS (INSERT INTO change (key, line, text) SELECT $1, line, text FROM given ORDER BY place RETURNING number),
          state AS (
            INSERT INTO line SELECT DISTINCT ON (line) $1, line, text FROM given ORDER BY line, place DESC
            ON CONFLICT (key, id) DO UPDATE SET text = excluded.text)
          SELECT max(number), pg_notify('change', $1 || ' ' || $2) FROM log
          """)
        return line
      }
    }

    func begin(_ send: @escaping @Sendable (String, String) -> Void) throws {
      let listener = try BareLine(address)
      try listener.run("LISTEN change")
      Thread.detachNewThread {
        while true {
          listener.wait()
          while let text = listener.notification() {
            guard let space = text.firstIndex(of: " ") else { continue }
            send(String(text[..<space]), String(text[text.index(after: space)...]))
          }
        }
      }
    }

    func append(_ changes: [HandChange], text: String, to key: String) async throws -> Int64 {
      let line = lines[turn.next(of: lines.count)]
      return try await withCheckedThrowingContinuation { continuation in
        line.queue.async { continuation.resume(with: Result { Int64(try line.execute([key, text])) ?? 0 }) }
      }
    }
  }
#endif
