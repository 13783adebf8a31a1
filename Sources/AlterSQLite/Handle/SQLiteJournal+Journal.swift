#if SQLite
  public import AlterCore
  public import AlterJournal

  extension SQLiteJournal: ThreadJournal {
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

    /// Runs work on the writing queue.
    package func enqueue(_ work: @escaping @Sendable () -> Void) { file.writing.enqueue(work) }

    /// Appends drafts on the writing queue, on which it is called, unless it would have to wait.
    package func appendAtOnce(
      _ drafts: [Entry.Draft], after head: Head, under leases: [Lease], landed: (Appended) -> Void
    ) throws(JournalError) -> Appended? {
      try journal.checkOpen()
      try Entry.Draft.checkAppendable(drafts, in: name)
      guard journal.turn == nil else { return nil }
      let appended = try file.exclusivelyAtOnce(for: "append", by: name) { writer throws(JournalError) in
        try writer.append(drafts, to: journal, after: head, under: leases)
      }
      if let appended {
        landed(appended)
        file.followers.advance(journal.number, to: appended.head.revision)
      }
      file.checkpointIfDue()
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
    public func waitForEntry(after revision: Revision) async throws(JournalError) { try await waitForEntry(after: revision, growing: nil) }

    /// The same, for a task whose revision may grow meanwhile.
    package func waitForEntry(after revision: Revision, growing present: (@Sendable () -> Revision)?) async throws(JournalError) {
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
      try await journal.waiters.wait(past: revision, growing: present)
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

  // The device's side of a synced journal. Only `AlterSync` uses it.
  extension SQLiteJournal {
    /// Runs one transaction of a device's file, under the lock. It is durable when this method returns, and wakes all handles of the journal.
    ///
    /// - Parameters:
    ///   - body: The transaction. It returns the row of the device as it has written it, or nil if nothing has changed. If it throws,
    ///     nothing was changed.
    ///   - committed: Runs after the commit, before the handles are woken.
    package func changeMirror<Answer: Sendable>(
      _ body: @escaping @Sendable (MirrorTables) throws -> (answer: Answer, device: MirrorTables.Device?),
      then committed: (Answer) -> Void = { _ in }
    ) async throws(JournalError) -> Answer {
      let changed = try await write(for: "sync") { writer, journal throws(JournalError) in try writer.mirror(journal, body) }
      committed(changed.answer)
      if let device = changed.device {
        file.followers.advance(journal.number, toTransaction: device.transactions)
        file.followers.advance(journal.number, to: changed.end)
      }
      return changed.answer
    }

    /// Reads a device's file in one moment.
    ///
    /// - Parameter body: The reads.
    /// - Throws: `failed` if the file has no synced journal; any error of the body.
    package func readMirror<Answer: Sendable>(
      _ body: @escaping @Sendable (MirrorTables) throws -> Answer
    ) async throws(JournalError) -> Answer {
      try await read { reader, journal throws(JournalError) in try reader.mirror(journal, body) }
    }

    /// Whether a transaction of a device's file was the last one of any process, as far as this handle can tell without a read of the file.
    /// A process that died between its commit and the ring of the bell is noticed a second later.
    package func isLast(_ transaction: Int64) -> Bool {
      !journal.isClosed && journal.lastTransaction <= transaction
        && file.writer?.bell.hasRungLast(transaction, of: journal.number) ?? false
    }

    /// Returns as soon as the device's file has had more transactions, of any process.
    package func waitForTransaction(after number: Int64) async throws(JournalError) {
      try journal.checkOpen()
      let isBehind = file.followers.begin(journal, by: file.watch)
      defer { file.followers.finish(journal, by: file.watch) }
      if isBehind {
        do {
          let now = try await readMirror { try $0.device()?.transactions }
          if let now { journal.advance(toTransaction: now) }
        } catch {
          file.followers.lose(journal, by: file.watch)
          throw error
        }
      }
      try await journal.transactions.wait(past: number)
    }
  }

  /// One journal as one handle has it open: its number in the file, and all that the handles of the file do not share.
  final class OpenJournal: Sendable {
    /// The number of the journal in the rows of its entries.
    let number: Int64
    /// The name in errors: the path, followed by the key unless it is 'main'.
    let name: String
    /// The longest time that a call waits for other processes.
    let lockTimeout: Duration
    /// The tasks that wait for entries.
    let waiters: RevisionCount
    /// The tasks that wait for transactions of a device's file.
    let transactions: EventCount<Int64>
    private let last = Lock<Int64>(0)
    /// The files that show that the holders of this handle's leases are alive.
    let holders: HolderFiles

    private struct State {
      /// The calls that may be waiting for the lock.
      var calls: [ObjectIdentifier: LockWait] = [:]
      var turn: ObjectIdentifier?
      var isCounted = false
      /// The closing, once it has begun.
      var closing: Task<Void, Never>?
    }

    private let state = Lock(State())

    /// Creates a journal that is open in a file.
    init(_ row: JournalRow, name: String, lockTimeout: Duration, location: FileLocation) {
      number = row.number
      self.name = name
      self.lockTimeout = lockTimeout
      waiters = RevisionCount(journal: name)
      transactions = EventCount(journal: name)
      holders = HolderFiles(location)
    }

    /// Whether the entries have been counted.
    var isCounted: Bool {
      get { state.withLock { $0.isCounted } }
      set { state.withLock { $0.isCounted = newValue } }
    }

    /// The handle's turn, by its identity.
    var turn: ObjectIdentifier? {
      get { state.withLock { $0.turn } }
      set { state.withLock { $0.turn = newValue } }
    }

    /// The last transaction of a device's file that is known here.
    var lastTransaction: Int64 { last.withLock { $0 } }

    /// Notes a transaction of a device's file, and wakes the tasks that wait for it.
    func advance(toTransaction number: Int64) {
      last.withLock { $0 = max($0, number) }
      transactions.advance(to: number)
    }

    /// Whether the handle was closed, or is being closed.
    var isClosed: Bool { state.withLock { $0.closing != nil } }

    /// Throws `closed` once the handle was closed.
    func checkOpen() throws(JournalError) { if isClosed { throw .closed(name) } }

    /// Registers a call that may have to wait.
    ///
    /// - Throws: `closed` once the handle was closed.
    func begin(_ wait: LockWait) throws(JournalError) {
      let isOpen = state.withLock { state in
        if state.closing == nil { state.calls[ObjectIdentifier(wait)] = wait }
        return state.closing == nil
      }
      if !isOpen { throw .closed(name) }
    }

    /// Unregisters a call.
    func finish(_ wait: LockWait) { state.withLock { $0.calls[ObjectIdentifier(wait)] = nil } }

    /// Begins the closing, unless it has begun, and ends every wait.
    ///
    /// - Parameter work: Closes the handle. It runs in a task of its own, which no caller can cancel.
    /// - Returns: The closing.
    func close(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      let (closing, calls): (Task<Void, Never>, [LockWait]) = state.withLock { state in
        if let closing = state.closing { return (closing, []) }
        let closing = Task.detached { await work() }
        state.closing = closing
        return (closing, Array(state.calls.values))
      }
      for call in calls { call.giveUp(.closed(name)) }
      waiters.finish(.closed(name))
      transactions.finish(.closed(name))
      return closing
    }
  }
#endif
