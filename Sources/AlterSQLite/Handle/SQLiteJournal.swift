#if SQLite
  import AlterCore
  public import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif

  /// A journal in a SQLite file: the default for a single machine.
  ///
  /// ```swift
  /// let journal = try await SQLiteJournal(at: url)
  /// ```
  ///
  /// Any number of processes, and of handles in a process, may have the file open at once. They take turns by a lock file beside it, and
  /// detect each other's appends within milliseconds. The file is an ordinary SQLite database; its view `log` is for people with SQL tools.
  /// Do not write to the file with such tools. Copy it with ``backup(to:)`` or `VACUUM INTO`; copy the file itself only while no process
  /// has it open.
  ///
  /// The handles that this process has on one file share its connections, its lock and its descriptors: 7 in all, for any number of keys.
  /// Handles of another durability, and each handle for reading, have their own. All work on files runs on two dispatch queues of the file,
  /// one for writing and one for reading, so no thread of the cooperative pool is blocked.
  ///
  /// Complexity: an append costs O(entries appended · log of the journal's length) and, under ``/AlterJournal/Durability/full``, one sync
  /// of the disk; a lookup costs O(log of the length).
  public final class SQLiteJournal: Sendable {
    /// The name in errors: the path, followed by the key unless it is 'main'.
    public let name: String
    /// The path of the file: absolute, without symbolic links.
    package let path: String
    /// The key of this journal among the journals of the file.
    package let key: String
    /// The failures that an acknowledged append survives.
    package let durability: Durability

    let file: OpenFile
    let journal: OpenJournal

    /// Opens a journal, and creates its file if it is missing.
    ///
    /// A new file is complete before it gets its name, and has mode 0600; its folder is synced. A file of another kind, or of a newer
    /// format, is refused and not modified.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Its folder must exist.
    ///   - key: The key of the journal, of several in one file; without a zero byte.
    ///   - durability: The failures that an acknowledged append survives.
    ///   - lockTimeout: The longest time that an append, or this call, waits for another process, or for another turn in this one, before it throws
    ///     `locked`. While the handles of this process on the file write one after the other, none of them times out.
    ///   - isReadOnly: Whether to write nothing: no file or journal is created, and an append throws `readOnly`.
    /// - Throws: ``/AlterJournal/JournalError``: `notAJournal`, `newerFormat` or `damaged` for a file that must not be modified;
    ///   `unreachable`, `readOnly` or `full` if the file cannot be opened or created; `locked` after the timeout; `cancelled` if the task
    ///   was cancelled while waiting.
    public init(
      at path: String, key: String = "main", durability: Durability = .full, lockTimeout: Duration = .seconds(10), isReadOnly: Bool = false
    ) async throws(JournalError) {
      await ProcessTimers.prepare()
      let name = key == "main" ? path : "\(path) (\(key))"
      let opening = Opening(
        path: path, key: key, durability: durability, lockTimeout: lockTimeout, isReadOnly: isReadOnly, name: name)
      let wait = LockWait()
      let opened = await withTaskCancellationHandler {
        await Result { () async throws(JournalError) in try await OpenFiles.shared.open(opening, waiting: wait) }
      } onCancel: {
        wait.giveUp(.cancelled(name))
      }
      let row: JournalRow
      (file, row) = try opened.get()
      self.name = name
      self.path = file.location.path
      self.key = key
      self.durability = durability
      journal = OpenJournal(row, name: name, lockTimeout: lockTimeout, location: file.location)
      file.followers.add(journal)
    }

    /// Opens a journal, and creates its file if it is missing.
    ///
    /// - Parameters:
    ///   - url: The URL of the file. Its folder must exist.
    ///   - key: The key of the journal, of several in one file.
    ///   - durability: The failures that an acknowledged append survives.
    ///   - lockTimeout: The longest time that an append, or this call, waits for another process, or for another turn in this one, before it throws
    ///     `locked`. While the handles of this process on the file write one after the other, none of them times out.
    ///   - isReadOnly: Whether to write nothing: no file or journal is created, and an append throws `readOnly`.
    /// - Throws: ``/AlterJournal/JournalError``, as with a path; `unreachable` if the URL is not a file URL.
    public convenience init(
      at url: URL, key: String = "main", durability: Durability = .full, lockTimeout: Duration = .seconds(10), isReadOnly: Bool = false
    ) async throws(JournalError) {
      guard url.isFileURL else {
        throw JournalError(
          .unreachable, journal: url.absoluteString, message: "is not a file. A SQLite journal needs a file URL.")
      }
      try await self.init(at: url.path, key: key, durability: durability, lockTimeout: lockTimeout, isReadOnly: isReadOnly)
    }

    /// Returns whether a file has a journal. Nothing is created.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - key: The key of the journal.
    /// - Throws: ``/AlterJournal/JournalError`` if the file can't be read, as for opening.
    public static func exists(at path: String, key: String = "main") async throws(JournalError) -> Bool {
      let opening = Opening(
        path: path, key: key, durability: .full, lockTimeout: .zero, isReadOnly: true, name: key == "main" ? path : "\(path) (\(key))")
      return try await WorkQueue("alter.sqlite.reader").run { () throws(JournalError) in try opening.exists() }
    }

    deinit { if !journal.isClosed { _ = closing() } }

    /// The closing of this handle, which begins with the first call.
    func closing() -> Task<Void, Never> { journal.close { [file, journal] in await file.close(journal) } }

    /// The settings of the writing connection, as read back from SQLite.
    package struct Settings: Sendable, Hashable {
      /// `PRAGMA journal_mode`.
      package let journalMode: String
      /// `PRAGMA synchronous`: 2 is FULL, 1 is NORMAL.
      package let synchronous: Int
      /// `PRAGMA wal_autocheckpoint`.
      package let walAutocheckpoint: Int
      /// `PRAGMA temp_store`: 2 is MEMORY.
      package let temporaryStore: Int
      /// `PRAGMA fullfsync`: 1 if commits are synced by `F_FULLFSYNC` on platforms that have it.
      package let fullSync: Int
      /// `PRAGMA checkpoint_fullfsync`: the same for checkpoints.
      package let checkpointFullSync: Int

      /// Creates settings to compare with.
      package init(
        journalMode: String, synchronous: Int, walAutocheckpoint: Int, temporaryStore: Int, fullSync: Int, checkpointFullSync: Int
      ) {
        self.journalMode = journalMode
        self.synchronous = synchronous
        self.walAutocheckpoint = walAutocheckpoint
        self.temporaryStore = temporaryStore
        self.fullSync = fullSync
        self.checkpointFullSync = checkpointFullSync
      }
    }

    /// Reads the writing connection's settings back from SQLite.
    package func settings() async throws(JournalError) -> Settings {
      let (name, writer) = (name, file.writer)
      try journal.checkOpen()
      return try await file.writing.run { () throws(JournalError) in
        guard let writer else { throw .readOnly(name) }
        return try translating(name, "read its settings") {
          try writer.database.inDatabase { database in
            func number(_ sql: String) throws -> Int { Int(clamping: try database.number(sql) ?? -1) }
            return Settings(
              journalMode: try database.text("PRAGMA journal_mode") ?? "",
              synchronous: try number("PRAGMA synchronous"),
              walAutocheckpoint: try number("PRAGMA wal_autocheckpoint"),
              temporaryStore: try number("PRAGMA temp_store"),
              fullSync: try number("PRAGMA fullfsync"),
              checkpointFullSync: try number("PRAGMA checkpoint_fullfsync"))
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
