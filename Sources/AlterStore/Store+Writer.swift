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
    Task { await write() }
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
    var flight = first
    await encode(flight)
    var drafts = draft(flight)
    var turn: Turn?
    defer { turn?.end() }
    var backoff = Backoff(patience: options.patience)
    while !drafts.isEmpty, status == .open {
      do throws(JournalError) {
        let appended = try await append(drafts, of: flight, to: journal, in: turn)
        report { $0.landed(flight, at: appended, wantsSteps: $1) }
        count(drafts, from: appended.first)
        startSnapshotIfDue()
        return
      } catch {
        switch error.code {
        case .conflict:
          // One conflict, then a turn: wait in line, read what others wrote, rebase, append; nobody can be first again.
          core.withLock { $0.replica.turnedBack(flight) }
          if turn == nil { turn = try await patiently { () async throws(JournalError) in try await journal.takeTurn() } }
          try await patiently { () async throws(JournalError) in try await self.catchUp() }
        case .originCollision:
          report { replica, _ in replica.renew(self.options.origin()) }
        case .staleLease:
          guard let lease = error.lease else { throw error }
          report { replica, _ in replica.discard(under: lease) }
        case _ where error.isTransient:
          // The outcome may be unknown: the same drafts again, and the journal finds them if they are there.
          guard let pause = backoff.next() else { throw error }
          try? await options.sleep(pause)
          continue
        default:
          throw error
        }
        guard let next = core.withLock({ $0.replica.takeFlight() }) else { return }
        flight = next
        await encode(flight)
        drafts = draft(flight)
      }
    }
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
    if let encoding {
      ahead.want(false)
      await encoding.value
    }
    return try result.get()
  }

  /// The drafts of a flight; empty when one can't be encoded: then that one is discarded and the flight turned back.
  private func draft(_ flight: Replica<State>.Flight) -> [Entry.Draft] {
    guard let backend else { return [] }
    var drafts: [Entry.Draft] = []
    drafts.reserveCapacity(flight.records.count)
    let encoded = ahead.take()
    for record in flight.records {
      if let draft = encoded[record.id.sequence], draft.id == record.id {
        drafts.append(draft)
        continue
      }
      do { drafts.append(try backend.coding.draft(record)) } catch {
        let reason = JournalError(
          .unencodable, journal: backend.journal.name,
          message:
            "can't take the change \(record.id): it can't be written as JSON: \(JournalCoding.explain(error)). It was taken out of the state again."
        )
        report { replica, _ in replica.discard(record.id.sequence, because: .failed(reason)) }
        return []
      }
    }
    return drafts
  }

  /// Repeats what meets a passing failure, in growing pauses.
  private func patiently<Result: Sendable>(_ body: () async throws(JournalError) -> Result) async throws(JournalError) -> Result {
    var backoff = Backoff(patience: options.patience)
    while true {
      do throws(JournalError) { return try await body() } catch {
        guard error.isTransient, let pause = backoff.next() else { throw error }
        try? await options.sleep(pause)
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
  private func catchUp() async throws(JournalError) {
    guard let backend else { return }
    while let start = core.withLock({ $0.replica.head }) {
      var records: [Record<State>] = []
      var isCopied = false
      let head = try await backend.journal.readVerified(after: start, through: start.revision + 1_000) { entry throws(JournalError) in
        snapshots.withLock { $0.rule.count(entry.revision, entry.size) }
        records.append(try backend.coding.record(entry, backend.journal.name))
        // An id of ours with other content: a copy of this process writes, too.
        if let own = core.withLock({ $0.replica.pending(entry.id) }), (try? backend.coding.draft(own)) != entry.draft { isCopied = true }
      }
      guard head != start else { return }
      if isCopied { report { replica, _ in replica.renew(self.options.origin()) } }
      // Who observes is asked now: somebody may have begun during the reading, with the state before it.
      let isDone = report { $0.advance(records, to: head, wantsSteps: $1) }
      if !isDone {
        let folded = try await backend.fold(Backend.Wish(window: options.undoWindow, stepsAfter: start.revision))
        snapshots.withLock { $0.rule.count(through: folded.rule) }
        report { replica, _ in replica.adopt(folded.history, steps: folded.report.steps, head: folded.head) }
      }
    }
  }

  // MARK: - Telling

  /// Lets the replica take in an event, and tells what follows from it.
  ///
  /// - Returns: Whether the replica took it.
  @discardableResult
  private func report(_ event: (inout Replica<State>, _ wantsSteps: Bool) -> Replica<State>.Report?) -> Bool {
    let report: (Replica<State>.Report, [Promise<Result<Revision, CommitError<State.Failure>>>?])? = core.withLock { core in
      guard let report = event(&core.replica, core.wantsSteps) else { return nil }
      core.version += 1
      for step in report.steps {
        core.notifications.append(Notification<State>(record: step.record, state: step.state, observers: core.observers))
        core.announce(.confirmed(step.record))
      }
      if report.isRebased { core.announce(.rebased(core.replica.state)) }
      var promises: [Promise<Result<Revision, CommitError<State.Failure>>>?] = []
      promises.reserveCapacity(report.resolutions.count)
      for resolution in report.resolutions {
        if case .failure(let error) = resolution.result { core.announce(.dropped(resolution.id, error)) }
        promises.append(core.promises.remove(resolution.sequence))
      }
      return (report, promises)
    }
    guard let (report, promises) = report else { return false }
    keep(promises, by: report)
    tell(report)
    return true
  }

  /// Resolves commits, and reports those that nobody awaited and that were lost. Outside the lock.
  private func keep(_ promises: [Promise<Result<Revision, CommitError<State.Failure>>>?], by report: Replica<State>.Report) {
    for index in 0..<promises.count {
      guard let promise = promises[index] else { continue }
      let resolution = report.resolutions[index]
      let isHeard = promise.resolve(resolution.result)
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
  private func showChange() {
    let version = core.withLock { $0.watchers > 0 ? $0.version : nil }
    if let version { visible.advance(to: Revision(version)) }
  }

  /// The journal has failed for good: nothing is acknowledged, everything pending stays in memory.
  func fail(_ error: JournalError) {
    let promises = core.withLock { core in
      core.isWriting = false
      guard core.status == .open else { return [Promise<Result<Revision, CommitError<State.Failure>>>]() }
      core.status = .failed(error)
      core.version += 1
      core.problems.add(.failed(error))
      core.announce(.failed(error))
      return core.promises.removeAll()
    }
    for promise in promises { promise.resolve(.failure(.failed(error))) }
    showChange()
  }
}

/// Pauses that double from 10 ms to 1 s, as long as patience lasts.
struct Backoff {
  private var left: Duration
  private var pause: Duration = .milliseconds(10)

  init(patience: Duration) { left = patience }

  /// The next pause; nil when patience is exhausted.
  mutating func next() -> Duration? {
    guard left > .zero else { return nil }
    defer { pause = min(pause * 2, .seconds(1)) }
    left -= pause
    return pause
  }
}
