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

  // Translates errors of SQLite and the system. GRDB's `description` is never used, because it contains the statement's arguments.
  extension JournalError {
    /// Translates a thrown error. A ``JournalError`` is returned unchanged.
    ///
    /// - Parameters:
    ///   - error: An error of SQLite, or a ``JournalError``.
    ///   - name: The name of the journal.
    ///   - activity: The failed activity as a verb, as in 'append'.
    static func translated(_ error: any Error, in name: String, doing activity: String) -> JournalError {
      if let error = error as? JournalError { return error }
      guard let error = error as? DatabaseError else {
        return JournalError(.failed, journal: name, message: "could not \(activity): \(type(of: error)). Close it and open it again.")
      }
      let why = "SQLite says '\(error.message ?? error.resultCode.description)' (\(error.extendedResultCode.rawValue))"
      switch error.resultCode {
      case .SQLITE_FULL:
        return JournalError(
          .full, journal: name,
          message: "could not \(activity): the disk is full (\(why)). Nothing was written. Free some space, then try again.")
      // SQLite found that the file at the path is not the open one. It reports that before the first write of a new file.
      case _ where error.extendedResultCode == .SQLITE_READONLY_DBMOVED: return .replaced(name, isMissing: true)
      case .SQLITE_READONLY:
        return JournalError(
          .readOnly, journal: name,
          message:
            "could not \(activity): it is read-only (\(why)). Make the file and its folder writable, or open it with isReadOnly: true.")
      case .SQLITE_CANTOPEN where lacksDescriptors: return .tooManyFiles(name, doing: activity, why)
      case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
        return JournalError(
          .unreachable, journal: name,
          message: "could not \(activity): its files can't be opened (\(why)). Check that the file and its folder exist and who owns them.")
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT:
        return .damaged(name, "could not \(activity): \(why)")
      case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
        return JournalError(
          .locked, journal: name,
          message: """
            could not \(activity): a program other than Alter keeps the database locked (\(why)). Nothing was written. End its \
            transaction, then try again.
            """)
      case _ where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
        return JournalError(
          .failed, journal: name,
          message: """
            could not \(activity): the file beside it that ends in '-shm' could not be extended (\(why)). The disk may be full: free some space, \
            then open it again.
            """)
      default:
        return JournalError(
          .failed, journal: name,
          message: "could not \(activity): \(why). Check the disk, then close the journal and open it again.")
      }
    }

    /// Translates the error number of a failed system call.
    static func system(_ code: Int32, in name: String, doing activity: String) -> JournalError {
      let why = String(cString: strerror(code))
      switch code {
      case ENOSPC, EDQUOT:
        return JournalError(.full, journal: name, message: "could not \(activity): \(why). Free some space, then try again.")
      case EROFS:
        return JournalError(
          .readOnly, journal: name, message: "could not \(activity): \(why). Choose another place, or open it with isReadOnly: true.")
      case EACCES, EPERM:
        return JournalError(
          .unreachable, journal: name, message: "could not \(activity): \(why). Check who owns the file and its folder.")
      case EMFILE, ENFILE: return .tooManyFiles(name, doing: activity, why)
      case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG:
        return JournalError(
          .unreachable, journal: name, message: "could not \(activity): \(why). Check the path; the folder must exist.")
      default:
        return JournalError(.failed, journal: name, message: "could not \(activity): \(why). Check the disk, then open it again.")
      }
    }

    /// SQLite could open a file only for reading, although nothing forbids to write it.
    static func opensOnlyForReading(_ name: String, doing activity: String) -> JournalError {
      JournalError(
        .failed, journal: name,
        message: """
          could not \(activity): SQLite could open it only for reading, although its permissions allow writing. Check the disk, then try again.
          """)
    }

    private static func tooManyFiles(_ name: String, doing activity: String, _ why: String) -> JournalError {
      JournalError(
        .unavailable, journal: name,
        message: """
          could not \(activity): the process may not open more files (\(why)). A journal needs \(JournalPlaces.descriptorsOfAFile). Close others, or \
          raise the limit (`ulimit -n`), then try again.
          """)
    }

    /// Whether the process has fewer free descriptors than a journal needs. SQLite does not report why it can't open a file.
    private static var lacksDescriptors: Bool {
      var free = 0
      var descriptor = getdtablesize()
      // The system gives away the smallest ones first.
      while descriptor > 0, free < JournalPlaces.descriptorsOfAFile {
        descriptor -= 1
        if fcntl(descriptor, F_GETFD) < 0 { free += 1 }
      }
      return free < JournalPlaces.descriptorsOfAFile
    }

    /// The file at the path is not the file that was opened.
    static func replaced(_ name: String, isMissing: Bool) -> JournalError {
      JournalError(
        .diverged, journal: name,
        message: """
          \(isMissing ? "is gone: its file was deleted or moved" : "is another file now: it was replaced") while it was open. Nothing was \
          written. \(isMissing
            ? "Put the file back and open it again; where it is missing, opening creates an empty journal."
            : "Close this store and open it again to continue with the present content.")
          """)
    }
  }
#endif
