#if SQLite
  import AlterJournal

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Where a journal's file and the files beside it are.
  ///
  /// ```
  /// todo.db        the SQLite database           todo.db-wal, todo.db-shm   SQLite's own
  /// todo.db-journal     never made, and refused: SQLite would change the database by it
  /// todo.db-lock   held while somebody writes    todo.db-bell               written after each commit: wakes the others
  /// todo.db-new    a database being made, moved to todo.db when it is complete
  /// todo.db-holder-…    locked while the holder of a lease is alive: `HolderFiles`
  /// ```
  struct FileLocation: Sendable {
    /// Absolute, without symbolic links, so that every process that means this file locks the same lock.
    let path: String

    var lock: String { path + HelperName.lock.rawValue }
    var bell: String { path + HelperName.bell.rawValue }
    var wal: String { path + HelperName.wal.rawValue }
    var shm: String { path + HelperName.shm.rawValue }
    var journal: String { path + HelperName.journal.rawValue }
    var temporary: String { path + HelperName.new.rawValue }

    /// The folder that the file is in.
    var folder: String {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
      return String(path[..<slash])
    }

    /// Resolves a path, whether there is a file yet or not.
    ///
    /// - Throws: `unreachable` when its folder does not exist, or the path is a link that leads nowhere: a file made there would take the link's place.
    init(_ path: String, name: String) throws(JournalError) {
      guard !path.isEmpty, !path.utf8.contains(0) else { throw .system(ENOENT, in: name, doing: "find the file") }
      if let resolved = Self.resolve(path) {
        self.path = resolved
        return
      }
      guard errno == ENOENT, path.last != "/" else { throw .system(errno, in: name, doing: "find the file") }
      if let target = Self.target(ofLink: path) {
        throw JournalError(
          .unreachable, journal: name,
          message: """
            can't be opened: '\(path)' is a symbolic link to '\(target)', which does not exist. Nothing was created. If the target is on a disk that is not mounted, mount \
            the disk; otherwise delete the link. Then try again.
            """)
      }
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      let parent = parts.count == 1 ? "." : parts.dropLast().joined(separator: "/")
      guard let folder = Self.resolve(parent.isEmpty ? "/" : parent) else {
        throw .system(errno, in: name, doing: "find its folder '\(parent)'")
      }
      self.path = (folder == "/" ? "" : folder) + "/" + parts[parts.count - 1]
    }

    /// What a symbolic link says that it leads to; nil when there is none.
    private static func target(ofLink path: String) -> String? {
      var bytes = [CChar](repeating: 0, count: 4_096)
      let count = readlink(path, &bytes, bytes.count)
      return count < 0 ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func resolve(_ path: String) -> String? {
      guard let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      return String(cString: resolved)
    }
  }

  /// What the names of the files beside a journal end with. Each is opened by somebody: whatever lies there, nothing else comes to harm.
  package enum HelperName: String, CaseIterable, Sendable {
    case lock = "-lock"
    case bell = "-bell"
    case wal = "-wal"
    case shm = "-shm"
    /// SQLite's rollback journal, which a database in WAL mode doesn't have.
    case journal = "-journal"
    case new = "-new"
    /// And the holder's 32 hexadecimal digits.
    case holder = "-holder-"
    /// Beside a backup's target.
    case backup = "-backup"
  }

  /// Which file it is, whatever it is called, and how long it is.
  struct FileStatus: Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let isRegular: Bool
    let isFolder: Bool

    /// What the path leads to now; nil when there is nothing, or it can't be seen (`errno` tells).
    init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }

    /// What an open descriptor leads to.
    init?(descriptor: Int32) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return nil }
      self.init(status)
    }

    private init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(status.st_ino)
      size = Int64(status.st_size)
      isRegular = status.st_mode & S_IFMT == S_IFREG
      isFolder = status.st_mode & S_IFMT == S_IFDIR
    }

    /// What the path leads to, of a file that is open.
    ///
    /// - Throws: `diverged` when there is nothing any more; what the system says when it can't be seen.
    static func ofOpenFile(_ path: String, name: String) throws(JournalError) -> FileStatus {
      if let status = FileStatus(path: path) { return status }
      guard errno == ENOENT else { throw .system(errno, in: name, doing: "inspect the file") }
      throw .replaced(name, isMissing: true)
    }

    /// Whether both are one file.
    func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
  }
#endif
