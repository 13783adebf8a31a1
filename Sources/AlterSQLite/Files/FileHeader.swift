#if SQLite
  import AlterJournal
  import GRDBSQLite

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Examines the first bytes of a file before SQLite works with it, so that a file of another kind stays unmodified.
  enum FileHeader {
    /// The state of a path that may be opened or created.
    enum Finding: Sendable {
      case missing
      case empty
      case journal
    }

    /// Examines the file at the path.
    ///
    /// - Throws: `notAJournal`, `newerFormat` or `damaged` for a file that must not be modified; an error of the system if it cannot be
    ///   read.
    static func examine(_ location: FileLocation, name: String) throws(JournalError) -> Finding {
      guard let status = FileStatus(path: location.path) else {
        guard errno == ENOENT else { throw .system(errno, in: name, doing: "inspect the file") }
        return .missing
      }
      guard status.isRegular else {
        throw .notAJournal(name, "is a \(status.isFolder ? "folder" : "special file (a device, a pipe or a socket)"), not a regular file")
      }
      guard status.size > 0 else { return .empty }
      let bytes = try read(location, name: name)
      do {
        try judge(bytes, status, at: location, name: name)
      } catch {
        guard error.code != .newerFormat, isInLog(location) else { throw error }
      }
      return .journal
    }

    private static func judge(_ bytes: [UInt8], _ status: FileStatus, at location: FileLocation, name: String) throws(JournalError) {
      let magic = Array("SQLite format 3\0".utf8)
      guard bytes.starts(with: magic.prefix(Int(min(status.size, 16)))) else {
        throw .notAJournal(name, "is a file of another kind: it doesn't begin like a SQLite database")
      }
      guard status.size >= 100 else { throw .damaged(name, "the file was truncated: only \(status.size) bytes are left") }
      func number(at offset: Int) -> UInt32 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
      guard number(at: 68) == FileFormat.applicationID else {
        throw .notAJournal(name, "is the SQLite database of another application (application_id \(number(at: 68)))")
      }
      let version = number(at: 60)
      guard version <= FileFormat.version else {
        throw .newerFormat(name, found: Int64(version))
      }
      guard version > 0 else { throw .damaged(name, "its header has no file format (user_version 0)") }
      guard number(at: 56) == 1 else { throw .damaged(name, "its header names a text encoding other than UTF-8") }
      try checkLength(status, pageSize: number(at: 16) >> 16, pages: number(at: 28), at: location, name: name)
    }

    /// Whether the write-ahead log beside the file holds the header of a journal.
    ///
    /// After a power loss during a checkpoint the file's first sector may hold anything. The log is still complete, and SQLite reads the
    /// first page from it. The log is trusted only if there is also a lock file of Alter's. The connection here only reads and changes
    /// nothing.
    private static func isInLog(_ location: FileLocation) -> Bool {
      guard FileStatus(path: location.wal)?.size ?? 0 > 0, FileStatus(path: location.lock) != nil,
        let system = try? SQLiteFileSystem.own.registered(for: location.path)
      else { return false }
      var connection: OpaquePointer?
      defer { sqlite3_close_v2(connection) }
      guard sqlite3_open_v2(location.path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, system) == SQLITE_OK else {
        return false
      }
      func number(_ pragma: String) -> Int64? {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, "PRAGMA \(pragma)", -1, &statement, nil) == SQLITE_OK,
          sqlite3_step(statement) == SQLITE_ROW
        else { return nil }
        return sqlite3_column_int64(statement, 0)
      }
      return number("application_id") == Int64(FileFormat.applicationID) && number("user_version") == Int64(FileFormat.version)
    }

    /// Checks that the file is not truncated. A file may be short while the write-ahead log still holds the missing pages.
    private static func checkLength(
      _ status: FileStatus, pageSize: UInt32, pages: UInt32, at location: FileLocation, name: String
    ) throws(JournalError) {
      // The header stores 65,536 as 1.
      let expected = Int64(pages) * Int64(pageSize == 1 ? 65_536 : pageSize)
      guard status.size < expected, FileStatus(path: location.wal)?.size ?? 0 == 0 else { return }
      // A log may have been checkpointed and deleted since the size was read, and the file may have grown. Read the size again.
      guard let now = FileStatus(path: location.path), now.size < expected else { return }
      throw .damaged(name, "the file was truncated: \(now.size) of \(expected) bytes are left")
    }

    /// Reads the first 100 bytes; missing ones are zeros.
    ///
    /// It reads through SQLite's own file handle, not with `open` and `close`: POSIX releases all locks that a process has on a file when
    /// it closes any descriptor of the file, and this process may have the file open in another connection ("How To Corrupt An SQLite
    /// Database File", 2.2). Opening a connection reads only the header, takes no lock and creates no file.
    private static func read(_ location: FileLocation, name: String) throws(JournalError) -> [UInt8] {
      var connection: OpaquePointer?
      defer { sqlite3_close_v2(connection) }
      let system = try SQLiteFileSystem.own.registered(for: name)
      guard sqlite3_open_v2(location.path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, system) == SQLITE_OK else {
        throw .system(connection.map { sqlite3_system_errno($0) } ?? ENOMEM, in: name, doing: "open the file")
      }
      var file: UnsafeMutablePointer<sqlite3_file>?
      let code = withUnsafeMutablePointer(to: &file) { sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, $0) }
      guard code == SQLITE_OK, let file, let read = file.pointee.pMethods?.pointee.xRead else {
        throw JournalError(
          .failed, journal: name,
          message: "could not be inspected: this build of SQLite gives no access to its file. Link another build of SQLite.")
      }
      var bytes = [UInt8](repeating: 0, count: 100)
      let result = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, 100, 0) }
      // A short read fills the rest with zeros.
      guard result == SQLITE_OK || result == SQLITE_IOERR | 2 << 8 else {
        throw JournalError(.failed, journal: name, message: "could not be read (SQLite error \(result)). Check the disk.")
      }
      return bytes
    }
  }

  extension JournalError {
    /// The file has a format that this version does not know.
    static func newerFormat(_ name: String, found version: Int64) -> JournalError {
      JournalError(
        .newerFormat, journal: name,
        message: """
          has file format \(version); this version of Alter supports formats up to \(FileFormat.version). Nothing was changed. Update the \
          app that opens it.
          """)
    }

    /// Another process has converted the file to a newer format since this handle was opened.
    static func converted(_ name: String, to version: Int64) -> JournalError {
      JournalError(
        .newerFormat, journal: name,
        message: """
          was converted to file format \(version) while it was open here; this version supports formats up to \(FileFormat.version). This call wrote \
          nothing. Update the app, then open it again.
          """)
    }

    fileprivate static func notAJournal(_ name: String, _ what: String) -> JournalError {
      JournalError(.notAJournal, journal: name, message: "\(what). Nothing was changed. Choose another path.")
    }
  }
#endif
