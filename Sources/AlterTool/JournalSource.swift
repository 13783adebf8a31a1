#if Inspector
  import AlterInspector
  import AlterJournal
  import AlterPostgres
  import AlterSQLite
  import ArgumentParser

  /// A journal, given as the path of a SQLite file or the address of a database.
  struct JournalSource: InspectorSource, JournalOpener {
    @Argument(
      help: ArgumentHelp("The SQLite file, or the address of a database. \(JournalAddress.advice)", valueName: "journal"),
      completion: .file())
    var location: String

    @Option(help: "The key of the journal, if the file or the database holds several.") var key = "main"

    func open(hiding: Hiding) async throws -> (inspection: Inspection, journal: any Journal) {
      let journal = try await Self.journal(at: location, key: key)
      return (Inspection(of: journal, hiding: hiding), journal)
    }

    static func writableJournal(at location: String, key: String) async throws -> any Journal {
      // Opening for reading creates nothing: a missing file or key is an error.
      await (try journal(at: location, key: key)).close()
      switch try JournalAddress(location) {
      case .database(let address):
        #if Postgres
          return try await PostgresJournal(at: PostgresServer(address), key: key)
        #else
          throw ValidationError("this 'alter' can't open a database: build it with the package's trait Postgres as well")
        #endif
      case .file(let path):
        #if SQLite
          return try await SQLiteJournal(at: path, key: key)
        #else
          throw ValidationError("this 'alter' can't open a SQLite file: build it with the package's trait SQLite as well")
        #endif
      }
    }

    static func journal(at location: String, key: String) async throws -> any Journal {
      switch try JournalAddress(location) {
      case .database(let address):
        #if Postgres
          return try await PostgresJournal(at: PostgresServer(address), key: key, isReadOnly: true)
        #else
          throw ValidationError("this 'alter' can't read a database: build it with the package's trait Postgres as well")
        #endif
      case .file(let path):
        #if SQLite
          return try await SQLiteJournal(at: path, key: key, isReadOnly: true)
        #else
          throw ValidationError("this 'alter' can't read a SQLite file: build it with the package's trait SQLite as well")
        #endif
      }
    }
  }
#endif
