import AlterCore
import AlterJournal

/// The writer and the reader: what carries a replica's work to the journal and others' work back.
///
/// One writer task runs while something is pending. It takes whatever is pending as one flight, so that many changes share one
/// sync to disk, and hands over the gate between flights, so that the reader gets its turn.
extension Store {
  /// Starts the writer. Whoever calls has set `isWriting` under the lock, and it was not set before.
  @usableFromInline
  func startWriting() {
    // The task holds the store: dropping it without closing still writes what is pending.
    // It neither inherits the priority of whoever makes a change nor what is local to his task.
    Task.detached { await self.write() }
  }

  private func write() async {
    while true {
      guard let turn = try? await gate.take() else { return }
      defer { turn.end() }
      let flight: Replica<State>.Flight? = core.withLock { core in
        if core.status == .open, let flight = core.replica.takeFlight() { return flight }
        core.isWriting = false
        return nil
      }
      guard let flight else { return }
      do throws(JournalError) { try await land(flight) } catch { fail(error) }
    }
  }

  /// Brings one flight, and whatever becomes of it after conflicts, into the journal.
  private func land(_ first: Replica<State>.Flight) async throws(JournalError) {
    guard let journal = backend?.journal else { return }
    var (flight, drafts) = await prepare(first)
    var turn: Turn?
    defer { turn?.end() }
    var backoff = Backoff()
    // Whether the journal may have the flight although it has not said so.
    var mayBeThere = false
    while !drafts.isEmpty, isOpen {
      do throws(JournalError) {
        let appended = try await append(drafts, of: flight, to: journal, in: turn)
        goesOn(.writer)
        if await take(flight, at: appended) {
          count(drafts, from: appended.first)
          startSnapshotIfDue()
          return
        }
        // It is there, and others have written before it: reading shows both.
        let known = revision
        try await patiently { () async throws(JournalError) in _ = try await self.catchUp() }
        guard revision > known || !isOpen else { throw .contradicts(journal.name, appended: appended.first, head: known) }
      } catch {
        // A turn is for one append. The store never pauses in one, which would keep every other writer waiting.
        turn?.end()
        turn = nil
        switch error.code {
        case .conflict:
          goesOn(.writer)
          core.withLock { $0.replica.turnedBack(flight) }
          turn = try await takeTurn(behind: (error.revision ?? .zero) - revision)
        case .originCollision:
          goesOn(.writer)
          // A part of the flight may be there, from an append whose answer was lost: reading shows it, and whether an id of ours has other content.
          core.withLock { $0.replica.turnedBack(flight) }
          let known = revision
          try await patiently { () async throws(JournalError) in _ = try await self.catchUp() }
          if revision == known {
            let origin = options.origin()
            await rework { replica, _ in replica.renew(origin) }
          }
        case .unencodable where flight.records.count == 1:
          goesOn(.writer)
          let sequence = flight.records[0].id.sequence
          await rework { replica, _ in replica.discard(sequence, because: .failed(error)) }
        case .staleLease:
          guard let lease = error.lease else { throw error }
          goesOn(.writer)
          await rework { replica, _ in replica.discard(under: lease) }
        case _ where error.isTransient:
          // The outcome may be unknown: the same drafts again, and the journal finds them if they are there.
          if error.leavesOutcomeUnknown { mayBeThere = true }
          core.withLock { $0.replica.isDoubtful(flight, mayBeThere) }
          guard isOpen else { return }
          waits(.writer, for: error)
          let weighing = startEncodingAhead(of: flight)
          try? await options.sleep(backoff.next())
          await endEncodingAhead(weighing)
          core.withLock { $0.replica.isDoubtful(flight, true) }
          continue
        default:
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

  /// Takes in that a flight has landed.
  ///
  /// - Returns: false when others have written before it; reading shows both.
  private func take(_ flight: Replica<State>.Flight, at appended: Appended) async -> Bool {
    // What was applied already, and isn't told step by step, is taken in at once; and so is what is little: a copy of the replica costs as much as its window.
    let isQuick = core.withLock { flight.isLittle || !flight.isLong && !$0.wantsSteps }
    if isQuick { return report(evenAtTheEnd: true) { $0.landed(flight, at: appended, wantsSteps: $1) } }
    if await rework(evenAtTheEnd: true, { $0.landed(flight, at: appended, wantsSteps: $1) }) { return true }
    core.withLock { $0.replica.isElsewhere(flight) }
    return false
  }

  /// How many bytes one append carries, unless a single change has more.
  private static var flightBytes: Int64 { 16 << 20 }

  /// Encodes a flight, and shortens it to as many bytes as one append carries.
  private func prepare(_ flight: Replica<State>.Flight) async -> (Replica<State>.Flight, [Entry.Draft]) {
    await encode(flight)
    let drafts = await draft(flight)
    let flight = flight.weighing(drafts)
    weigh(drafts)
    var bytes: Int64 = 0
    let fitting = drafts.prefix { draft in
      defer { bytes += draft.size }
      return bytes == 0 || bytes + draft.size <= Self.flightBytes
    }
    guard fitting.count < drafts.count else { return (flight, drafts) }
    ahead.put(drafts[fitting.count...])
    return (core.withLock { $0.replica.shorten(flight, to: fitting.count) }, Array(fitting))
  }

  /// Waits in line for the right to append after a conflict, and takes in what others have written: then none of them can be first again.
  ///
  /// The bulk is read before: the turn is held while no more than a page is read.
  ///
  /// - Parameter behind: How many entries are known to be missing.
  private func takeTurn(behind: Int) async throws(JournalError) -> Turn? {
    guard let journal = backend?.journal else { return nil }
    var isFarBehind = behind >= CatchUp<State>.pageSize
    var tries = 0
    while isOpen {
      if isFarBehind { try await patiently { () async throws(JournalError) in _ = try await self.catchUp() } }
      let turn = try await patiently { () async throws(JournalError) in try await journal.takeTurn() }
      tries += 1
      do throws(JournalError) {
        // Whoever has stood in line several times in vain reads to the end, however much that is.
        if try await catchUp(pages: tries < 4 ? 1 : .max) { return turn }
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

  /// Appends a flight, and encodes meanwhile what comes after it.
  private func append(
    _ drafts: [Entry.Draft], of flight: Replica<State>.Flight, to journal: any Journal, in turn: Turn?
  ) async throws(JournalError) -> Appended {
    let encoding = startEncodingAhead(of: flight)
    let result: Result<Appended, JournalError>
    do throws(JournalError) {
      result = .success(try await journal.append(drafts, after: flight.head, in: turn, under: flight.leases))
    } catch {
      result = .failure(error)
    }
    await endEncodingAhead(encoding)
    return try result.get()
  }

  /// The drafts of a flight; empty when one can't be encoded: then that one is discarded and the flight turned back.
  private func draft(_ flight: Replica<State>.Flight) async -> [Entry.Draft] {
    guard let backend else { return [] }
    var drafts: [Entry.Draft] = []
    drafts.reserveCapacity(flight.records.count)
    let encoded = ahead.take(through: flight.records[flight.records.count - 1].id.sequence)
    for record in flight.records {
      if let draft = encoded[record.id.sequence], draft.id == record.id {
        drafts.append(draft)
        continue
      }
      let why: String
      do {
        let draft = try backend.coding.draft(record)
        if draft.size <= Entry.Draft.largestSize {
          drafts.append(draft)
          continue
        }
        why = "it takes \(draft.size) bytes, and an entry may take \(Entry.Draft.largestSize)"
      } catch {
        why = "it can't be written as JSON: \(JournalCoding.explain(error))"
      }
      let reason = JournalError(
        .unencodable, journal: backend.journal.name,
        message: "can't take the change \(record.id): \(why). It was taken out of the state again.")
      await rework { replica, _ in replica.discard(record.id.sequence, because: .failed(reason)) }
      return []
    }
    return drafts
  }

  /// Repeats what meets a passing failure, in growing pauses.
  private func patiently<Result: Sendable>(_ body: () async throws(JournalError) -> Result) async throws(JournalError) -> Result {
    var backoff = Backoff()
    while true {
      do throws(JournalError) {
        let result = try await body()
        goesOn(.writer)
        return result
      } catch {
        guard error.isTransient, isOpen else { throw error }
        waits(.writer, for: error)
        try? await options.sleep(backoff.next())
      }
    }
  }

  // MARK: - Reading

  /// Takes in what others wrote.
  ///
  /// - Parameter revision: What was known when the journal was seen to have more.
  /// - Returns: The revision known now.
  func readOthers(after revision: Revision) async throws(JournalError) -> Revision {
    // Most often it was this store's own writer, who is about to take it in: to stand in line behind it would keep its next flight waiting.
    if self.revision == revision { await Task.yield() }
    guard self.revision == revision else { return self.revision }
    let turn = try await gate.take()
    defer { turn.end() }
    if self.revision == revision { try await catchUp() }
    return self.revision
  }

  /// Reads the journal from the known head to its end, a page at a time, and folds it in.
  ///
  /// - Parameter pages: How many pages at most.
  /// - Returns: Whether the end was reached.
  @discardableResult
  private func catchUp(pages: Int = .max) async throws(JournalError) -> Bool {
    guard let backend else { return true }
    var hasSteps = false
    while var catchUp = CatchUp(self, backend, hasSteps: hasSteps) {
      var isEnd = false
      var failure: JournalError?
      do throws(JournalError) { isEnd = try await catchUp.read(pages: pages, of: self) } catch { failure = error }
      // What was read before a failure counts.
      switch try await catchUp.end(in: self) {
      case .done:
        if let failure { throw failure }
        if isEnd || catchUp.pages >= pages || !isOpen { return isEnd }
      case .ended: return false
      // Who observes is asked now: somebody may have begun during the reading, with the state before it.
      case .needsSteps: hasSteps = true
      case .isAnother: break
      }
    }
    return false
  }

  // MARK: - Telling

  /// Lets the replica take in an event, and tells what follows from it.
  ///
  /// - Parameters:
  ///   - isFinal: Whether the event counts also after the store has failed or was closed: then commits are resolved already, and what is pending must stay
  ///     as it is, to be handed back.
  ///   - event: What happens.
  /// - Returns: Whether the replica took it.
  @discardableResult
  func report<Failure: Error>(
    evenAtTheEnd isFinal: Bool = false, _ event: (inout Replica<State>, _ wantsSteps: Bool) throws(Failure) -> Replica<State>.Report?
  ) throws(Failure) -> Bool {
    let told: (Replica<State>.Report, [Settling])? = try core.withLock { core throws(Failure) in
      guard isFinal || core.status == .open else { return nil }
      guard let report = try event(&core.replica, core.wantsSteps) else { return nil }
      core.version += 1
      for step in report.steps {
        core.notifications.append(Notification<State>(record: step.record, state: step.state, observers: core.observers))
        core.announce(.confirmed(step.record))
      }
      if report.isRebased { core.announce(.rebased(core.replica.state)) }
      var settlings: [Settling] = []
      settlings.reserveCapacity(report.resolutions.count)
      for resolution in report.resolutions {
        let promise = core.promises.remove(resolution.sequence)
        core.unweigh(resolution.sequence)
        guard case .failure(let error) = resolution.result else {
          if let promise { settlings.append(.kept(promise, resolution.result)) }
          continue
        }
        core.announce(.dropped(resolution.id, error))
        // Under the lock, so that a change that requires it learns of it.
        if let promise { settlings.append(.dropped(promise.settle(resolution.result), resolution)) }
      }
      return (report, settlings)
    }
    guard let (report, settlings) = told else { return false }
    for settling in settlings { settle(settling) }
    tell(report)
    return true
  }

  /// What is to be done about a commit outside the lock.
  private enum Settling {
    case kept(Promise<Result<Revision, CommitError<State.Failure>>>, Result<Revision, CommitError<State.Failure>>)
    case dropped([Waiter<Result<Revision, CommitError<State.Failure>>>], Replica<State>.Resolution)
  }

  /// Resolves a commit, and reports one that was lost and that nobody awaits. Outside the lock.
  private func settle(_ settling: Settling) {
    switch settling {
    case .kept(let promise, let result): promise.resolve(result)
    case .dropped(let waiters, let resolution):
      let isHeard = waiters.finish(resolution.result)
      if !isHeard, case .failure(let error) = resolution.result, !error.isOnlyUnasked {
        core.withLock { $0.problems.add(.lost(resolution.id, reason: "\(error)")) }
      }
    }
  }

  /// Reports problems, delivers notifications, and wakes who waits. Outside the lock.
  func tell(_ report: Replica<State>.Report) {
    for (revision, failure) in report.refusals {
      core.withLock { $0.problems.add(.refusedAtReplay(revision, reason: "\(failure)")) }
    }
    deliver()
    showChange()
  }

  /// Wakes those who wait for what is seen to change.
  func showChange() {
    let version = core.withLock { $0.watchers > 0 ? $0.version : nil }
    if let version { visible.advance(to: Revision(version)) }
  }

  /// The journal has failed for good: nothing is acknowledged, everything pending stays in memory, and every stream ends.
  func fail(_ error: JournalError) {
    let hasFailed = core.withLock { core in
      core.isWriting = false
      guard core.status == .open else { return false }
      core.status = .failed(error)
      core.version += 1
      core.problems.add(.failed(error))
      core.announce(.failed(error))
      core.endTransitions()
      return true
    }
    guard hasFailed else { return }
    endPatience()
    abandonCommits(because: error)
    // Nothing more is shown, so nothing more is read.
    reader.withLock { $0 }?.cancel()
    visible.finish(error)
  }

  /// Resolves every commit that is not in the journal, as far as is known.
  func abandonCommits(because error: JournalError) {
    resolve(core.withLock { $0.abandonCommits() }, because: error)
  }

  /// Resolves abandoned commits. Outside the lock.
  func resolve(_ abandoned: Core.Abandoned, because error: JournalError) {
    for (sequence, promise) in abandoned.promises {
      promise.resolve(.failure(abandoned.doubtful.contains(sequence) ? .unknown(error) : .failed(error)))
    }
  }
}

/// Pauses that double from 10 ms to 1 s.
struct Backoff {
  private var pause: Duration = .milliseconds(10)

  /// The next pause.
  mutating func next() -> Duration {
    defer { pause = min(pause * 2, .seconds(1)) }
    return pause
  }
}
