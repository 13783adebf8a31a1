#if SQLite
  public import AlterCore
  public import AlterJournal

  extension SQLiteJournal: Journal {
    /// Where the journal ends now.
    public func head() async throws(JournalError) -> Head {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.head() }
    }

    /// Reads entries in order; fewer than asked for when they are large.
    public func entries(after revision: Revision, limit: Int) async throws(JournalError) -> [Entry] {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.entries(after: revision, limit: limit) }
    }

    /// Looks an entry up by who made it.
    public func entry(_ id: EntryID) async throws(JournalError) -> Entry? {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.entry(id) }
    }

    /// Appends drafts at a head: all of them or none, in one transaction under the lock.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: what every journal throws; `locked` when another process kept the lock for too long; `full`, `readOnly`; `failed` when the
    ///   disk failed, and then at every later append through this handle.
    public func append(_ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]) async throws(JournalError)
      -> Appended
    {
      precondition(!drafts.isEmpty, "An append needs at least one draft.")
      guard let writer else { throw .readOnly(name) }
      let isOwnTurn = turn.map { turn in self.turn.withLock { $0 == ObjectIdentifier(turn) } } ?? false
      // Within this process, somebody who took a turn goes first; a turn that has ended, or is another journal's, is none.
      let line = isOwnTurn ? nil : try await turns.take()
      defer { line?.end() }
      let appended = try await waiting(
        { wait throws(JournalError) in
          try writer.append(drafts, after: head, under: leases, waiting: wait)
        }, then: { writer.checkpointIfDue() })
      waiters.advance(to: appended.head.revision)
      return appended
    }

    /// Waits in line until no other writer may append, in this process or another.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `locked` when another process kept the lock for too long, `cancelled` when the task was cancelled.
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

    /// Does blocking work for which the lock may have to be waited for; cancelling the task ends the wait.
    private func waiting<Answer: Sendable>(
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

    /// Returns as soon as the journal holds an entry after a revision, whichever process appends it.
    public func waitForEntry(after revision: Revision) async throws(JournalError) {
      let isBehind = watch.begin()
      defer { watch.finish() }
      // What came before the watch began.
      if isBehind { waiters.advance(to: try await head().revision) }
      try await waiters.wait(past: revision)
    }

    /// Takes a lease, or renews it, in a transaction under the lock. It runs out by the machine's wall clock.
    ///
    /// - Throws: ``/AlterJournal/JournalError``: `leased` while somebody else has it, and what an append throws.
    public func lease(_ name: String, for holder: Origin, lasting duration: Duration) async throws(JournalError) -> Lease {
      guard let writer else { throw .readOnly(self.name) }
      return try await waiting { wait throws(JournalError) in
        try writer.lease(name, for: holder, lasting: duration, waiting: wait)
      }
    }

    /// Gives a lease back. One that was taken over already is left alone.
    public func release(_ lease: Lease) async throws(JournalError) {
      guard let writer else { throw .readOnly(name) }
      try await waiting { wait throws(JournalError) in try writer.release(lease, waiting: wait) }
    }

    /// The leases that there are, by name.
    public func leases() async throws(JournalError) -> [Lease] {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.leases() }
    }

    /// Keeps a snapshot, in a transaction under the lock. Its sync to disk is its own: no append waits for it longer than for another append.
    public func keep(_ snapshot: Snapshot) async throws(JournalError) {
      guard let writer else { throw .readOnly(name) }
      try await waiting(
        { wait throws(JournalError) in try writer.keep(snapshot, waiting: wait) }, then: { writer.checkpointIfDue() })
    }

    /// The snapshots that are kept, newest first.
    public func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.snapshots(upTo: revision, limit: limit) }
    }

    /// Reads a snapshot as it is stored.
    public func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? {
      let reader = reader
      return try await reading.run { () throws(JournalError) in try reader.snapshot(at: revision) }
    }

    /// Removes the snapshot of a revision, if there is one.
    public func removeSnapshot(at revision: Revision) async throws(JournalError) {
      guard let writer else { throw .readOnly(name) }
      try await waiting { wait throws(JournalError) in try writer.removeSnapshot(at: revision, waiting: wait) }
    }

    /// Checks every page of the file, and that each index has exactly what its table has: SQLite's own `integrity_check`.
    ///
    /// - Throws: ``/AlterJournal/JournalError`` `damaged` with what SQLite says first.
    /// - Complexity: O(size of the file).
    public func verifyStorage() async throws(JournalError) {
      let reader = reader
      try await reading.run { () throws(JournalError) in try reader.checkIntegrity() }
    }

    /// Ends every wait, finishes the appends that have begun, closes the file, and refuses later calls.
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
