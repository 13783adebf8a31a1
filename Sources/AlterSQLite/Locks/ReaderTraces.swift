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

  /// The files that a connection for reading leaves beside a journal's file, and their removal.
  ///
  /// SQLite creates the write-ahead log and its shared memory for readers, too. The last connection removes them when it is closed, under
  /// an exclusive lock on the file, which proves that it is the last one. A connection that may not write cannot take that lock, so its
  /// files stay. Removing them without the lock would be wrong, because another process may be starting to use them. So when a reading
  /// handle is closed, a connection that may write is opened and closed, and SQLite removes the files. If another process has the file
  /// open, the files stay, and that process removes them if it may write.
  ///
  /// If the user may not write the file, such a connection is impossible. In that case no files are created in the first place (`Opening`).
  struct ReaderTraces: Sendable {
    private let location: FileLocation
    private let file: FileStatus
    /// Whether there was a log that was not empty. It belongs to another process and is not removed.
    private let hadLog: Bool
    private let hadMemory: Bool

    /// Records the existing files, before the first connection is opened.
    init(_ location: FileLocation, file: FileStatus) {
      self.location = location
      self.file = file
      hadLog = FileStatus(path: location.wal)?.size ?? 0 > 0
      hadMemory = FileStatus(path: location.shm) != nil
    }

    /// Removes the files that did not exist before, after the reading connection was closed.
    func clear() {
      let isLeft = hadLog ? !hadMemory && FileStatus(path: location.shm) != nil : FileStatus(path: location.wal) != nil
      guard isLeft, FileStatus(path: location.path)?.isSameFile(as: file) == true,
        (try? HelperFile.checkForReading(location, name: location.path)) != nil
      else { return }
      // This fails if the disk is too full for shared memory.
      if hadLog || !clearLikeOthers() { clearAlone() }
    }

    /// Removes the files in the way of every connection that may write and is the last one.
    private func clearLikeOthers() -> Bool {
      withConnection { connection in
        // Apple's SQLite keeps the files unless this setting is off.
        var isKept: Int32 = 0
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        // The settings of a journal's own checkpoints, in case another process has written meanwhile and its log is checkpointed here.
        for setting in ["synchronous = FULL", "checkpoint_fullfsync = 1"] { run("PRAGMA \(setting)", on: connection) }
        return run("SELECT 1 FROM sqlite_schema LIMIT 1", on: connection)
      }
    }

    /// Removes the files while the database is locked exclusively. The connection then uses no shared memory, and no other process uses the
    /// shared memory or an empty log.
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
