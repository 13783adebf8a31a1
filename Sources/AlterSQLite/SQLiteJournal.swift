#if SQLite
  import AlterCore
  public import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  /// A journal in a SQLite file: the embedded default.
  ///
  /// ```swift
  /// let journal = try await SQLiteJournal(at: url)
  /// ```
  ///
  /// Any number of processes, and of handles in a process, may have the file open at once. They take turns through a lock file beside
  /// it and notice each other's appends within milliseconds. The file is an ordinary SQLite database; its view `log` is for
  /// people with SQL tools. Don't write to it with them, and copy it only while nobody has it open, or with `VACUUM INTO`.
  ///
  /// All work on files is done on two threads of the journal's own, one for writing and one for reading: no task's thread is ever blocked.
  ///
  /// Complexity: an append takes O(entries appended · log of the journal's length) and, under ``/AlterJournal/Durability/full``, one sync
  /// of the disk; a lookup O(log of the length).
  public final class SQLiteJournal: Sendable {
    /// What errors call it: the path, and the key unless it is "main".
    public let name: String
    /// Absolute, without symbolic links.
    public let path: String
    /// Which of the file's journals it is.
    public let key: String
    /// What an acknowledged append survives.
    public let durability: Durability

    let writer: Writer?
    let reader: Reader
    let writing: WorkQueue
    let reading: WorkQueue
    let turns: TurnQueue
    let waiters: RevisionCount
    let watch: BellWatch
    /// The turn that the lock is held for.
    let turn = Lock<ObjectIdentifier?>(nil)

    /// Opens a journal, and makes its file if there is none.
    ///
    /// A new file is complete before it bears its name, has mode 0600, and its folder is synced. A file that is something else, or of a
    /// newer format, is refused and not touched.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder must exist.
    ///   - key: Which journal, of several in one file.
    ///   - durability: What an acknowledged append survives.
    ///   - lockTimeout: How long to wait for another process that is writing before an append, or this call, throws `locked`.
    ///   - isReadOnly: Whether to leave everything as it is: nothing is made, and an append throws `readOnly`.
    /// - Throws: ``/AlterJournal/JournalError``: `notAJournal`, `newerFormat` or `damaged` for what must not be touched; `unreachable`, `readOnly` or `full` for
    ///   what can't be opened or made; `locked` when the wait was too long; `cancelled` when the task was cancelled while waiting.
    public init(
      at path: String, key: String = "main", durability: Durability = .full, lockTimeout: Duration = .seconds(10), isReadOnly: Bool = false
    ) async throws(JournalError) {
      let name = key == "main" ? path : "\(path) (\(key))"
      let writing = WorkQueue("alter.sqlite.writer")
      let opening = Opening(
        path: path, key: key, durability: durability, lockTimeout: lockTimeout, isReadOnly: isReadOnly, name: name)
      let wait = LockWait()
      let opened = try await withTaskCancellationHandler {
        await writing.result { () throws(JournalError) in try opening.open(waiting: wait) }
      } onCancel: {
        wait.giveUp(.cancelled(name))
      }.get()
      self.name = name
      self.path = opened.location.path
      self.key = key
      self.durability = durability
      self.writing = writing
      writer = opened.writer
      reader = opened.reader
      let reading = WorkQueue("alter.sqlite.reader")
      self.reading = reading
      turns = TurnQueue(journal: name)
      let waiters = RevisionCount(journal: name)
      self.waiters = waiters
      let reader = opened.reader
      let bell = opened.writer?.bell
      watch = BellWatch(path: opened.location.bell, queue: reading.dispatchQueue, tellsOfOthers: { bell?.tellsOfOthers ?? true }) {
        do throws(JournalError) {
          try reader.checkIdentity()
          waiters.advance(to: try reader.head().revision)
        } catch {
          // What can't be read now is tried again at the next ring or second; a reader who asks is told why. But nothing comes any more in a file
          // that was deleted or replaced.
          if error.code == .diverged { waiters.finish(error) }
        }
      }
      bell?.spare(watch)
    }

    /// Opens a journal, and makes its file if there is none.
    ///
    /// - Parameters:
    ///   - url: The file. Its folder must exist.
    ///   - key: Which journal, of several in one file.
    ///   - durability: What an acknowledged append survives.
    ///   - lockTimeout: How long to wait for another process that is writing before an append, or this call, throws `locked`.
    ///   - isReadOnly: Whether to leave everything as it is: nothing is made, and an append throws `readOnly`.
    /// - Throws: ``/AlterJournal/JournalError``, as with a path; `unreachable` when it is no file URL.
    public convenience init(
      at url: URL, key: String = "main", durability: Durability = .full, lockTimeout: Duration = .seconds(10), isReadOnly: Bool = false
    ) async throws(JournalError) {
      guard url.isFileURL else {
        throw JournalError(
          .unreachable, journal: url.absoluteString, message: "is not a file. A SQLite journal needs a file URL.")
      }
      try await self.init(at: url.path, key: key, durability: durability, lockTimeout: lockTimeout, isReadOnly: isReadOnly)
    }

    deinit {
      let (writer, reader, writing, reading) = (writer, reader, writing, reading)
      writing.enqueue { SQLiteJournal.close(writer, reader, reading: reading) }
    }

    /// Closes the connections, on the writing queue.
    static func close(_ writer: Writer?, _ reader: Reader, reading: WorkQueue) {
      if let writer { writer.close(reader, on: reading) } else { reading.runAndWait { reader.close() } }
    }

    /// What the writing connection is set to, read back from SQLite.
    package struct Settings: Sendable, Hashable {
      /// `PRAGMA journal_mode`.
      package let journalMode: String
      /// `PRAGMA synchronous`: 2 is FULL, 1 is NORMAL.
      package let synchronous: Int
      /// `PRAGMA wal_autocheckpoint`.
      package let walAutocheckpoint: Int
      /// `PRAGMA fullfsync`: 1 when commits are synced by `F_FULLFSYNC` where there is such a thing.
      package let fullSync: Int
      /// `PRAGMA checkpoint_fullfsync`: the same for checkpoints.
      package let checkpointFullSync: Int

      /// Settings to compare with.
      package init(journalMode: String, synchronous: Int, walAutocheckpoint: Int, fullSync: Int, checkpointFullSync: Int) {
        self.journalMode = journalMode
        self.synchronous = synchronous
        self.walAutocheckpoint = walAutocheckpoint
        self.fullSync = fullSync
        self.checkpointFullSync = checkpointFullSync
      }
    }

    /// Reads the writing connection's settings back from SQLite.
    package func settings() async throws(JournalError) -> Settings {
      let (name, writer) = (name, writer)
      return try await writing.run { () throws(JournalError) in
        guard let writer else { throw .readOnly(name) }
        return try translating(name, "read its settings") {
          try writer.database.inDatabase { database in
            Settings(
              journalMode: try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "",
              synchronous: try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1,
              walAutocheckpoint: try Int.fetchOne(database, sql: "PRAGMA wal_autocheckpoint") ?? -1,
              fullSync: try Int.fetchOne(database, sql: "PRAGMA fullfsync") ?? -1,
              checkpointFullSync: try Int.fetchOne(database, sql: "PRAGMA checkpoint_fullfsync") ?? -1)
          }
        }
      }
    }
  }

  extension JournalError {
    static func readOnly(_ name: String) -> JournalError {
      JournalError(.readOnly, journal: name, message: "was opened for reading only. Open it without isReadOnly to write.")
    }
  }
#endif
