#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Creates a journal's file. A file of the journal's name is complete at every moment, even after a crash or a power loss.
  enum FileCreation {
    /// Creates the file under a temporary name and moves it into place. The caller holds the lock.
    ///
    /// - Throws: `damaged` if the bell or a log shows that a file was lost, which a new one must not replace; an error of the system or of
    ///   SQLite.
    static func make(_ location: FileLocation, key: String, replacingEmptyFile: Bool, name: String) throws(JournalError) {
      if replacingEmptyFile {
        let once = Doorbell.lastRung(at: location.bell)
        guard once == .zero else {
          throw .damaged(
            name, "the file is empty, but once held revision \(once) (to start from scratch instead, delete it and '\(location.bell)')")
        }
      }
      guard FileStatus(path: location.wal)?.size ?? 0 == 0 else {
        throw .damaged(
          name,
          """
          the file is \(replacingEmptyFile ? "empty" : "missing"), but '\(location.wal)' beside it holds changes that belong to it (put \
          the file back; or, to start from scratch, delete '\(location.wal)')
          """)
      }
      let temporary = location.temporary
      // The lock excludes other creators, so an existing file was left by a process that was killed.
      for leftover in [temporary, temporary + "-journal", temporary + "-wal", temporary + "-shm"] { unlink(leftover) }
      let made = try sync(temporary, creating: true, name: name)
      // A program that deletes the files beside a journal takes the lock and this file away. Another file of this name has another maker.
      var isMade: Bool { FileStatus(path: temporary)?.isSameFile(as: made) ?? false }
      do throws(JournalError) {
        try fill(temporary, key: key, name: name, isMade: { isMade })
        try sync(temporary, creating: false, name: name)
        guard isMade else { throw JournalError.replaced(name, isMissing: true) }
      } catch {
        guard isMade else { throw .replaced(name, isMissing: true) }
        for leftover in [temporary, temporary + "-journal", temporary + "-wal", temporary + "-shm"] { unlink(leftover) }
        throw error
      }
      unlink(location.wal)
      unlink(location.shm)
      guard rename(temporary, location.path) == 0 else { throw .system(errno, in: name, doing: "move the new file into place") }
      try sync(location.folder, creating: false, name: name)
      // The bell may have been rung for a file that was deleted since.
      unlink(location.bell)
    }

    private static func fill(_ path: String, key: String, name: String, isMade: () -> Bool) throws(JournalError) {
      try translating(name, "create the file") {
        var configuration = Configuration()
        // Another maker, whose file this one has replaced, may read it for a moment.
        configuration.busyMode = .timeout(5)
        let database = try DatabaseQueue(path: SQLiteFileSystem.own.uri(of: path, for: name), configuration: configuration)
        // The file is open now. If it has another maker, that one writes to it.
        guard isMade() else { throw JournalError.replaced(name, isMissing: true) }
        try database.inDatabase {
          try SQLiteFileSystem.check($0, name: name)
          try $0.checkWriting(name, doing: "create the file")
          try FileFormat.create(key: key, in: $0, name: name)
        }
        try database.close()
      }
    }

    /// Opens a file or folder, syncs it, and closes it.
    ///
    /// - Returns: Its status.
    @discardableResult
    private static func sync(_ path: String, creating: Bool, name: String) throws(JournalError) -> FileStatus {
      let flags = creating ? O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC : O_RDONLY | O_CLOEXEC
      let descriptor = open(path, flags, 0o600)
      guard descriptor >= 0 else { throw .system(errno, in: name, doing: "\(creating ? "make" : "sync") '\(path)'") }
      defer { close(descriptor) }
      let code = syncToDisk(descriptor)
      guard code == 0 else { throw .system(code, in: name, doing: "sync '\(path)'") }
      guard let status = FileStatus(descriptor: descriptor) else { throw .system(errno, in: name, doing: "inspect '\(path)'") }
      return status
    }
  }
#endif
