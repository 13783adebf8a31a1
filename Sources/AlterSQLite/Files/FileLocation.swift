#if SQLite
  import AlterJournal

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The paths of a journal's file and of the files beside it.
  ///
  /// ```
  /// todo.db        the SQLite database           todo.db-wal, todo.db-shm   created by SQLite
  /// todo.db-journal     never created, and refused: SQLite would overwrite the database by it
  /// todo.db-lock   locked by the handle that writes    todo.db-bell         written after each commit: wakes other handles
  /// todo.db-new    a new database, moved to todo.db when it is complete
  /// todo.db-holder-…    locked while the holder of a lease is alive: `HolderFiles`
  /// todo.db-talker-…    locked by the process that talks to the server of a synced journal: `TalkerLock`
  /// ```
  struct FileLocation: Sendable {
    /// Absolute and without symbolic links, so that all processes use the same lock for one file.
    let path: String

    var lock: String { path + HelperName.lock.rawValue }
    var bell: String { path + HelperName.bell.rawValue }
    var wal: String { path + HelperName.wal.rawValue }
    var shm: String { path + HelperName.shm.rawValue }
    var journal: String { path + HelperName.journal.rawValue }
    var temporary: String { path + HelperName.new.rawValue }

    /// The lock file of the process that talks to the server for a journal of the file.
    func talker(_ journal: Int64) -> String { path + HelperName.talker.rawValue + "\(journal)" }

    /// The folder of the file.
    var folder: String {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
      return String(path[..<slash])
    }

    /// Resolves a path. The file need not exist.
    ///
    /// - Throws: `unreachable` if the folder does not exist or the path is a dangling symbolic link, which a new file would replace.
    init(_ path: String, name: String) throws(JournalError) {
      guard !path.isEmpty, !path.utf8.contains(0) else { throw .system(ENOENT, in: name, doing: "find the file") }
      if let resolved = Self.resolve(path) {
        self.path = try Self.checked(resolved, name: name)
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
      self.path = try Self.checked((folder == "/" ? "" : folder) + "/" + parts[parts.count - 1], name: name)
    }

    /// SQLite on Unix opens paths of less than 512 bytes, and the files beside a journal have up to 12 more, such as '-new-journal'.
    static let longestPath = 500

    /// Checks the length of a path. SQLite reports a path that is too long as a file that can't be opened.
    private static func checked(_ path: String, name: String) throws(JournalError) -> String {
      guard path.utf8.count > longestPath else { return path }
      throw JournalError(
        .unreachable, journal: name,
        message:
          "can't be opened: its path has \(path.utf8.count) bytes, and SQLite allows \(longestPath). Choose a folder with a shorter path.")
    }

    /// The target of a symbolic link; nil if the path is not a link.
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

  /// The suffixes of the files beside a journal. Each file is checked when it is opened, so that a planted file cannot damage another one.
  package enum HelperName: String, CaseIterable, Sendable {
    case lock = "-lock"
    case bell = "-bell"
    case wal = "-wal"
    case shm = "-shm"
    /// SQLite's rollback journal. A database in WAL mode has none.
    case journal = "-journal"
    case new = "-new"
    /// Followed by the holder's 32 hexadecimal digits.
    case holder = "-holder-"
    /// Followed by the journal's number in the file.
    case talker = "-talker-"
    /// A backup that is being written, beside its target.
    case backup = "-backup"
  }

  /// The identity, the size and the kind of a file.
  struct FileStatus: Sendable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let isRegular: Bool
    let isFolder: Bool

    /// Reads the status of a path, following links; nil if the path does not exist or cannot be read (see `errno`).
    init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }

    /// Reads the status of an open descriptor.
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

    /// Reads the status of the path of a file that is open.
    ///
    /// - Throws: `diverged` if the path no longer exists; an error of the system if the status cannot be read.
    static func ofOpenFile(_ path: String, name: String) throws(JournalError) -> FileStatus {
      if let status = FileStatus(path: path) { return status }
      guard errno == ENOENT else { throw .system(errno, in: name, doing: "inspect the file") }
      throw .replaced(name, isMissing: true)
    }

    /// Whether both describe one file, under whatever name.
    func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
  }
#endif
