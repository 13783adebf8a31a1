#if SQLite
  import AlterJournal
  import CAlterSQLite
  import GRDB
  import GRDBSQLite

  /// SQLite's view of a journal's files. Every connection is opened in one of these file systems (VFS).
  ///
  /// Both are registered in addition to the process's default file system, which other code in the process continues to use.
  enum SQLiteFileSystem: Sendable {
    /// A file system without rollback journals: `ALTER_SQLITE_VFS`.
    case own
    /// The same, and no log or shared memory is created: for users who may not write the file.
    case guest

    private static let areRegistered = alter_sqlite_register_vfs() != 0

    private var name: String { self == .own ? ALTER_SQLITE_VFS : ALTER_SQLITE_GUEST_VFS }

    /// Returns the name for `sqlite3_open_v2`.
    ///
    /// - Throws: `failed` if this build of SQLite does not support file systems of applications.
    func registered(for journal: String) throws(JournalError) -> String {
      guard Self.areRegistered else { throw Self.missing(journal) }
      return name
    }

    /// Returns the URI for opening a connection. It names the file system.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - isImmutable: Whether the file is read alone, without log, locks and other files.
    ///   - journal: The name of the journal in errors.
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

    /// Checks that a connection was opened in one of the two file systems.
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
