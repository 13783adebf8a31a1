public import AlterCore
package import AlterJournal

// The operations of a store that only feedbacks use.
extension Store {
  /// The id of this store's replica.
  package var origin: Origin { core.withLock { $0.replica.origin } }

  /// The store's wall clock: microseconds since 1970 UTC.
  package var now: Int64 { options.environment.now() }

  /// Makes changes only while the state meets a condition, if there is one: now, and at each replay on top of other writers' entries.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order: one atomic batch.
  ///   - cause: The entry that the changes answer.
  ///   - lease: The lease that they are made under.
  ///   - condition: A pure function of the state. It may be called under the store's lock, and again whenever the work is replayed.
  /// - Throws: ``ChangeError``; `conditionFailed` if the state does not meet the condition. Then nothing has changed.
  package func change(
    _ changes: [State.Change], cause: Cause, under lease: Lease?, if condition: (@Sendable (State) -> Bool)?
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    try make(Record.Content(changes), cause: cause, requires: nil, under: lease, if: condition)
  }

  /// The request for a lease of the journal under this store's present replica; nil without a journal.
  package func leaseRequest(_ name: String, lasting duration: Duration) -> LeaseRequest? {
    backend.map { LeaseRequest(journal: $0.journal, name: name, holder: origin, duration: duration) }
  }

  /// Releases a lease.
  package func release(_ lease: Lease) async throws(JournalError) { try await backend?.journal.release(lease) }

  /// Waits for the final outcome of a commit, through every outage. Call it in a task that is never cancelled.
  package func settled(_ commit: Commit<State>) async -> Result<Revision, CommitError<State.Failure>> {
    while true {
      // Before the outcome, so that its arrival raises the version.
      let version = core.withLock { $0.version }
      let outcome = await commit.result()
      guard case .failure(.notYet) = outcome else { return outcome }
      do { try await watch.wait(past: version) } catch { return outcome }
    }
  }

  // MARK: - Looks

  /// Begins to collect the states of the store, beginning with the present one.
  ///
  /// - Parameters:
  ///   - isVisible: Whether the states are those with pending changes.
  ///   - keepsStates: Whether the states are collected. Otherwise `wake` is all that happens.
  ///   - wake: Called after new states were collected, outside of every lock.
  package func look(atVisible isVisible: Bool, keepsStates: Bool = true, wake: @escaping @Sendable () -> Void) -> Looks<State> {
    let looks = Looks<State>(isVisible: isVisible, keepsStates: keepsStates, wake: wake)
    core.withLock { core in
      let history = core.replica.history
      let last = isVisible ? core.replica.made : history.records.last
      looks.add([Look(record: nil, depth: last?.depth ?? 0, state: isVisible ? core.replica.state : history.state)])
      core.looks.append(looks)
    }
    return looks
  }

  /// Ends a collection.
  package func end(_ looks: Looks<State>) { core.withLock { $0.looks.removeAll { $0 === looks } } }

  // MARK: - Runs

  /// Waits for the right to be the only performer of a name in this store, in the order of the calls.
  ///
  /// - Parameters:
  ///   - name: The name of a feedback.
  ///   - begin: Called when the right is granted, possibly before this method returns, and outside of every lock.
  /// - Returns: The id for ``giveUp(_:of:)``.
  package func claim(_ name: String, _ begin: @escaping @Sendable () -> Void) -> Int {
    let (id, isFirst) = core.withLock { core in
      core.lastClaim += 1
      core.claims[name, default: []].append((core.lastClaim, begin))
      return (core.lastClaim, core.claims[name]?.count == 1)
    }
    if isFirst { begin() }
    return id
  }

  /// Gives up the right to perform a name, or the wait for it.
  package func giveUp(_ id: Int, of name: String) {
    let next = core.withLock { core -> (@Sendable () -> Void)? in
      let wasFirst = core.claims[name]?.first?.id == id
      core.claims[name]?.removeAll { $0.id == id }
      if core.claims[name]?.isEmpty == true { core.claims[name] = nil }
      return wasFirst ? core.claims[name]?.first?.begin : nil
    }
    next?()
  }

  /// The runs that the store owns, oldest first.
  package var runs: [any StoreRun] { core.withLock { $0.runs } }

  /// Makes the store the owner of a run, until it ends.
  ///
  /// - Returns: False if the store has ended.
  package func own(_ run: any StoreRun) -> Bool {
    core.withLock { core in
      guard core.takesChanges else { return false }
      core.runs.append(run)
      return true
    }
  }

  /// Gives up a run.
  package func disown(_ run: any StoreRun) { core.withLock { $0.runs.removeAll { $0 === run } } }

  /// Ends all runs.
  func endRuns() async {
    let runs = runs
    // All of them first: otherwise one that waits for the end of another would begin.
    for run in runs { run.cancel() }
    for run in runs { await run.stop() }
  }
}

/// Something that a store owns, and that ends before the store is closed.
package protocol StoreRun: AnyObject, Sendable {
  /// Whether a store of `Stores` must stay open for it. Called under the store's lock.
  var keepsStore: Bool { get }

  /// Begins nothing any more, and cancels the effects.
  func cancel()

  /// Ends the run, and waits for its end.
  func stop() async
}

/// A state, and the record that led to exactly this state.
@usableFromInline
package struct Look<State: Alterable>: Sendable {
  /// The record; nil for the first state, and for one that several records have led to.
  package let record: Record<State>?
  /// The number of consecutive feedback answers that led to the state.
  package let depth: Int
  package let state: State
}

/// The states of a store that a feedback or a view has not examined yet, in order. The store adds them under its lock.
@usableFromInline
package final class Looks<State: Alterable>: Sendable {
  let isVisible: Bool
  let keepsStates: Bool
  @usableFromInline let wake: @Sendable () -> Void
  private let queue = Lock<(looks: [Look<State>], first: Int)>(([], 0))

  init(isVisible: Bool, keepsStates: Bool, wake: @escaping @Sendable () -> Void) {
    (self.isVisible, self.keepsStates, self.wake) = (isVisible, keepsStates, wake)
  }

  /// Adds states at once: a request that the last of them has withdrawn must not be seen in another one as the newest.
  func add(_ looks: [Look<State>]) {
    if keepsStates { queue.withLock { $0.looks += looks } }
  }

  /// Removes and returns the next state; nil if every state was examined.
  package func next() -> Look<State>? {
    queue.withLock { queue in
      guard queue.first < queue.looks.count else {
        queue = ([], 0)
        return nil
      }
      defer { queue.first += 1 }
      return queue.looks[queue.first]
    }
  }
}

extension Record {
  /// The number of consecutive feedback answers that end with this record.
  package var depth: Int {
    guard let cause else { return 0 }
    // A device may claim any number; an answer adds one.
    return min(max(cause.depth ?? (cause.feedback == nil ? 0 : 1), 0), .max - 1)
  }
}

extension Store.Core {
  /// Adds the state after a record that was made.
  @usableFromInline
  mutating func lookAtMade(isConfirmed: Bool) {
    guard wantsLooks, let record = replica.made else { return }
    let look = Look(record: record, depth: record.depth, state: replica.state)
    for looks in looks where looks.isVisible || isConfirmed { looks.add([look]) }
  }

  /// Adds the states to which an event in the journal led, if a feedback or a view wants them.
  mutating func look(at report: Replica<State>.Report) {
    let own = Set(report.resolutions.lazy.compactMap { if case .success = $0.result { $0.id } else { nil } })
    let others = report.steps.filter { !own.contains($0.record.id) }
    // Without pending work, before and after, each entry has led to a visible state of its own.
    let isExact =
      !replica.isSynced && replica.pendingCount == 0 && report.start == nil && !report.isRebased
      && own.count == report.resolutions.count
    let isOther =
      report.start != nil || report.isRebased || !others.isEmpty || own.count < report.resolutions.count
      || replica.isSynced && !own.isEmpty
    let refused = report.listed.flatMap { listed in
      let dropped = report.dropped
      return listed.lazy.filter { dropped.contains($0.record.id) }.map(\.record.depth).max()
    }
    func look(_ step: (record: Record<State>, state: State)) -> Look<State> {
      Look(record: step.record, depth: step.record.depth, state: step.state)
    }
    for looks in looks {
      if !looks.isVisible {
        let start = report.start.map { [Look<State>(record: nil, depth: 0, state: $0.state)] } ?? []
        looks.add(start + report.steps.map(look))
      } else if isExact {
        looks.add(others.map(look))
      } else if isOther {
        // Several records may have led to this state, and work may have left it. A refused answer asks again: its chain goes on.
        let depth = refused ?? others.last?.record.depth ?? replica.made?.depth ?? 0
        looks.add([Look(record: nil, depth: depth, state: replica.state)])
      }
    }
  }
}

extension CommitError {
  /// Whether the only reason is that a condition failed: a feedback's request was withdrawn before its answer.
  var isOnlyUnasked: Bool { if case .conditionFailed = self { true } else { false } }

  /// Whether the change is kept in the list of refusals.
  var isListed: Bool { if case .refused = self { true } else { false } }
}
