import Alter
import AlterInspector
import AlterPostgres

/// A list in a PostgreSQL database, shared by several machines.
struct SharedList {
  private let server: PostgresServer

  /// - Parameter store: The name of the store.
  /// - Returns: nil if the name is a file, not the URL of a database.
  /// - Throws: ``CommandError``: `cannotCreate` for a malformed URL, which the message does not repeat; `usage` for a database if this
  ///   program was built without the trait Postgres.
  init?(_ store: String) throws(CommandError) {
    let address: JournalAddress
    do throws(JournalAddress.Malformed) { address = try JournalAddress(store) } catch {
      throw CommandError(.cannotCreate, error.description)
    }
    guard case .database(let text) = address else { return nil }
    server = PostgresServer(text)
    #if !Postgres
      throw CommandError(.usage, "this 'todo' can't use a database: it was built without the package's trait 'Postgres'. Name a file.")
    #endif
  }

  #if Postgres
    /// The URL without the user and the password.
    var name: String { server.description }

    func exists() async throws -> Bool { try await PostgresJournal.exists(at: server, key: "todo") }

    func open(patience: Duration) async throws -> any Journal {
      try await PostgresJournal(at: server, key: "todo", lockTimeout: patience)
    }

    func openForReading() async throws -> any Journal { try await PostgresJournal(at: server, key: "todo", isReadOnly: true) }
  #else
    var name: String { "postgres" }
    func exists() async throws -> Bool { false }
    func open(patience: Duration) async throws -> any Journal { MemoryJournal() }
    func openForReading() async throws -> any Journal { MemoryJournal() }
  #endif
}
