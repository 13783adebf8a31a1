// A process for a test. It changes a board at random and keeps its rows in PostgreSQL, until it is killed or has made COUNT changes.
//
//   postgres-rows-writer ADDRESS KEY SCHEMA SEED COUNT      prints the revision of each durable change and 'done'

#if Postgres && Macros
  import Alter
  import AlterPostgres
  import AlterPostgresRows
  import AlterRows
  import AlterTesting
  import RowsModel

  #if canImport(Glibc)
    @preconcurrency import Glibc
  #else
    import Darwin
  #endif

  @main struct PostgresRowsWriter {
    static func main() async throws {
      let arguments = CommandLine.arguments
      guard arguments.count == 6, let seed = UInt64(arguments[4]), let count = Int(arguments[5]) else {
        return print("usage: postgres-rows-writer ADDRESS KEY SCHEMA SEED COUNT")
      }
      setvbuf(stdout, nil, _IOLBF, 0)
      var random = SeededGenerator(seed: seed)
      let store = try await Store.open(Board(), in: PostgresJournal(at: arguments[1], key: arguments[2]))
      let rows = try await PostgresRows(of: store, schema: arguments[3], version: 1, tables: Board.typedTables)
      for _ in 0..<count {
        // Another process may have removed the card.
        guard let commit = try? store.change(store.state.randomChange(using: &random)) else { continue }
        if let revision = try? await commit.durable() { print(revision) }
      }
      print("done")
      await rows.close()
      await store.close()
    }
  }
#else
  @main struct PostgresRowsWriter {
    static func main() { print("Built without the traits Postgres and Macros.") }
  }
#endif
