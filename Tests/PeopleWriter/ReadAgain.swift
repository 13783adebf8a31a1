#if SQLite
  import Alter
  import AlterSQLite

  #if canImport(Glibc)
    @preconcurrency import Glibc
  #else
    import Darwin
  #endif

  /// Prints the end of the file's journal, and again for each line of the input.
  func readAgain(_ path: String) async throws {
    setvbuf(stdout, nil, _IOLBF, 0)
    let journal = try await SQLiteJournal(at: path, isReadOnly: true)
    repeat { print(try await journal.head().revision) } while readLine() != nil
    await journal.close()
  }
#endif
