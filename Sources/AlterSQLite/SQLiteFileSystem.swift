#if SQLite
  import AlterJournal
  import CAlterSQLite
  import GRDB
  import GRDBSQLite

  /// How SQLite sees the files of a journal: every connection is opened in one of these.
  ///
  /// Both are registered beside the process's default, which stays as it is for everybody else in the process.
  enum SQLiteFileSystem: Sendable {
    /// There are no rollback journals: `ALTER_SQLITE_VFS`.
    case own
    /// Nor is a log made, or its shared memory: for users who may not write the file.
    case guest

    private static let areRegistered = alter_sqlite_register_vfs() != 0

    private var name: String { self == .own ? ALTER_SQLITE_VFS : ALTER_SQLITE_GUEST_VFS }

    /// The name for `sqlite3_open_v2`.
    ///
    /// - Throws: `failed` when this build of SQLite takes none.
    func registered(for journal: String) throws(JournalError) -> String {
      guard Self.areRegistered else { throw Self.missing(journal) }
      return name
    }

    /// What a connection is opened by: a URI, which names the file system.
    ///
    /// - Parameter isImmutable: Whether the file is read alone: no log, no locks, no other file.
    func uri(of path: String, isImmutable: Bool = false, for journal: String) throws(JournalError) -> String {
      let unreserved = Set("/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
      let escaped = path.utf8.map { byte in
        if unreserved.contains(byte) { return String(UnicodeScalar(byte)) }
        let digits = String(byte, radix: 16)
        return digits.count < 2 ? "%0" + digits : "%" + digits
      }
      let options = (self == .guest ? "&readonly_shm=1" : "") + (isImmutable ? "&immutable=1" : "")
      return "file:\(escaped.joined())?vfs=\(try registered(for: journal))\(options)"
    }

    /// Makes sure that a connection was opened in one of them.
    static func check(_ database: Database, name: String) throws(JournalError) {
      guard alter_sqlite_uses_vfs(database.sqliteConnection) != 0 else { throw missing(name) }
    }

    private static func missing(_ name: String) -> JournalError {
      JournalError(
        .failed, journal: name,
        message:
          "could not be opened safely: this build of SQLite does not accept Alter's file system. Nothing was changed. Link another build.")
    }
  }
#endif
