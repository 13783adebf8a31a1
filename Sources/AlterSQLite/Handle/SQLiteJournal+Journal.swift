#if SQLite
  public import AlterCore
  public import AlterJournal

  extension SQLiteJournal: Journal {
    /// Returns the present end of the journal.
    public func head() async throws(JournalError) -> Head {
      try await read { reader, journal throws(JournalError) in try reader.head(of: journal) }
    }

    /// Returns the last entry that a compacted journal or a device's copy does not have; nil for a journal that begins with revision 1.
    public func floor() async throws(JournalError) -> Head? {
      try await read { reader, journal throws(JournalError) in try reader.floor(of: journal) }
    }

    /// Reads consecutive entries. A page ends with the entry that reaches 4 MiB.
    public func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
      try await read { reader, journal throws(JournalError) in try reader.entries(of: journal, after: revision, limit: limit) }
    }

    /// Looks up an entry by its id.
    public func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
      try await read { reader, journal throws(JournalError) in try reader.entry(id, of: journal) }
    }

    /// Appends drafts at a head: all of them or none, in one transaction under the lock.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: the errors of every journal; `locked` if another process, or another handle's turn, holds
    ///   the lock for longer than the timeout; `full`, `readOnly`; `failed` if the disk failed, and then for every later append to the
    ///   file by the handles that share it.
    public func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError)
      -> Appended
    {
      precondition(!drafts.isEmpty, "An append needs at least one draft.")
      try Entry.Draft.checkAppendable(drafts, in: name)
      // A turn that has ended, or belongs to another journal, has no effect.
      let isOwnTurn = turn.map { journal.turn == ObjectIdentifier($0) } ?? false
      let appended = try await write(for: "append", inOwnTurn: isOwnTurn) { writer, journal throws(JournalError) in
        try writer.append(drafts, to: journal, after: head, under: leases)
      }
      file.followers.advance(journal.number, to: appended.head.revision)
      return appended
    }

    /// Waits until no other writer may append, in this process or another.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `locked` if another process, or another turn, holds the lock for longer than the timeout;
    ///   `cancelled` if the task was cancelled.
    public func takeTurn() async throws(JournalError) -> Turn {
      try await waiting { [file, journal] wait throws(JournalError) in try await file.takeTurn(of: journal, waiting: wait) }
    }

    /// Returns as soon as the journal holds an entry after a revision, appended by any process.
    public func waitForEntry(after revision: Revision) async throws(JournalError) {
      try journal.checkOpen()
      let isBehind = file.followers.begin(journal, by: file.watch)
      defer { file.followers.finish(journal, by: file.watch) }
      if isBehind {
        // Entries from before the watch began.
        do { journal.waiters.advance(to: try await head().revision) } catch {
          file.followers.lose(journal, by: file.watch)
          throw error
        }
      }
      try await journal.waiters.wait(past: revision)
    }

    /// Stores a snapshot, in a transaction under the lock with its own sync. An append waits for it no longer than for another append.
    public func keep(_ snapshot: Snapshot) async throws(JournalError) {
      try await write(for: "snapshot") { writer, journal throws(JournalError) in try writer.keep(snapshot, of: journal) }
    }

    /// Lists the stored snapshots, newest first.
    public func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
      try await read { reader, journal throws(JournalError) in try reader.snapshots(of: journal, upTo: revision, limit: limit) }
    }

    /// Reads a snapshot, as stored.
    public func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? {
      try await read { reader, journal throws(JournalError) in try reader.snapshot(of: journal, at: revision) }
    }

    /// Removes the snapshot of a revision, if there is one.
    public func removeSnapshot(at revision: Revision) async throws(JournalError) {
      try await write(for: "snapshot") { writer, journal throws(JournalError) in try writer.removeSnapshot(of: journal, at: revision) }
    }

    /// Checks every page of the file, and every index against its table, with SQLite's `integrity_check`. In a device's file it also checks
    /// both copies of the state at the floor, the drafts against their hashes, and the verdicts; in a journal that a server decides, the
    /// origins, the attempts and the reasons against the entries.
    ///
    /// - Throws: ``/AlterJournal/JournalError`` `damaged` with SQLite's first message, or with the draft, the copy or the row.
    /// - Complexity: O(size of the file).
    public func verifyStorage() async throws(JournalError) {
      try journal.checkOpen()
      try await file.checkIntegrity(name: name)
      try await read { reader, journal throws(JournalError) in try reader.checkSync(journal) }
    }

    /// Closes the journal: ends every wait, finishes the appends that have begun, and closes the file if no other handle shares it. Later
    /// calls throw `closed`.
    public func close() async { await closing().value }

    // MARK: Queues

    /// Runs work on the reading queue.
    func read<Answer: Sendable>(
      _ work: @escaping @Sendable (Reader, OpenJournal) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
      try journal.checkOpen()
      return try await file.reading.run { [file, journal] () throws(JournalError) in try work(file.reader, journal) }
    }

    /// Runs work on the writing queue, under the lock. Cancelling the task ends the wait for the lock.
    ///
    /// - Parameters:
    ///   - purpose: The purpose in one word.
    ///   - inOwnTurn: Whether the work may run in this handle's turn. An append without the turn waits for the turn's end; other work does not.
    ///   - work: The work.
    func write<Answer: Sendable>(
      for purpose: String, inOwnTurn: Bool = true, _ work: @escaping @Sendable (Writer, OpenJournal) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
      if inOwnTurn, journal.turn != nil,
        let done = await file.inTurn(of: journal, { [journal] writer throws(JournalError) in try work(writer, journal) })
      {
        return try done.get()
      }
      return try await waiting { [file, journal] wait throws(JournalError) in
        try await file.exclusively(for: purpose, by: journal.name, waiting: wait, timeout: journal.lockTimeout) {
          writer throws(JournalError) in try work(writer, journal)
        }
      }
    }

    /// Runs a call that may wait for the lock.
    private func waiting<Answer: Sendable>(
      _ call: @escaping @Sendable (LockWait) async throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
      let wait = LockWait()
      try journal.begin(wait)
      defer { journal.finish(wait) }
      return try await withTaskCancellationHandler {
        await Result { () async throws(JournalError) in try await call(wait) }
      } onCancel: { [name] in
        wait.giveUp(.cancelled(name))
      }.get()
    }
  }

  extension Result where Failure == JournalError {
    /// The outcome of an asynchronous call.
    init(_ call: () async throws(JournalError) -> Success) async {
      do throws(JournalError) { self = .success(try await call()) } catch { self = .failure(error) }
    }
  }
#endif
