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

  /// A connection for reading, and the state of the file that it reads.
  struct ReadingConnection {
    let database: DatabaseQueue
    /// The state of the file, if the file is read without its log; nil if SQLite reads both.
    let alone: FileMoment?

    /// Whether reads are up to date: either SQLite ensures it, or no process has written since the connection was opened.
    func isCurrent(_ location: FileLocation) -> Bool { alone.map { $0 == FileMoment(location) } ?? true }
  }

  /// The state of a file at a moment at which its log was empty.
  ///
  /// Every write goes to the log first, and stays there until it is in the file. So while two such states are equal, the file is complete
  /// and does not change. It may then be read without a lock, a log, or shared memory.
  struct FileMoment: Sendable, Equatable {
    private let inode: UInt64
    private let device: UInt64
    private let size: Int64
    private let changes: [Int]

    /// Reads the present state; nil if the log is not empty, or if the file's status cannot be read.
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
    /// Whether this user may write the file and create others beside it. If not, SQLite must not create its files: the owner of the journal
    /// could neither use nor remove them.
    var isWritable: Bool {
      faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 && faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0
    }
  }
#endif
