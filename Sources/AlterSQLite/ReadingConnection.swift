#if SQLite
  import AlterJournal
  import GRDB

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A connection for reading, and what it sees.
  struct ReadingConnection {
    let database: DatabaseQueue
    /// As what the file is read alone, without its log; nil when SQLite sees both.
    let alone: FileMoment?

    /// Whether what was read is what is there: nobody has written since it was opened, or SQLite takes care of that.
    func isCurrent(_ location: FileLocation) -> Bool { alone.map { $0 == FileMoment(location) } ?? true }
  }

  /// How a file and its log were at a moment at which the log held nothing.
  ///
  /// Whatever is written comes into the log first, and stays there until the file has it. So while two such moments are the same, the file is whole and doesn't change: it may be read
  /// without a lock, and without the log and the shared memory that SQLite would make.
  struct FileMoment: Sendable, Equatable {
    private let inode: UInt64
    private let device: UInt64
    private let size: Int64
    private let changes: [Int]

    /// The file now; nil when its log holds something, or it can't be seen.
    init?(_ location: FileLocation) {
      var status = stat()
      guard FileStatus(path: location.wal)?.size ?? 0 == 0, stat(location.path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(status.st_ino)
      size = Int64(status.st_size)
      #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
      #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
      #endif
      changes = [Int(modified.tv_sec), Int(modified.tv_nsec), Int(changed.tv_sec), Int(changed.tv_nsec)]
    }
  }

  extension FileLocation {
    /// Whether this user may write the file and make others beside it. Who may not must not make SQLite's: the owner could neither use nor remove them.
    var isWritable: Bool {
      faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 && faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0
    }
  }
#endif
