import AlterCore
import AlterJournal
import AlterStore

// The way of changes from effects to the store, the pauses between attempts, and the reports.
extension Runner {
  /// The cause of a change that belongs to a request.
  private func cause(_ work: Work) -> Cause {
    Cause(
      answers: traits.form == .ask ? work.asked.cause : nil, feedback: name,
      request: traits.form == .act && !traits.isUndoable ? work.asked.id?.description : nil, depth: work.asked.depth + 1)
  }

  /// Whether a state asks for the request of a performance.
  private func condition(_ work: Work) -> @Sendable (State) -> Bool {
    { [lookup] state in
      lookup(work.key, state).map { Machine.Asked($0, cause: nil, depth: 0, since: 0, order: 0).isSame(as: work.asked) } ?? false
    }
  }

  /// Makes the last change of a performance, and waits until the run has examined it.
  func append(_ change: State.Change, _ work: Work) async {
    let condition = condition(work)
    var outcome: Machine.Unmade?
    // The answer of an effect that acts is offered whether or not the state still asks.
    do { try await make([change], work, if: traits.form == .act ? nil : condition) } catch {
      outcome = unmade(error, work)
      // A pending change has withdrawn the request, visibly. It may still fail.
      if error is ChangeError<State.Failure>, case .refused = outcome, !condition(work.store.state) { outcome = .unasked }
    }
    startWaiting()
    let todos = core.withLock { core in
      core.machines[work.key] == nil
        ? []
        : event(&core, work.key) { machine in outcome.map { machine.notMade(work.number, $0) } ?? machine.made(work.number) }
    }
    for todo in todos { todo() }
  }

  /// Makes changes while the effect runs.
  func send(_ changes: [State.Change], _ work: Work) async throws {
    guard core.withLock({ $0.looks != nil }) else { throw CancellationError() }
    do {
      try await make(changes, work, if: condition(work))
      core.withLock { $0.performances[work.number]?.hasSent = true }
    } catch {
      if case CommitError<State.Failure>.staleLease = error { loseLease(of: work) }
      throw error
    }
  }

  /// Makes changes, and waits until the journal has them; of a local feedback, until they are visible.
  private func make(_ changes: [State.Change], _ work: Work, if condition: (@Sendable (State) -> Bool)?) async throws {
    while true {
      let commit: Commit<State>
      do throws(ChangeError<State.Failure>) {
        commit = try work.store.change(changes, cause: cause(work), under: work.lease, if: condition)
      } catch {
        guard case .full = error else { throw error }
        try await work.store.ready()
        continue
      }
      if context.isLeased { _ = try await work.store.settled(commit).get() }
      return
    }
  }

  /// Whether an error of an effect says that the state did not ask any more when the effect sent something.
  func isUnasked(_ error: any Error) -> Bool {
    switch error {
    case ChangeError<State.Failure>.conditionFailed, CommitError<State.Failure>.conditionFailed: true
    default: false
    }
  }

  private func unmade(_ error: any Error, _ work: Work) -> Machine.Unmade {
    switch error {
    case ChangeError<State.Failure>.refused(let failure), CommitError<State.Failure>.dropped(let failure): return .refused("\(failure)")
    case ChangeError<State.Failure>.unencodable, CommitError<State.Failure>.refused: return .refused("\(error)")
    case ChangeError<State.Failure>.requirementDropped, CommitError<State.Failure>.requirementDropped, CommitError<State.Failure>.undo:
      return .unasked
    case _ where isUnasked(error): return .unasked
    case CommitError<State.Failure>.staleLease: loseLease(of: work)
    // The store has ended: nothing begins any more.
    default: cancel()
    }
    return .lost
  }

  // MARK: - Pauses

  func pause(_ key: S.Key, _ number: Int, _ attempt: Int, _ error: String) {
    guard let store = context.store() else { return }
    let length = Self.pause(after: attempt, variation: store.origin.uuid.uuid.15 &+ UInt8(truncatingIfNeeded: number))
    let isLong = length > .seconds(60)
    let until = store.now.saturatingAdding(length.components.seconds * 1_000_000 + length.components.attoseconds / 1_000_000_000_000)
    // The store is kept for a short pause, and not for a long one.
    let kept = isLong ? nil : store
    core.withLock { core in
      // An event may have ended the pause already.
      guard !core.isStopped, core.machines[key]?.pause == number else { return }
      if isLong { core.atWork.remove(key) }
      let task = context.options.task { [weak self, clock = context.options.clock] in
        guard (try? await clock.sleep(for: length)) != nil else { return }
        self?.goOn(key, after: number)
        withExtendedLifetime(kept) {}
      }
      core.pauses[key] = Pause(number: number, task: task, until: until, error: error)
    }
  }

  private func goOn(_ key: S.Key, after number: Int) {
    core.withLock { core in
      guard core.machines[key]?.pause == number else { return }
      core.pauses[key] = nil
      _ = event(&core, key) { machine in
        machine.due(number)
        return []
      }
    }
    startWaiting()
  }

  /// The pause after an attempt: 1 s, twice as long after each further attempt, 100 s at most, and varied by 20 % up or down.
  static func pause(after attempt: Int, variation: UInt8) -> Duration {
    let seconds = attempt > 7 ? 100 : 1 << max(attempt - 1, 0)
    // A multiple of an odd number spreads consecutive values.
    return .milliseconds(seconds * (800 + Int(variation &* 167) * 400 / 255))
  }

  // MARK: - Reports

  func report(_ notice: Machine.Notice, _ asked: Machine.Asked?) {
    let request = asked.map { "The request \(DateText.describing($0.request).prefix(200))" } ?? "A request"
    let reason =
      switch notice {
      case .stuck(let why): "\(request) is stuck: \(text(why))\(why.canBeRetried ? " `FeedbackRun.retry` begins it again." : "")"
      case .unclaimed:
        """
        \(request) was withdrawn while its effect ran, so the effect may have been done, and the state does not know its outcome. Look it up at the \
        service\(asked?.id.map { " (request \($0))" } ?? "").
        """
      case .withdrawn:
        """
        \(request) was withdrawn before its effect had sent anything. An effect that sends before it asks the service has done nothing. Any other \
        one may have: look it up\(asked?.id.map { " (request \($0))" } ?? "").
        """
      case .impossible(let event): "\(request): the event '\(event)' is impossible. This is a fault of Alter; please report it."
      }
    context.store()?.report(.feedback(name, reason: reason))
    if case .impossible(let event) = notice { assertionFailure("\(name): \(event)") }
  }

  private func text(_ why: Machine.Stuck) -> String {
    switch why {
    case .rounds:
      """
      feedbacks have answered each other \(context.options.rounds) times without a change from outside. It continues with such a change. Does an \
      answer cause its own request again? To allow a longer chain, raise `rounds`.
      """
    case .unequal: "it is not equal to itself, so no answer could be known as its own. Does it contain a number that is not one (NaN)?"
    case .answered: "the state still asks for the same after the answer. An answer must end its request."
    case .notUnique: "its id was made with `Stamp.none`, so it is not unique. Make it with the stamp that `apply` receives."
    case .refused(let error): "the state refused the answer: \(error)"
    case .unclear(let error): "no further attempt is made. The last one has failed: \(error)"
    }
  }

  var effects: [EffectStatus] {
    startWaiting()
    return core.withLock { core in
      core.machines.compactMap { key, machine in machine.present.map { (key, machine, $0) } }.sorted { $0.2.order < $1.2.order }
        .map { key, machine, asked in
          EffectStatus(
            feedback: name, subject: DateText.describing(key), request: DateText.describing(asked.request), id: asked.id,
            cause: asked.cause, phase: phase(of: machine, core.pauses[key]), since: asked.since, depth: asked.depth)
        }
    }
  }

  private func phase(of machine: Machine, _ pause: Pause?) -> EffectStatus.Phase {
    switch machine.phase {
    case .idle, .open(_, _, nil): .waiting
    // The end of the performance is about to begin the pause.
    case .open(_, let attempts, _): pause.map { .pausing(until: $0.until, attempt: attempts, error: $0.error) } ?? .running
    case .running: .running
    case .settling: .settling
    case .stuck(_, let why): .stuck(text(why))
    }
  }
}
