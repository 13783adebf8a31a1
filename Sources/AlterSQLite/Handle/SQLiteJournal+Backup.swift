#if SQLite
  public import AlterJournal
  import GRDB

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension SQLiteJournal {
    /// Writes a copy of the file as it is at one moment. Other handles may read and write meanwhile.
    ///
    /// The copy contains every journal of the file, and their snapshots. It keeps the journal ids, so a store that finds the copy in the
    /// place of the original detects that history went back. The copy is complete and synced before it gets its name.
    ///
    /// - Parameter path: The path of the copy. The folder must exist, and there must be no file at the path.
    /// - Throws: ``/AlterJournal/JournalError``: `conflict` if a file exists at the path, which stays unmodified; `unreachable`, `full` or
    ///   `failed` if the copy cannot be written; `damaged` if the file cannot be read; `locked` if this user may not write the journal and
    ///   another process wrote to it meanwhile.
    /// - Complexity: O(size of the file).
    public func backup(to path: String) async throws(JournalError) {
      let (name, source) = (name, self.path)
      try await WorkQueue("alter.sqlite.backup").run { () throws(JournalError) in
        try Backup(source: source, name: name).write(to: path)
      }
    }
  }

  /// One backup of a file.
  private struct Backup {
    let source: String
    let name: String

    func write(to path: String) throws(JournalError) {
      let target = try FileLocation(path, name: name)
      guard FileStatus(path: target.path) == nil else { throw exists(target.path) }
      let temporary = target.path + HelperName.backup.rawValue
      // The lock is held to the end. A process that finds the file and can lock it knows that it was left by a process that was killed.
      let descriptor = try take(temporary)
      // After that the temporary name is free for another backup.
      var isMoved = false
      defer {
        if !isMoved { unlink(temporary) }
        close(descriptor)
      }
      try copy(to: temporary)
      try sync(temporary)
      // Unlike a rename, a link never replaces an existing file.
      if link(temporary, target.path) != 0 {
        if errno == EEXIST { throw exists(target.path) }
        try moveWithoutLinks(temporary, to: target.path)
        isMoved = true
      }
      do { try sync(target.folder) } catch {
        // The copy was not reported as complete, and it would block the next attempt.
        unlink(target.path)
        throw error
      }
    }

    /// Creates the temporary file, empty, and locks it.
    private func take(_ path: String) throws(JournalError) -> Int32 {
      for _ in 0..<2 {
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 || errno == EEXIST else { throw .system(errno, in: name, doing: "create '\(path)'") }
        let descriptor = made >= 0 ? made : open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { continue }
        let isOurs: Bool
        do { isOurs = try lock(descriptor, path) } catch {
          if made >= 0 { unlink(path) }
          close(descriptor)
          throw error
        }
        if isOurs, made >= 0 { return made }
        if isOurs { unlink(path) }
        close(descriptor)
        guard isOurs else { break }
      }
      throw exists(path)
    }

    /// Locks the temporary file; false if another backup has locked it first, or has replaced it.
    private func lock(_ descriptor: Int32, _ path: String) throws(JournalError) -> Bool {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        if errno == EWOULDBLOCK { return false }
        throw .system(errno, in: name, doing: "lock '\(path)'")
      }
      guard let file = FileStatus(descriptor: descriptor) else { throw .system(errno, in: name, doing: "inspect '\(path)'") }
      guard let there = FileStatus(path: path) else {
        if errno == ENOENT { return false }
        throw .system(errno, in: name, doing: "inspect '\(path)'")
      }
      return file.isSameFile(as: there)
    }

    private func copy(to path: String) throws(JournalError) {
      try HelperFile.checkForReading(FileLocation(source, name: name), name: name)
      try translating(name, "back it up") {
        try SeparateConnection(path: source, name: name, participle: "backed up").use { database in
          // In WAL mode this reads the content of one moment, and does not block writers.
          do { try database.run("VACUUM INTO ?", path) } catch let error as DatabaseError
            where [.SQLITE_ERROR, .SQLITE_READONLY].contains(error.resultCode)
          {
            // In other places these codes mean damage, and a file without permissions. Here they mean that the copy cannot be written.
            throw JournalError(
              .failed, journal: name,
              message: "could not be backed up: SQLite says '\(error.message ?? "")'. Check the disk that the copy is for, then try again.")
          }
        }
      }
    }

    /// Moves the copy into place on a file system without hard links. It creates the target first, so that no other process can take the
    /// name.
    private func moveWithoutLinks(_ temporary: String, to path: String) throws(JournalError) {
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        if errno == EEXIST { throw exists(path) }
        throw .system(errno, in: name, doing: "create '\(path)'")
      }
      close(descriptor)
      guard rename(temporary, path) == 0 else {
        let code = errno
        unlink(path)
        throw .system(code, in: name, doing: "move the copy into place")
      }
    }

    private func sync(_ path: String) throws(JournalError) {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .system(errno, in: name, doing: "sync '\(path)'") }
      defer { close(descriptor) }
      let code = syncToDisk(descriptor)
      guard code == 0 else { throw .system(code, in: name, doing: "sync '\(path)'") }
    }

    private func exists(_ path: String) -> JournalError {
      JournalError(
        .conflict, journal: name,
        message: "was not backed up: '\(path)' exists already. It was not changed. Choose another path.")
    }
  }
#endif
