import AlterCore
import AlterJournal

/// The writer: carries a replica's work to the journal.
///
/// One writer runs while work is pending. It takes the pending work as one flight, so that many changes share one sync to disk. It releases the gate
/// between flights, so that the reader gets its turn.
///
/// The writer is a task. Where the journal has a thread of its own, the writer begins there (``writeAtOnce(to:by:)``), because each change of threads
/// takes as long as a fifth of a sync:
///
/// ```
///   change ──▶ on the journal's thread: encode, append, confirm ──▶ the caller continues
///                │ much work, an undo, an observer, a monitor, an outage, another writer, any error
///                ▼
///              the task
/// ```
extension Store {
  /// Starts the writer. The caller has changed `isWriting` from false to true under the lock.
  @usableFromInline
  func startWriting() {
    if let backend, options.author == nil, options.monitor == nil, let journal = backend.journal as? any ThreadJournal {
      journal.enqueue { self.writeAtOnce(to: backend, by: journal) }
    } else {
      startTask()
    }
  }

  /// Starts the writer's task.
  ///
  /// - Parameter begun: The work that the journal's thread has begun.
  private func startTask(after begun: Begun? = nil) {
    // The task holds the store: a store that is released without `close` still writes its pending work. The task is detached, so that it
    // inherits neither the priority nor the task-local values of the caller that makes a change.
    Task.detached { await self.write(after: begun) }
  }

  /// The work that the journal's thread leaves to the task.
  private struct Begun {
    /// The gate.
    let place: Turn
    var flight: Replica<State>.Flight
    /// Its append, if that has ended.
    var append: (drafts: [Entry.Draft], result: Result<Appended, JournalError>)?
  }

  /// The work that may be written on the journal's thread, where other handles wait for it: a number of changes, and of bytes.
  private static var little: (changes: Int, bytes: Int64) { (16, 256 << 10) }

  /// Writes little work on the thread of the journal's appends, on which it runs. It calls no code of the app but the coding of changes, and never waits
  /// for the store's lock, under which `apply` runs: other stores of the file need the thread. The task continues where the lock is taken.
  private func writeAtOnce(to backend: Backend<State>, by journal: any ThreadJournal) {
    guard let place = gate.takeIfFree() else { return startTask() }
    let (taken, isDone): (Replica<State>.Flight?, Bool) =
      core.withLock(waiting: false) { core in
        guard core.status == .open, core.replica.pendingCount > 0 else {
          core.isWriting = false
          return (nil, true)
        }
        guard core.outages.writer == nil, !core.isServed, core.rowMover == nil, core.replica.isLittle(Self.little.changes) else {
          return (nil, false)
        }
        return (core.replica.takeFlight(), false)
      } ?? (nil, false)
    guard let taken else {
      place.end()
      if !isDone { startTask() }
      return
    }
    var begun = Begun(place: place, flight: taken)
    guard let drafts = try? drafts(of: taken, by: backend) else { return startTask(after: begun) }
    guard drafts.reduce(0, { $0 + $1.size }) <= Self.little.bytes, weigh(drafts, waiting: false) else {
      ahead.put(drafts[...])
      return startTask(after: begun)
    }
    let flight = taken.weighing(drafts)
    begun.flight = flight
    var isConfirmed = false
    do throws(JournalError) {
      let appended = try journal.appendAtOnce(drafts, after: flight.head, under: flight.leases) { appended in
        // The callers continue before the snapshot's count and a checkpoint, and before the reader would be woken.
        isConfirmed = report(evenAtTheEnd: true, waiting: false) { replica, wantsSteps in
          guard !wantsSteps, replica.isNext(flight, at: appended) else { return nil }
          return replica.landed(flight, at: appended, wantsSteps: false)
        }
      }
      guard let appended else {
        ahead.put(drafts[...])
        return startTask(after: begun)
      }
      begun.append = (drafts, .success(appended))
      if isConfirmed { count(drafts, from: appended.first) }
    } catch {
      begun.append = (drafts, .failure(error))
    }
    guard isConfirmed else { return startTask(after: begun) }
    startSnapshotIfDue(waiting: false)
    place.end()
    let isMore = core.withLock(waiting: false) { core in
      core.isWriting = core.status == .open && core.replica.pendingCount > 0
      return core.isWriting
    }
    guard let isMore else { return startTask() }
    // After the other handles that wait for this thread.
    if isMore { journal.enqueue { self.writeAtOnce(to: backend, by: journal) } }
  }

  /// A turn that the writer has taken.
  struct TakenTurn {
    let turn: Turn
    /// The entries that were read with it.
    let reading: TurnReading?
    /// The leadership of the group of this process, in which the writer appends for others, too; nil for a writer alone.
    let leadership: Turn?

    /// Lets other writers go on.
    func end() {
      turn.end()
      leadership?.end()
    }
  }

  private func write(after begun: Begun?) async {
    guard let upstream else { return }
    var (isAlone, begun) = (false, begun)
    while true {
      let first = begun
      begun = nil
      var place = first?.place
      if place == nil { place = try? await gate.take() }
      guard let place else { return }
      defer { place.end() }
      do throws(JournalError) {
        if let first {
          try await land(first.flight, in: nil, after: first.append)
          continue
        }
        guard try await upstream.write(of: self, alone: &isAlone) else { return }
      } catch {
        // The next step finds that the store has ended.
        fail(error)
      }
    }
  }

  /// Brings pending work into a journal: one flight, and after conflicts the following ones.
  ///
  /// - Parameters:
  ///   - backend: The journal.
  ///   - isAlone: Whether the next turn is this store's alone: its work cannot be appended by another store, or may have been, or the journal is out
  ///     of reach.
  /// - Returns: False if there was no work.
  func write(to backend: Backend<State>, alone isAlone: inout Bool) async throws(JournalError) -> Bool {
    let journal = backend.journal.capabilities.groups
    // Where an append would be in vain, the turn comes first. It changes the head that the flight is appended after.
    var turn: TakenTurn?
    if let journal, core.withLock({ $0.isContended }) {
      encodeAheadOfTurn()
      var leadership: Turn?
      if !isAlone {
        switch try await join(journal.group, of: journal) {
        case .leads(let lead): leadership = lead
        case .alone: isAlone = true
        case .done: return true
        }
      }
      defer { if turn == nil { leadership?.end() } }
      turn = try await takeTurn(behind: 0, leading: leadership)
    }
    let (flight, isContended): (Replica<State>.Flight?, Bool) = core.withLock { core in
      // A change that was made since the look above.
      if turn == nil, journal != nil, core.isContended { return (nil, true) }
      if core.status == .open, let flight = core.replica.takeFlight() { return (flight, false) }
      core.isWriting = false
      return (nil, false)
    }
    if isContended { return true }
    guard let flight else {
      turn?.end()
      return false
    }
    isAlone = false
    tellMonitor()
    try await land(flight, in: turn)
    return true
  }

  /// Encodes the pending work before a turn, because other writers wait for the turn.
  private func encodeAheadOfTurn() {
    let records = core.withLock { $0.replica.upcoming(after: ahead.start(after: 0), limit: 64) }
    if let backend { weigh(ahead.encode(records, by: backend.coding, isNeeded: false)) }
    ahead.stop()
  }

  /// Brings one flight, and its work after conflicts, into the journal.
  ///
  /// - Parameters:
  ///   - first: The flight.
  ///   - firstTurn: The turn, if the writer has taken one.
  ///   - begun: The drafts and the result of its first append, if that has ended.
  private func land(
    _ first: Replica<State>.Flight, in firstTurn: TakenTurn?,
    after begun: (drafts: [Entry.Draft], result: Result<Appended, JournalError>)? = nil
  ) async throws(JournalError) {
    guard let journal = backend?.journal else {
      firstTurn?.end()
      return
    }
    var turn = firstTurn
    var (flight, drafts) = if let begun { (first, begun.drafts) } else { await prepare(first) }
    var known = begun?.result
    defer { turn?.end() }
    // The number of turns that have ended without the append.
    var attempts = turn == nil ? 0 : 1
    var backoff = Backoff()
    // Whether the journal may have the flight although its answer was lost.
    var mayBeThere = false
    let start = ContinuousClock.now
    // An append that has ended counts even if the store has ended meanwhile.
    while !drafts.isEmpty, isOpen || known != nil {
      var companions: Companions<State>?
      do throws(JournalError) {
        if turn?.leadership != nil, let group = journal.capabilities.groups?.group, let state = flight.state {
          companions = Companions(of: group, on: state)
        }
        let before = known
        known = nil
        let appended =
          if let before { try before.get() } else { try await append(drafts, of: flight, to: journal, in: turn, with: companions) }
        turn?.end()
        goesOn(.writer)
        if await take(flight, at: appended) {
          count(drafts, from: appended.first)
          startSnapshotIfDue()
          record(.flight(changes: flight.records.count, ContinuousClock.now - start))
          return
        }
        // The flight is in the journal, after other writers' entries: reading shows both.
        let known = revision
        try await retrying { () async throws(JournalError) in _ = try await self.catchUp() }
        guard revision > known || !isOpen else { throw .contradicts(journal.name, appended: appended.first, head: known) }
      } catch {
        // A turn is for one append. The store never pauses during a turn, because that would keep every other writer waiting.
        turn?.end()
        turn = nil
        companions?.failed(error)
        switch Landing.step(after: error, of: flight.records, isAlone: companions?.isEmpty ?? true) {
        case .apart:
          core.withLock { error.leavesOutcomeUnknown ? $0.replica.isElsewhere(flight) : $0.replica.turnedBack(flight) }
          turn = try await takeTurn(behind: 0, attempt: attempts)
          attempts += 1
        case .behind:
          goesOn(.writer)
          record(.conflict)
          core.withLock { core in
            core.replica.turnedBack(flight)
            core.contention.lost()
          }
          turn = try await takeTurn(behind: (error.revision ?? .zero) - revision, attempt: attempts)
          attempts += 1
        case .read:
          goesOn(.writer)
          // The reading shows whether the entry is this store's own. Until then the journal may have a part of the flight.
          core.withLock { $0.replica.isElsewhere(flight) }
          let known = revision
          try await retrying { () async throws(JournalError) in _ = try await self.catchUp() }
          if revision == known {
            let origin = options.environment.origin()
            await rework { replica, _ in replica.renew(origin) }
          }
        case .shorten:
          goesOn(.writer)
          // Nothing of the flight was written.
          let count = flight.records.count / 2
          ahead.put(drafts[count...])
          (flight, drafts) = (core.withLock { $0.replica.shorten(flight, to: count) }, Array(drafts.prefix(count)))
          continue
        case .drop(let sequence):
          goesOn(.writer)
          await rework { replica, _ in replica.discard(sequence, because: .failed(error)) }
        case .dropGone(let marks):
          goesOn(.writer)
          let gone = try await retrying { () async throws(JournalError) in
            try await journal.compactedRevisions(of: marks.flatMap(\.targets))
          }
          let impossible = marks.filter { $0.targets.contains { gone[$0] != nil } }
          guard !impossible.isEmpty else { throw error }
          for record in impossible {
            await rework { replica, _ in replica.discard(record.id.sequence, because: .failed(error)) }
          }
        case .dropUnder(let lease):
          goesOn(.writer)
          await rework { replica, _ in replica.discard(under: lease) }
        case .pause:
          if error.leavesOutcomeUnknown { mayBeThere = true }
          core.withLock { $0.replica.isDoubtful(flight, mayBeThere) }
          guard isOpen else { return }
          waits(.writer, for: error)
          let weighing = startEncodingAhead(of: flight)
          try? await options.environment.sleep(backoff.next())
          await endEncodingAhead(weighing)
          core.withLock { $0.replica.isDoubtful(flight, true) }
          continue
        case .end:
          core.withLock { $0.replica.isDoubtful(flight, mayBeThere || error.leavesOutcomeUnknown) }
          throw error
        }
      }
      backoff = Backoff()
      mayBeThere = false
      guard let next = core.withLock({ $0.replica.takeFlight() }) else { return }
      (flight, drafts) = await prepare(next)
    }
  }

  /// Confirms a flight that has landed.
  ///
  /// - Returns: False if other writers' entries precede it; reading then shows both.
  private func take(_ flight: Replica<State>.Flight, at appended: Appended) async -> Bool {
    // A flight that needs no replay is confirmed at once. So is a small one, because a copy of the replica costs as much as its window.
    let isQuick = core.withLock { flight.isLittle || !flight.isLong && !$0.wantsSteps }
    if isQuick { return report(evenAtTheEnd: true) { $0.landed(flight, at: appended, wantsSteps: $1) } }
    if await rework(evenAtTheEnd: true, { $0.landed(flight, at: appended, wantsSteps: $1) }) { return true }
    core.withLock { $0.replica.isElsewhere(flight) }
    return false
  }

  /// Waits for the exclusive right to append after a conflict, and applies other writers' entries, so that no writer can come first again.
  ///
  /// Most entries are read before: while the turn is held, at most one page is read in the first three attempts, and the journal is not
  /// folded again.
  ///
  /// - Parameters:
  ///   - behind: The number of entries that are known to be missing.
  ///   - attempt: The number of turns before this one that ended without an append.
  ///   - leadership: The leadership of a group. It ends early if this store has much to read.
  private func takeTurn(behind: Int, attempt: Int = 0, leading leadership: Turn? = nil) async throws(JournalError) -> TakenTurn? {
    guard let journal = backend?.journal else { return nil }
    if core.withLock({ $0.isServed }) {
      // A server takes no turns: it reads, and decides again.
      try await retrying { () async throws(JournalError) in _ = try await self.catchUp() }
      return nil
    }
    var isFarBehind = behind >= CatchUp<State>.pageSize
    var tries = 0
    while isOpen {
      if isFarBehind {
        leadership?.end()
        try await retrying { () async throws(JournalError) in _ = try await self.catchUp() }
      }
      let turn: Turn
      var reading: TurnReading?
      if let journal = journal.capabilities.groups {
        let attempt = attempt + tries
        let read = try await retrying { () async throws(JournalError) in
          try await journal.takeTurn(limit: CatchUp<State>.pageSize, attempt: attempt) { hasWaited async throws(JournalError) in
            // The entries of those that were before this store are read before the others have to wait for it. Others of the process wait
            // meanwhile, so a page must do. An append of unknown outcome may still be made: then only the turn shows the end.
            if hasWaited, self.core.withLock({ $0.replica.writing.doubtful == 0 }) { try await self.catchUp(pages: 1) }
            return self.core.withLock { $0.replica.head }
          }
        }
        (turn, reading) = (read.turn, read)
        core.withLock { $0.contention.tookTurn(missed: read.head != read.start, now: .now) }
      } else {
        turn = try await retrying { () async throws(JournalError) in try await journal.takeTurn() }
      }
      tries += 1
      do throws(JournalError) {
        // After several attempts in vain, read to the end, however many entries there are.
        if try await catchUp(pages: tries < 4 ? 1 : .max, from: reading) {
          return TakenTurn(turn: turn, reading: reading, leadership: isFarBehind ? nil : leadership)
        }
        turn.end()
        isFarBehind = true
      } catch {
        turn.end()
        guard error.isTransient else { throw error }
        isFarBehind = true
      }
    }
    return nil
  }

  /// Repeats a call after transient errors, with growing pauses.
  func retrying<Result: Sendable>(_ body: () async throws(JournalError) -> Result) async throws(JournalError) -> Result {
    var backoff = Backoff()
    while true {
      do throws(JournalError) {
        let result = try await body()
        goesOn(.writer)
        return result
      } catch {
        guard error.isTransient, isOpen else { throw error }
        // Each writer of the group must see the outage, and show it.
        backend?.journal.capabilities.groups?.group.dissolve()
        waits(.writer, for: error)
        try? await options.environment.sleep(backoff.next())
      }
    }
  }
}
