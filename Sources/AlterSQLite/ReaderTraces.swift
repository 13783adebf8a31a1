#if SQLite
  import CAlterSQLite
  import GRDBSQLite

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// What a connection for reading leaves beside a file, and how it goes away again.
  ///
  /// SQLite makes the write-ahead log and its shared memory for readers, too, and the last connection removes them when it is closed: under an exclusive lock on the file, which tells that it is
  /// the last one. A connection that may not write can't take that lock, so its files stay. Removing them without the lock would be wrong: another process may just begin to use them.
  /// So when a handle for reading ends, a connection that may write is opened and closed, and SQLite does what it does. If anybody else has the file open, the
  /// files stay for him; he removes them, if he may write.
  ///
  /// Where the user may not write the file there is no such connection; there nothing is made in the first place (`Opening`).
  struct ReaderTraces: Sendable {
    private let location: FileLocation
    private let file: FileStatus
    /// Whether there was a log that holds something: it is somebody's, and stays as it is.
    private let hadLog: Bool
    private let hadMemory: Bool

    /// Remembers what is there, before the first connection is opened.
    init(_ location: FileLocation, file: FileStatus) {
      self.location = location
      self.file = file
      hadLog = FileStatus(path: location.wal)?.size ?? 0 > 0
      hadMemory = FileStatus(path: location.shm) != nil
    }

    /// Removes what wasn't there, once the reading connection is closed.
    func clear() {
      let isLeft = hadLog ? !hadMemory && FileStatus(path: location.shm) != nil : FileStatus(path: location.wal) != nil
      guard isLeft, FileStatus(path: location.path)?.isSameFile(as: file) == true,
        (try? HelperFile.checkForReading(location, name: location.path)) != nil
      else { return }
      // Where the disk is too full for shared memory, that way fails.
      if hadLog || !clearLikeOthers() { clearAlone() }
    }

    /// As every connection that may write does, if it is the last one.
    private func clearLikeOthers() -> Bool {
      withConnection { connection in
        // Apple's SQLite keeps the files unless it is told not to.
        var isKept: Int32 = 0
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        // As a journal's own checkpoints are made, in case somebody has written meanwhile and left the log to us.
        for setting in ["synchronous = FULL", "checkpoint_fullfsync = 1"] { run("PRAGMA \(setting)", on: connection) }
        return run("SELECT 1 FROM sqlite_schema LIMIT 1", on: connection)
      }
    }

    /// While the file is locked for this connection alone, which then uses no shared memory, the memory is nobody's, and a log that holds nothing, too.
    private func clearAlone() {
      _ = withConnection { connection in
        guard alter_sqlite_keep_log(connection) != 0, run("PRAGMA locking_mode = EXCLUSIVE", on: connection),
          run("SELECT 1 FROM sqlite_schema LIMIT 1", on: connection)
        else { return false }
        if !hadMemory { unlink(location.shm) }
        if !hadLog, FileStatus(path: location.wal)?.size == 0 { unlink(location.wal) }
        return true
      }
    }

    private func withConnection(_ body: (OpaquePointer) -> Bool) -> Bool {
      var connection: OpaquePointer?
      defer { sqlite3_close_v2(connection) }
      guard let system = try? SQLiteFileSystem.own.registered(for: location.path),
        sqlite3_open_v2(location.path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, system) == SQLITE_OK,
        sqlite3_db_readonly(connection, "main") == 0, let connection, alter_sqlite_harden(connection) == nil
      else { return true }
      return body(connection)
    }

    /// Runs a statement to its first row.
    @discardableResult
    private func run(_ sql: String, on connection: OpaquePointer) -> Bool {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return false }
      return [SQLITE_ROW, SQLITE_DONE].contains(sqlite3_step(statement))
    }
  }
#endif
