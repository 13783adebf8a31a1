#if SQLite
  import AlterJournal

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension SQLiteJournal {
    /// Deletes the file of a closed journal, with all journals in it, and the files beside it. A process that has the file open would go on
    /// with a file that has no name any more.
    ///
    /// - Throws: ``/AlterJournal/JournalError`` if a file cannot be deleted. The database is deleted first, so nothing of it is read again.
    package func deleteFiles() throws(JournalError) {
      let location = file.location
      let helpers = [location.wal, location.shm, location.bell, location.talker(journal.number), location.lock]
      for path in [location.path] + helpers {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(errno, in: name, doing: "delete '\(path)'") }
      }
    }
  }
#endif
