#if SQLite
  import AlterJournal

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// What may lie beside a journal's file under the name of one of its helpers, and how it is opened.
  ///
  /// Whoever may write into the folder may put anything there: a link that leads to somebody's file, which would be emptied; a pipe, at which opening
  /// would wait for ever. So only a regular file with one name is opened, without following links and without waiting.
  enum HelperFile {
    /// Whose file it may be. Root may open anybody's.
    enum Owner {
      /// The user's.
      case user
      /// The user's, root's, or that of the owner of the journal's file: for what SQLite makes itself.
      case whoOwns(path: String)
      /// Anybody's: for what is only looked at, and proves nothing.
      case anybody
    }

    /// Everything beside a journal that a handle which writes would use.
    static func checkForWriting(_ location: FileLocation, name: String) throws(JournalError) {
      for path in [location.lock, location.bell] { try check(path, of: .user, name: name) }
      try checkForReading(location, name: name)
    }

    /// What SQLite uses itself.
    static func checkForReading(_ location: FileLocation, name: String) throws(JournalError) {
      for path in [location.wal, location.shm] { try check(path, of: .whoOwns(path: location.path), name: name) }
      try checkNoRollback(location, name: name)
    }

    /// Refuses a rollback journal. A journal is in WAL mode from its birth and never has one, so somebody else has made it: SQLite would overwrite the database by it.
    ///
    /// An empty one says nothing to SQLite. The file systems of `SQLiteFileSystem` make sure that one which comes later isn't seen.
    static func checkNoRollback(_ location: FileLocation, name: String) throws(JournalError) {
      try check(location.journal, of: .whoOwns(path: location.path), name: name)
      var status = stat()
      guard lstat(location.journal, &status) == 0, status.st_size > 0 else { return }
      throw JournalError(
        .unreachable, journal: name,
        message: """
          can't be opened: '\(location.journal)' beside it is a rollback journal of SQLite, which would overwrite the file. A journal of Alter has none. Nothing \
          was changed. Check where it comes from, move it away or delete it, then try again.
          """)
    }

    /// Refuses what is at a path, unless it is nothing or a file that may be used.
    static func check(_ path: String, of owner: Owner, name: String) throws(JournalError) {
      var status = stat()
      // What can't be seen can't be opened either, and then the error says why.
      guard lstat(path, &status) == 0, let what = complaint(about: status, of: owner) else { return }
      throw refused(path, what, name: name)
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - flags: How, beside `O_NOFOLLOW`, `O_NONBLOCK` and `O_CLOEXEC`. A file that is made has mode 0600.
    ///   - journal: The journal's file. What root makes beside it belongs to that one's owner, as SQLite's own files do: else its owner could not open it.
    /// - Throws: `unreachable` when there is something else; what the system says.
    static func open(_ path: String, _ flags: Int32, of owner: Owner, beside journal: String? = nil, name: String) throws(JournalError)
      -> Int32
    {
      // Before it is opened: opening a device may do something already.
      try check(path, of: owner, name: name)
      let descriptor = openOrMake(path, flags, beside: journal)
      guard descriptor >= 0 else {
        let code = errno
        // It came in between.
        try check(path, of: owner, name: name)
        throw .system(code, in: name, doing: "open '\(path)'")
      }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else {
        let code = errno
        close(descriptor)
        throw .system(code, in: name, doing: "inspect '\(path)'")
      }
      // Without a name it was deleted meanwhile: who locks it finds that out.
      guard let what = complaint(about: status, of: owner) else { return descriptor }
      close(descriptor)
      throw refused(path, what, name: name)
    }

    private static func openOrMake(_ path: String, _ flags: Int32, beside journal: String?) -> Int32 {
      var file = stat()
      guard flags & O_CREAT != 0, geteuid() == 0, let journal, stat(journal, &file) == 0, file.st_uid != 0 else {
        return systemOpen(path, flags)
      }
      while true {
        let there = systemOpen(path, flags & ~O_CREAT)
        guard there < 0, errno == ENOENT else { return there }
        let made = systemOpen(path, flags | O_EXCL)
        // Another process was faster.
        guard made >= 0 || errno != EEXIST else { continue }
        if made >= 0 { _ = fchown(made, file.st_uid, file.st_gid) }
        return made
      }
    }

    private static func complaint(about status: stat, of owner: Owner) -> String? {
      switch status.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFLNK: return "is a symbolic link"
      case S_IFDIR: return "is a folder"
      case S_IFIFO: return "is a named pipe"
      case S_IFSOCK: return "is a socket"
      default: return "is a device"
      }
      guard status.st_nlink <= 1 else { return "has another name, too (it is a hard link)" }
      let user = geteuid()
      guard user != 0, status.st_uid != user else { return nil }
      switch owner {
      case .anybody: return nil
      case .user: break
      case .whoOwns(let path):
        var file = stat()
        if status.st_uid == 0 || stat(path, &file) == 0 && file.st_uid == status.st_uid { return nil }
      }
      return "belongs to another user (\(status.st_uid))"
    }

    private static func refused(_ path: String, _ what: String, name: String) -> JournalError {
      JournalError(
        .unreachable, journal: name,
        message: """
          can't be opened: '\(path)' beside it \(what), but should be a separate file. Nothing was changed. Check where it comes from, delete it, \
          then try again.
          """)
    }

    private static func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
      let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
      #if canImport(Darwin)
        return Darwin.open(path, flags, 0o600)
      #elseif canImport(Glibc)
        return Glibc.open(path, flags, 0o600)
      #else
        return Musl.open(path, flags, 0o600)
      #endif
    }
  }
#endif
