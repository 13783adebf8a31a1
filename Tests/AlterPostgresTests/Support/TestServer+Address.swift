#if Postgres
  import AlterCore
  import AlterPostgres
  import Foundation
  import ProcessTesting

  extension TestServer {
    /// Its address.
    func address(database: String = "postgres", user: String = "alter", _ more: String = "") -> PostgresServer {
      PostgresServer("host=\(folder) dbname=\(database) user=\(user) \(more)")
    }

    /// Asks the server until a condition holds; at most so many times, or until something else is over.
    ///
    /// - Returns: Whether it holds.
    func holds(_ condition: String, unless isOver: Lock<Bool> = Lock(false), tries: Int = 3_000) async throws -> Bool {
      for _ in 0..<tries where !isOver.withLock({ $0 }) { if try await sql("SELECT \(condition)") == "t" { return true } }
      return false
    }
  }

  extension Duration {
    /// Longer than any machine is busy: what a test waits for must come, but not within a certain time.
    static let patient = Duration.seconds(200)
  }

  /// A key that no other test uses.
  func freshKey(_ name: String = "test") -> String { "\(name) \(UUID().uuidString.prefix(8))" }
#endif
