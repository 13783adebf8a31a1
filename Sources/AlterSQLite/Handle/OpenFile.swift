#if SQLite
  import AlterCore
  import AlterJournal
  import Dispatch

  /// A file that this process has open, and all that its handles share: two connections with a queue each, the lock, the bell and its watch.
  /// It needs 5 descriptors, and 7 with the second connection (`Reader`), however many journals of the file are open.
  ///
  /// A handle that writes shares the file with all others of the same path and durability (`OpenFiles`). A handle for reading has it alone.
  ///
  /// ```
  ///   users ≥ 1 ◀─▶ retain(), release()
  ///      │ the last handle
  ///      ▼
  ///   not found any more (`OpenFiles`), watch ended ──▶ lock taken, or not within the time ──▶ reader closed ──▶ writer and lock closed
  /// ```
  final class OpenFile: Sendable {
    let location: FileLocation
    /// The file that the connections have opened.
    let status: FileStatus
    let durability: Durability
    /// Nil if the file was opened for reading.
    let writer: Writer?
    let reader: Reader
    let writing: WorkQueue
    let reading = WorkQueue("alter.sqlite.reader")
    let followers: FileFollowers
    let watch: BellWatch
    private let turns = FileTurns()
    private let lock: FileLock?
    /// The number of handles; 0 once the last one was closed.
    private let users = Lock(1)

    /// Creates the file of a first handle.
    ///
    /// - Parameters:
    ///   - opened: The connections.
    ///   - durability: The failures that an acknowledged append survives.
    ///   - writing: The queue on which the file was opened.
    init(_ opened: Opening.Opened, durability: Durability, writing: WorkQueue) {
      (location, status, writer, reader, lock) = (opened.location, opened.file, opened.writer, opened.reader, opened.lock)
      self.durability = durability
      self.writing = writing
      followers = FileFollowers(opened.reader, bell: opened.writer?.bell)
      watch = followers.makeWatch(at: opened.location, on: reading)
    }

    // MARK: Handles

    /// Adds a handle.
    ///
    /// - Returns: False if the last handle was closed.
    func retain() -> Bool {
      users.withLock { users in
        guard users > 0 else { return false }
        users += 1
        return true
      }
    }

    /// Closes a handle: ends its turn, finishes its appends that have begun, and removes the files of its leases' holders.
    func close(_ journal: OpenJournal) async {
      followers.remove(journal)
      let hasHolders = await writing.run {
        self.endTurn(of: journal)
        return !journal.holders.isEmpty
      }
      if hasHolders {
        _ = try? await exclusively(for: "close", by: journal.name, waiting: LockWait(), timeout: journal.lockTimeout) { _ in
          journal.holders.close()
        }
        // If the lock could not be taken, they are removed without it.
        await writing.run { journal.holders.close() }
      }
      await release(timeout: journal.lockTimeout)
    }

    /// Removes a handle, and closes the file after the last one.
    func release(timeout: Duration) async {
      let isLast = users.withLock { users in
        users -= 1
        return users == 0
      }
      guard isLast else { return }
      OpenFiles.shared.remove(self)
      watch.end()
      let (reader, writer, lock) = (reader, writer, lock)
      guard let writer, let lock else { return await reading.run { reader.close() } }
      // Both connections are closed under the lock, and then SQLite checkpoints if they are the last ones of all processes. If the lock cannot
      // be taken, its holder has the file open, so these are not the last ones, and closing them checkpoints nothing. The holder of the lock
      // blocks no thread while it waits for the reading queue: closing many files must not need more threads than there are.
      _ = try? await take(for: "close", by: location.path, waiting: LockWait(), timeout: timeout) { () throws(JournalError) in }
      await reading.run { reader.close() }
      await writing.run {
        writer.close()
        lock.close()
      }
    }

    // MARK: Checking

    /// Checks every page of the file, and every index against its table. That may take minutes, so a file that handles share is read by a
    /// connection of its own.
    func checkIntegrity(name: String) async throws(JournalError) {
      guard writer != nil else {
        return try await reading.run { [reader] () throws(JournalError) in try reader.checkIntegrity(name: name) }
      }
      // Keeps the file open: while the other connection is open, closing this one would not remove the log.
      guard retain() else { throw .closed(name) }
      let result = await Result { [location, status] () async throws(JournalError) in
        try await WorkQueue("alter.sqlite.check").run { () throws(JournalError) in
          try translating(name, "check the file") {
            try SeparateConnection(path: location.path, name: name, participle: "checked").use { database in
              guard try FileStatus.ofOpenFile(location.path, name: name).isSameFile(as: status) else {
                throw JournalError.replaced(name, isMissing: false)
              }
              try FileFormat.checkIntegrity(database, name: name)
            }
          }
        }
      }
      await release(timeout: .seconds(10))
      try result.get()
    }

    // MARK: Turns

    /// Runs work under the lock.
    ///
    /// - Parameters:
    ///   - purpose: The purpose in one word. Waiting processes show it in their errors.
    ///   - name: The name of the handle's journal in errors.
    ///   - wait: The wait of the call.
    ///   - timeout: The longest time that the handle waits.
    ///   - work: The work, on the writing queue.
    func exclusively<Answer: Sendable>(
      for purpose: String, by name: String, waiting wait: LockWait, timeout: Duration,
      _ work: @escaping @Sendable (Writer) throws(JournalError) -> Answer
    ) async throws(JournalError) -> Answer {
      guard let writer, let lock else { throw .readOnly(name) }
      return try await take(for: purpose, by: name, waiting: wait, timeout: timeout) { () throws(JournalError) in
        defer { self.release(lock) }
        return try work(writer)
      } then: {
        writer.checkpointIfDue(lock)
      }
    }

    /// Runs work under the lock, unless it would have to wait. Called on the writing queue.
    ///
    /// - Returns: Nil if another handle or process has the lock, or waits for it. The work was not run.
    func exclusivelyAtOnce<Answer>(
      for purpose: String, by name: String, _ work: (Writer) throws(JournalError) -> Answer
    ) throws(JournalError) -> Answer? {
      guard let writer, let lock else { throw .readOnly(name) }
      guard turns.takeIfFree() else { return nil }
      let isHeld: Bool
      do throws(JournalError) { isHeld = try lock.takeAtOnce(for: purpose) } catch {
        turns.pass()
        throw error.naming(name)
      }
      guard isHeld else {
        turns.pass()
        return nil
      }
      turns.progress()
      defer { release(lock) }
      return try work(writer)
    }

    /// Checkpoints if that is due. Called on the writing queue, after the answer to an append.
    func checkpointIfDue() { if let writer, let lock { writer.checkpointIfDue(lock) } }

    /// Runs work in the turn of a handle.
    ///
    /// - Returns: Nil if the handle has no turn. The work was not run.
    func inTurn<Answer: Sendable>(
      of journal: OpenJournal, _ work: @escaping @Sendable (Writer) throws(JournalError) -> Answer
    ) async -> Result<Answer, JournalError>? {
      await writing.run { [writer, lock] in
        guard let writer, let lock, lock.owner == ObjectIdentifier(journal) else { return nil }
        return Result { () throws(JournalError) in try work(writer) }
      }
    }

    /// Takes the lock for a turn.
    func takeTurn(of journal: OpenJournal, waiting wait: LockWait) async throws(JournalError) -> Turn {
      guard let lock else { throw .readOnly(journal.name) }
      try await take(for: "turn", by: journal.name, waiting: wait, timeout: journal.lockTimeout) { () throws(JournalError) in
        lock.owner = ObjectIdentifier(journal)
      }
      let turn = Turn { [self] in
        journal.turn = nil
        writing.enqueue { self.endTurn(of: journal) }
      }
      journal.turn = ObjectIdentifier(turn)
      return turn
    }

    /// Releases the lock if a handle has it for a turn. Called on the writing queue.
    private func endTurn(of journal: OpenJournal) {
      guard let lock, lock.owner == ObjectIdentifier(journal) else { return }
      release(lock)
    }

    private func release(_ lock: FileLock) {
      lock.release()
      turns.progress()
      turns.pass()
    }

    /// A call that needs the lock.
    private struct Call<Answer: Sendable>: Sendable {
      let purpose: String
      let name: String
      let wait: LockWait
      let timeout: Duration
      let work: @Sendable () throws(JournalError) -> Answer
      let afterwards: @Sendable () -> Void
      let answer: @Sendable (Result<Answer, JournalError>) -> Void
    }

    /// Takes the lock, and runs work on the writing queue that holds it. The work must see to its release. No thread is blocked meanwhile.
    private func take<Answer: Sendable>(
      for purpose: String, by name: String, waiting wait: LockWait, timeout: Duration,
      _ work: @escaping @Sendable () throws(JournalError) -> Answer, then afterwards: @escaping @Sendable () -> Void = {}
    ) async throws(JournalError) -> Answer {
      guard let lock else { throw .readOnly(name) }
      return try await withCheckedContinuation { continuation in
        let call = Call(purpose: purpose, name: name, wait: wait, timeout: timeout, work: work, afterwards: afterwards) {
          continuation.resume(returning: $0)
        }
        turns.take(wait, timeout: timeout) { [self] isTaken in
          if isTaken { return writing.enqueue { self.proceed(with: call, lock: lock) } }
          if case .givenUp(let error) = wait.current { return call.answer(.failure(error)) }
          call.answer(.failure(FileLock.isInUse(name, path: location.lock, for: timeout)))
        }
      }.get()
    }

    /// Takes the lock, or waits for it and is called again. Called on the writing queue, for the call that has the turn.
    ///
    /// The turn is passed from call to call on this queue. If each call had to be resumed first, the lock would be idle for several changes of
    /// threads.
    private func proceed<Answer>(with call: Call<Answer>, after place: LinePlace? = nil, lock: FileLock) {
      do throws(JournalError) {
        if let place { try lock.adopt(place, after: call.wait, timeout: call.timeout) }
        if let place = try lock.takeOrJoin(for: call.purpose, waiting: call.wait) {
          return call.wait.whenEnded(by: { [turns] in turns.deadline(of: call.wait, timeout: call.timeout) }) { [self] in
            writing.enqueue { self.proceed(with: call, after: place, lock: lock) }
          }
        }
      } catch {
        turns.pass()
        return call.answer(.failure(error.naming(call.name)))
      }
      turns.progress()
      call.answer(Result { () throws(JournalError) in try call.work() })
      call.afterwards()
    }
  }

  /// A serial queue for blocking work, so that no task blocks a thread of the cooperative pool.
  final class WorkQueue: Sendable {
    /// The queue itself, for dispatch sources.
    let dispatchQueue: DispatchQueue

    /// Creates an idle queue.
    init(_ label: String) { dispatchQueue = DispatchQueue(label: label) }

    /// Runs work after all earlier work, while the task is suspended.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - afterwards: Further work, after the task was resumed with the result.
    func run<Answer: Sendable, Failure: Error>(
      _ work: @escaping @Sendable () throws(Failure) -> Answer, then afterwards: @escaping @Sendable () -> Void = {}
    ) async throws(Failure) -> Answer {
      try await withCheckedContinuation { continuation in
        dispatchQueue.async {
          continuation.resume(returning: Result(catching: work))
          afterwards()
        }
      }.get()
    }

    /// Runs work later, without waiting for it.
    func enqueue(_ work: @escaping @Sendable () -> Void) { dispatchQueue.async(execute: work) }
  }

  /// The queue in which the handles of one open file take turns to write, first come, first served. The handle with the turn waits for the
  /// file's lock, so that only one handle of a process does, and no handle blocks a thread.
  final class FileTurns: Sendable {
    private struct State {
      var isTaken = false
      var waiting: [LockWait] = []
      /// The last moment at which a handle took or released the file's lock.
      var progress = DispatchTime.now()
    }

    private let state = Lock(State())

    /// Takes the turn, once no other handle has it.
    ///
    /// - Parameters:
    ///   - wait: The wait of the call. It is ready for its next wait afterwards.
    ///   - timeout: The longest time to wait while no handle takes or releases the lock.
    ///   - work: Receives whether the turn was taken. If not, the wait's outcome is the reason. It runs on the thread that passes the turn, so
    ///     it must return at once.
    func take(_ wait: LockWait, timeout: Duration, _ work: @escaping @Sendable (Bool) -> Void) {
      guard wait.current == nil else { return work(false) }
      let isTaken = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          return true
        }
        state.waiting.append(wait)
        return false
      }
      if isTaken { return work(true) }
      wait.whenEnded(by: { self.deadline(of: wait, timeout: timeout) }) { [self] in
        if case .granted = wait.current {
          wait.next()
          return work(true)
        }
        state.withLock { $0.waiting.removeAll { $0 === wait } }
        work(false)
      }
    }

    /// Takes the turn if no other handle has it or waits for it.
    func takeIfFree() -> Bool {
      state.withLock { state in
        defer { state.isTaken = true }
        return !state.isTaken
      }
    }

    /// Takes the turn. The task is suspended while another handle has it.
    func take(_ wait: LockWait, timeout: Duration) async -> Bool {
      await withCheckedContinuation { continuation in take(wait, timeout: timeout) { continuation.resume(returning: $0) } }
    }

    /// Passes the turn to the next waiting handle.
    func pass() {
      while true {
        let next: LockWait? = state.withLock { state in
          guard !state.waiting.isEmpty else {
            state.isTaken = false
            return nil
          }
          return state.waiting.removeFirst()
        }
        // A wait that has ended does not take the turn; the next one does.
        guard let next, !next.settle(.granted) else { return }
      }
    }

    /// Records that the lock was taken or released.
    func progress() { state.withLock { $0.progress = .now() } }

    /// The moment at which a wait times out. While the handles of the file take the lock one after the other, the file is not in use for
    /// long, however many of them wait.
    func deadline(of wait: LockWait, timeout: Duration) -> DispatchTime {
      max(wait.start, state.withLock { $0.progress }) + timeout.interval
    }
  }
#endif
