#if SQLite
  public import AlterCore
  public import AlterJournal

  extension SQLiteJournal: BlockingJournal {
    /// The writing queue.
    @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
    package var executor: any TaskExecutor { writing }
  }

  extension SQLiteJournal: Journal {
    /// Returns the present end of the journal.
    public func head() async throws(JournalError) -> Head {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.head() }
    }

    /// Reads consecutive entries. A page ends with the entry that reaches 4 MiB.
    public func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.entries(after: revision, limit: limit) }
    }

    /// Looks up an entry by its id.
    public func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.entry(id) }
    }

    /// Appends drafts at a head: all of them or none, in one transaction under the lock.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: the errors of every journal; `locked` if another process holds the lock for longer than
    ///   the timeout; `full`, `readOnly`; `failed` if the disk failed, and then for every later append of this handle.
    public func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError)
      -> Appended
    {
      precondition(!drafts.isEmpty, "An append needs at least one draft.")
      guard let writer else { throw .readOnly(name) }
      let isOwnTurn = turn.map { turn in self.turn.withLock { $0 == ObjectIdentifier(turn) } } ?? false
      // Within this process a writer with a turn goes first. A turn that has ended, or belongs to another journal, has no effect.
      let line: Turn? = if isOwnTurn { nil } else if let free = turns.takeIfFree() { free } else { try await turns.take() }
      defer { line?.end() }
      let appended = try await waiting(
        { wait throws(JournalError) in
          try writer.append(drafts, after: head, under: leases, waiting: wait)
        }, then: { writer.checkpointIfDue() })
      waiters.advance(to: appended.head.revision)
      return appended
    }

    /// Waits until no other writer may append, in this process or another.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `locked` if another process holds the lock for longer than the timeout, `cancelled` if the
    ///   task was cancelled.
    public func takeTurn() async throws(JournalError) -> Turn {
      guard let writer else { throw .readOnly(name) }
      let place = try await turns.take()
      do {
        _ = try await waiting({ wait throws(JournalError) in try writer.take(for: "turn", waiting: wait) })
      } catch {
        place.end()
        throw error
      }
      let turn = Turn { [current = self.turn, writing] in
        current.withLock { $0 = nil }
        writing.enqueue {
          writer.lock.release()
          place.end()
        }
      }
      self.turn.withLock { $0 = ObjectIdentifier(turn) }
      return turn
    }

    /// Runs work on the writing queue that may have to wait for the lock. Cancelling the task ends the wait.
    func waiting<Answer: Sendable>(
      _ work: @escaping @Sendable (LockWait) throws(JournalError) -> Answer, then afterwards: @escaping @Sendable () -> Void = {}
    ) async throws(JournalError) -> Answer {
      let wait = LockWait()
      let name = name
      return try await withTaskCancellationHandler {
        await writing.result(of: { () throws(JournalError) in try work(wait) }, then: afterwards)
      } onCancel: {
        wait.giveUp(.cancelled(name))
      }.get()
    }

    /// Returns as soon as the journal holds an entry after a revision, appended by any process.
    public func waitForEntry(after revision: Revision) async throws(JournalError) {
      let isBehind = watch.begin()
      defer { watch.finish() }
      // Entries from before the watch began.
      if isBehind { waiters.advance(to: try await head().revision) }
      try await waiters.wait(past: revision)
    }

    /// Stores a snapshot, in a transaction under the lock with its own sync. An append waits for it no longer than for another append.
    public func keep(_ snapshot: Snapshot) async throws(JournalError) {
      guard let writer else { throw .readOnly(name) }
      try await waiting(
        { wait throws(JournalError) in try writer.keep(snapshot, waiting: wait) }, then: { writer.checkpointIfDue() })
    }

    /// Lists the stored snapshots, newest first.
    public func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.snapshots(upTo: revision, limit: limit) }
    }

    /// Reads a snapshot, as stored.
    public func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.snapshot(at: revision) }
    }

    /// Removes the snapshot of a revision, if there is one.
    public func removeSnapshot(at revision: Revision) async throws(JournalError) {
      guard let writer else { throw .readOnly(name) }
      try await waiting { wait throws(JournalError) in try writer.removeSnapshot(at: revision, waiting: wait) }
    }

    /// Checks every page of the file, and every index against its table, with SQLite's `integrity_check`.
    ///
    /// - Throws: ``/AlterJournal/JournalError`` `damaged` with SQLite's first message.
    /// - Complexity: O(size of the file).
    public func verifyStorage() async throws(JournalError) {
      let reader = reader
      try await reading.run { () throws(JournalError) in try reader.checkIntegrity() }
    }

    /// Closes the journal: ends every wait, finishes the appends that have begun, and closes the file. Later calls throw `closed`.
    public func close() async {
      turns.close()
      waiters.finish(.closed(name))
      watch.end()
      writer?.endWaits(.closed(name))
      let (writer, reader, reading) = (writer, reader, reading)
      _ = await writing.result { () throws(JournalError) in SQLiteJournal.close(writer, reader, reading: reading) }
    }
  }
#endif
