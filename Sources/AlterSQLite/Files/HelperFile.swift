#if SQLite
  import AlterJournal

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Checks the files beside a journal and opens them.
  ///
  /// A user who may write to the folder can put anything there: a link to another file, which would be truncated, or a pipe, which would
  /// block the process that opens it. Therefore only a regular file with a single name is opened, without following links and without
  /// blocking.
  enum HelperFile {
    /// The permitted owners of a file. Root may open a file of any owner.
    enum Owner {
      /// The user of this process.
      case user
      /// The user of this process, root, or the owner of the journal's file: for files that SQLite creates itself.
      case whoOwns(path: String)
      /// Any user: for a file that is only read as a hint.
      case anybody
    }

    /// Checks the journal's file and all files beside it that a writing handle uses.
    static func checkForWriting(_ location: FileLocation, name: String) throws(JournalError) {
      try checkJournal(location, of: .user, name: name)
      for path in [location.lock, location.bell] { try check(path, of: .user, name: name) }
      try checkForReading(location, name: name)
    }

    /// Checks the journal's file and the files beside it that SQLite itself uses.
    static func checkForReading(_ location: FileLocation, name: String) throws(JournalError) {
      try checkJournal(location, of: .anybody, name: name)
      for path in [location.wal, location.shm] { try check(path, of: .whoOwns(path: location.path), name: name) }
      try checkNoRollback(location, name: name)
    }

    /// Refuses a journal's file that has several names, or that another user owns. A missing file is accepted, and so is one of another kind,
    /// whose header is checked later.
    ///
    /// A lock, a log and a bell belong to one name. Processes that open a file by two names would write it without a common lock, and lose
    /// acknowledged changes.
    private static func checkJournal(_ location: FileLocation, of owner: Owner, name: String) throws(JournalError) {
      var status = stat()
      guard lstat(location.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let what = complaint(about: status, of: owner),
        status.st_nlink <= 1 || !isFreshBackup(location, status)
      else { return }
      let remedy =
        status.st_nlink > 1
        ? "Processes that open it by different names would overwrite each other's changes. Delete its other names ('find' with '-samefile' lists them), or copy it"
        : "Only its owner can write it, because the files beside it belong to one user. Open it for reading, or keep it in a database for several users"
      throw JournalError(
        .unreachable, journal: name, message: "can't be opened: '\(location.path)' \(what). \(remedy). Nothing was changed.")
    }

    /// Whether the second name of a file is that of a backup that was interrupted, or that is about to end.
    private static func isFreshBackup(_ location: FileLocation, _ status: stat) -> Bool {
      var other = stat()
      return status.st_nlink == 2 && lstat(location.path + HelperName.backup.rawValue, &other) == 0 && other.st_ino == status.st_ino
        && other.st_dev == status.st_dev
    }

    /// Refuses a rollback journal. A journal of Alter is always in WAL mode and has no rollback journal, so another program has created it,
    /// and SQLite would overwrite the database by it.
    ///
    /// SQLite ignores an empty one. The file systems of `SQLiteFileSystem` hide one that appears later.
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

    /// Refuses a file that may not be used. A missing file is accepted.
    static func check(_ path: String, of owner: Owner, name: String) throws(JournalError) {
      var status = stat()
      // A file whose status cannot be read cannot be opened either, and opening it reports the reason.
      guard lstat(path, &status) == 0, let what = complaint(about: status, of: owner) else { return }
      throw refused(path, what, name: name)
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - flags: The flags in addition to `O_NOFOLLOW`, `O_NONBLOCK` and `O_CLOEXEC`. A new file has mode 0600.
    ///   - owner: The permitted owner.
    ///   - journal: The journal's file. A file that root creates beside it gets the owner of the journal's file, as SQLite's own files do;
    ///     otherwise that owner could not open it.
    ///   - name: The name of the journal in errors.
    /// - Throws: `unreachable` if there is something else at the path; an error of the system.
    static func open(_ path: String, _ flags: Int32, of owner: Owner, beside journal: String? = nil, name: String) throws(JournalError)
      -> Int32
    {
      // Checked before opening, because opening a device may have an effect.
      try check(path, of: owner, name: name)
      let descriptor = openOrMake(path, flags, beside: journal)
      guard descriptor >= 0 else {
        let code = errno
        // It may have appeared in between.
        try check(path, of: owner, name: name)
        throw .system(code, in: name, doing: "open '\(path)'")
      }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else {
        let code = errno
        close(descriptor)
        throw .system(code, in: name, doing: "inspect '\(path)'")
      }
      // A file without a name was deleted meanwhile. The code that locks it detects that.
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
        // Another process created it first.
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
