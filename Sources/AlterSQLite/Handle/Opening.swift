#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB
  import GRDBSQLite

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Opens a file for the first handle that uses it. A handle that may write does so under the file's lock.
  struct Opening: Sendable {
    let path: String
    let key: String
    let durability: Durability
    let lockTimeout: Duration
    let isReadOnly: Bool
    let name: String

    /// The parts of an open file, and the row of the journal.
    struct Opened: Sendable {
      let location: FileLocation
      let file: FileStatus
      /// Nil for a file that is open for reading, as the lock.
      let writer: Writer?
      let lock: FileLock?
      let reader: Reader
      let row: JournalRow
    }

    /// Checks the key, and resolves the path.
    func location() throws(JournalError) -> FileLocation {
      guard !key.utf8.contains(0) else {
        throw JournalError(
          .unreachable, journal: name,
          message:
            "can't be opened: its key contains a zero byte, at which SQLite ends a text, so it would be the journal of a shorter key.")
      }
      return try FileLocation(path, name: name)
    }

    /// Opens the file, and creates it if it is missing.
    func open(_ location: FileLocation, waiting wait: LockWait) throws(JournalError) -> Opened {
      if isReadOnly {
        try HelperFile.checkForReading(location, name: name)
      } else {
        try HelperFile.checkForWriting(location, name: name)
      }
      // Before a lock file is created, because nothing must be created beside a file of another kind.
      let finding = try FileHeader.examine(location, name: name)
      guard !isReadOnly else { return try openForReading(location, finding: finding) }
      let lock = FileLock(path: location.lock, beside: location.path, name: location.path)
      do { try lock.take(for: "open", waiting: wait, timeout: lockTimeout) } catch { throw error.naming(name) }
      defer { lock.release() }
      switch try FileHeader.examine(location, name: name) {
      case .missing: try FileCreation.make(location, key: key, replacingEmptyFile: false, name: name)
      case .empty: try FileCreation.make(location, key: key, replacingEmptyFile: true, name: name)
      case .journal: try checkLog(location)
      }
      return try connect(to: location, lock: lock)
    }

    /// Refuses a file that was replaced while the write-ahead log of its predecessor was beside it: SQLite would combine the two and damage
    /// both ("How To Corrupt An SQLite Database File", 1.4). Closing the last handle removes the log, so that a backup can be put in place.
    private func checkLog(_ location: FileLocation) throws(JournalError) {
      guard let log = FileStatus(path: location.wal), log.size > 0, let file = FileStatus(path: location.path),
        Doorbell.knows(log, asOfAnotherThan: file, at: location.bell)
      else { return }
      throw .damaged(
        name,
        """
        the file was replaced, but '\(location.wal)' beside it holds changes of the previous file (if a backup was put in its place: close \
        it in every process, and delete that log; if it is the same file, moved away and back: delete '\(location.bell)')
        """)
    }

    private func connect(to location: FileLocation, lock: FileLock) throws(JournalError) -> Opened {
      let before = try FileStatus.ofOpenFile(location.path, name: name)
      try LogOwnership(location: location, name: name, configuration: readerConfiguration).check(file: before)
      let writing = try translating(name, "open") {
        try DatabaseQueue(path: SQLiteFileSystem.own.uri(of: location.path, for: name), configuration: configuration("writer"))
      }
      do {
        let row = try translating(name, "open") {
          try writing.inDatabase { database in
            try FileFormat.check(database, name: name)
            try configure(database)
            if location.isWritable { try checkWriting(database) }
            return try Writer.findOrMake(key: key, in: database, name: name)
          }
        }
        let after = try FileStatus.ofOpenFile(location.path, name: name)
        guard before.isSameFile(as: after) else { throw JournalError.replaced(name, isMissing: false) }
        let writer = Writer(writing, location: location, file: after)
        let reader = Reader(ReadingConnection(database: writing, alone: nil), location: location, file: after, lender: writer) {
          try besideWriter(at: location, of: after)
        }
        return Opened(location: location, file: after, writer: writer, lock: lock, reader: reader, row: row)
      } catch {
        // Closed here, while the lock is held.
        try? writing.close()
        throw .translated(error, in: name, doing: "open")
      }
    }

    /// Opens a connection for reading beside that of a writer, whose log it shares.
    private func besideWriter(at location: FileLocation, of file: FileStatus) throws -> ReadingConnection {
      let database = try DatabaseQueue(path: SQLiteFileSystem.own.uri(of: location.path, for: name), configuration: readerConfiguration)
      do {
        try database.inDatabase { try FileFormat.check($0, name: name) }
        guard try FileStatus.ofOpenFile(location.path, name: name).isSameFile(as: file) else {
          throw JournalError.replaced(name, isMissing: false)
        }
        return ReadingConnection(database: database, alone: nil)
      } catch {
        try? database.close()
        throw error
      }
    }

    /// Opens the file for reading. It takes no lock, so a reader never waits for a writer: a reading connection never checkpoints, and
    /// SQLite protects the recovery of a killed process's log with its own locks.
    private func openForReading(_ location: FileLocation, finding: FileHeader.Finding) throws(JournalError) -> Opened {
      guard finding == .journal else {
        throw JournalError(
          .unreachable, journal: name, message: "can't be opened for reading: there is no journal yet. Open it for writing to create one.")
      }
      try checkLog(location)
      let file = try FileStatus.ofOpenFile(location.path, name: name)
      let traces = ReaderTraces(location, file: file)
      do {
        let (connection, row) = try connectForReading(to: location, traces: traces)
        let reader = Reader(
          connection, location: location, file: file, traces: traces,
          reopening: { try readingConnection(to: location, traces: traces) })
        return Opened(location: location, file: file, writer: nil, lock: nil, reader: reader, row: row)
      } catch {
        // The connection is already closed here.
        traces.clear()
        throw .translated(error, in: name, doing: "open")
      }
    }

    /// Whether the file has the journal. Nothing is created.
    func exists() throws(JournalError) -> Bool {
      let location = try location()
      guard try FileHeader.examine(location, name: name) == .journal else { return false }
      try checkLog(location)
      let traces = ReaderTraces(location, file: try FileStatus.ofOpenFile(location.path, name: name))
      defer { traces.clear() }
      return try translating(name, "read") {
        let connection = try readingConnection(to: location, traces: traces)
        defer { try? connection.database.close() }
        return try connection.database.inDatabase { try JournalRow.find(key: key, in: $0, name: name) != nil }
      }
    }

    /// Opens a connection for reading, and finds the journal's row.
    private func connectForReading(to location: FileLocation, traces: ReaderTraces) throws -> (ReadingConnection, JournalRow) {
      let connection = try readingConnection(to: location, traces: traces)
      do {
        let row = try connection.database.inDatabase { database in
          try FileFormat.check(database, name: name)
          if let row = try JournalRow.find(key: key, in: database, name: name) { return row }
          throw JournalError.noJournal(name, key: key, others: try JournalRow.keys(in: database))
        }
        return (connection, row)
      } catch {
        try? connection.database.close()
        throw error
      }
    }

    /// Opens a connection for reading, and checks the schema.
    ///
    /// SQLite creates a log and shared memory for it. For a user who may not write the file, and on a read-only mount, it creates neither:
    /// while the log is empty, the file is read alone (`immutable`, https://sqlite.org/wal.html#readonly), and otherwise with the existing
    /// log and shared memory. If the disk is too full for the shared memory, the file is read alone, too.
    private func readingConnection(to location: FileLocation, traces: ReaderTraces) throws -> ReadingConnection {
      let isWritable = location.isWritable
      if !isWritable, let alone = try connectionToFileAlone(at: location) { return alone }
      let system: SQLiteFileSystem = isWritable ? .own : .guest
      do {
        return ReadingConnection(database: try connect(to: system.uri(of: location.path, for: name), at: location), alone: nil)
      } catch let error as DatabaseError where [.SQLITE_IOERR, .SQLITE_FULL, .SQLITE_CANTOPEN].contains(error.resultCode) {
        traces.clear()
        guard let alone = try connectionToFileAlone(at: location) else { throw error }
        return alone
      }
    }

    /// Opens a connection that reads the file without its log; nil if the log is not empty.
    private func connectionToFileAlone(at location: FileLocation) throws -> ReadingConnection? {
      guard let alone = FileMoment(location) else { return nil }
      do {
        let database = try connect(to: SQLiteFileSystem.own.uri(of: location.path, isImmutable: true, for: name), at: location)
        return ReadingConnection(database: database, alone: alone)
      } catch {
        // If another process wrote meanwhile, the error may be due to a partial write.
        guard FileMoment(location) == alone else { return nil }
        throw error
      }
    }

    private func connect(to uri: String, at location: FileLocation) throws -> DatabaseQueue {
      try HelperFile.checkForReading(location, name: name)
      let database = try DatabaseQueue(path: uri, configuration: readerConfiguration)
      do {
        try LogOwnership(location: location, name: name, configuration: readerConfiguration).check(through: database)
        try database.inDatabase { try FileFormat.check($0, name: name) }
        return database
      } catch {
        try? database.close()
        throw error
      }
    }

    /// In seconds.
    private static let busyTimeout: Int32 = 5

    private var readerConfiguration: Configuration {
      var configuration = configuration("reader")
      configuration.readonly = true
      return configuration
    }

    private func configuration(_ label: String) -> Configuration {
      var configuration = Configuration()
      configuration.label = "alter.\(label)"
      // Alter's own processes wait for the lock file. This timeout is for other programs, such as sqlite3.
      configuration.busyMode = .timeout(Double(Self.busyTimeout))
      configuration.foreignKeysEnabled = false
      // On a failing disk even a rollback may fail, and GRDB traps on an open transaction. Such a handle writes nothing more:
      // `Writer.remember`.
      configuration.allowsUnsafeTransactions = true
      // The file stores the journal mode. Setting it here would make GRDB set `synchronous` to NORMAL.
      configuration.journalMode = .default
      let name = name
      configuration.prepareDatabase {
        $0.withoutRegions()
        try SQLiteFileSystem.check($0, name: name)
        try FileFormat.distrust($0, name: name)
      }
      return configuration
    }

    /// Applies the settings that SQLite keeps per connection, and reads them back.
    private func configure(_ database: Database) throws {
      let mode = try database.text("PRAGMA journal_mode = WAL")
      guard mode == "wal" else {
        throw JournalError(
          .failed, journal: name,
          message:
            "can't be kept in WAL mode here (SQLite says '\(mode ?? "")'): the file system may lack shared memory. Choose a local disk.")
      }
      try database.run("PRAGMA synchronous = \(durability.synchronous)")
      try database.run("PRAGMA wal_autocheckpoint = 0")
      // A statement that inserts several entries may change more than 64 KiB of pages. Their old content would then go to a temporary file,
      // and an append would fail where no folder for one is writable, or has room.
      try database.run("PRAGMA temp_store = MEMORY")
      let synchronous = try database.number("PRAGMA synchronous").map { Int(clamping: $0) }
      guard synchronous == durability.synchronous else { throw isLessDurable("synchronous", synchronous) }
      for setting in durability.syncSettings {
        try database.run("PRAGMA \(setting) = 1")
        let value = try database.number("PRAGMA \(setting)").map { Int(clamping: $0) }
        guard value == 1 else { throw isLessDurable(setting, value) }
      }
    }

    /// Checks that the connection can write; see `Database.checkWriting`. All handles of the process share it.
    private func checkWriting(_ database: Database) throws {
      // Another program's transaction is no reason to wait.
      sqlite3_busy_timeout(database.sqliteConnection, 0)
      defer { sqlite3_busy_timeout(database.sqliteConnection, Self.busyTimeout * 1_000) }
      try database.checkWriting(name, doing: "open")
      // The log and its shared memory.
      do { try database.run("BEGIN IMMEDIATE") } catch let error as DatabaseError {
        switch error.resultCode {
        case .SQLITE_BUSY: return
        case .SQLITE_READONLY: throw JournalError.opensOnlyForReading(name, doing: "open")
        default: throw error
        }
      }
      try database.run("ROLLBACK")
    }

    private func isLessDurable(_ setting: String, _ value: Int?) -> JournalError {
      JournalError(
        .failed, journal: name,
        message: "can't be as durable as requested: SQLite keeps '\(setting)' at \(value ?? -1). Use another build of SQLite.")
    }
  }
#endif
