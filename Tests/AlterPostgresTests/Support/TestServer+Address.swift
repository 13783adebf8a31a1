#if Postgres
  import AlterCore
  import AlterPostgres
  import Foundation
  import ProcessTesting

  extension TestServer {
    /// The address of the server.
    func address(database: String = "postgres", user: String = "alter", _ more: String = "") -> PostgresServer {
      PostgresServer("host=\(folder) dbname=\(database) user=\(user) \(more)")
    }

    /// Repeats a query until its condition holds, the number of tries is exhausted, or the flag is set.
    ///
    /// - Returns: Whether the condition holds.
    func holds(_ condition: String, unless isOver: Lock<Bool> = Lock(false), tries: Int = 3_000) async throws -> Bool {
      for _ in 0..<tries where !isOver.withLock({ $0 }) { if try await sql("SELECT \(condition)") == "t" { return true } }
      return false
    }
  }

  /// A key that no other test uses.
  func freshKey(_ name: String = "test") -> String { "\(name) \(UUID().uuidString.prefix(8))" }
#endif
