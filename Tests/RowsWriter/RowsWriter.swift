// A process for a test. It changes a board at random and keeps its rows, until it is killed or has made COUNT changes.
//
//   rows-writer FOLDER SEED COUNT      prints the revision of each durable change and 'done'; after a line of input it removes all cards and closes

#if SQLite && Macros
  import Alter
  import AlterRows
  import AlterSQLite
  import AlterTesting
  import GRDB
  import RowsModel

  #if canImport(Glibc)
    @preconcurrency import Glibc
  #else
    import Darwin
  #endif

  @main struct RowsWriter {
    static func main() async throws {
      let arguments = CommandLine.arguments
      guard arguments.count == 4, let seed = UInt64(arguments[2]), let count = Int(arguments[3]) else {
        return print("usage: rows-writer FOLDER SEED COUNT")
      }
      setvbuf(stdout, nil, _IOLBF, 0)
      var random = SeededGenerator(seed: seed)
      let store = try await Store.open(Board(), in: SQLiteJournal(at: arguments[1] + "/board.alter", durability: .relaxed))
      let pool = try DatabasePool(path: arguments[1] + "/rows.db")
      let rows = try await Rows(of: store, in: pool, version: 1, tables: Board.tables)
      for _ in 0..<count {
        // Another process may have removed the card.
        guard let commit = try? store.change(store.state.randomChange(using: &random)) else { continue }
        if let revision = try? await commit.durable() { print(revision) }
      }
      print("done")
      _ = readLine()
      try await store.change(.replace([])).durable()
      await rows.close()
      await store.close()
      print("closed")
    }
  }
#else
  @main struct RowsWriter {
    static func main() { print("Built without the traits SQLite and Macros.") }
  }
#endif
