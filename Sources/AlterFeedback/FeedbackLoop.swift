public import AlterCore
import AlterJournal
public import AlterStore

/// Feedbacks at work on a store, until ``stop()`` or until nobody holds the loop any more.
public final class FeedbackLoop<State: Alterable>: Sendable {
  private struct Parts: Sendable {
    var token: ObservationToken?
    var driver: Task<Void, Never>?
    var attachment: Int?
  }

  private let store: Store<State>
  private let runners: [any FeedbackRunner<State>]
  private let parts = Lock(Parts())

  init(store: Store<State>, runners: [(runner: any FeedbackRunner<State>, isLocal: Bool)], chains: Chains) {
    self.store = store
    self.runners = runners.map(\.runner)
    let early = runners.filter { $0.isLocal && store.isJournaled }.map(\.runner)
    let confirmed = runners.filter { !$0.isLocal || !store.isJournaled }.map(\.runner)
    // What is not in force any more ends by itself; the closures hold the runners, and not the loop.
    let everybody = self.runners
    let attachment = store.attach {
      for runner in everybody { runner.cancel() }
      for runner in everybody { await runner.finished() }
    }
    let token: ObservationToken? =
      confirmed.isEmpty
      ? nil
      : store.observe { record, state in
        let moment = record.map { chains.moment(of: $0) }
        for runner in confirmed { runner.look(at: state, after: moment) }
      }
    var driver: Task<Void, Never>?
    if !early.isEmpty {
      let transitions = store.transitions
      for runner in early { runner.look(at: store.state, after: nil) }
      driver = Task { [weak store] in
        for await transition in transitions {
          guard let store else { return }
          let moment: Moment? =
            switch transition {
            case .pending(let record), .confirmed(let record): chains.moment(of: record)
            case .rebased, .dropped, .failed: nil
            }
          let state = store.state
          for runner in early { runner.look(at: state, after: moment) }
        }
      }
    }
    parts.withLock { $0 = Parts(token: token, driver: driver, attachment: attachment) }
  }

  deinit { end() }

  /// What the state asks for now, and how far it is: feedback by feedback, oldest first.
  public var effects: [EffectStatus] { runners.flatMap(\.effects) }

  /// Cancels every effect, gives the leases back, and returns when nothing of it runs any more. What the effects send from now on doesn't
  /// count. The requests stay in the state: another loop takes them up.
  ///
  /// Not to be called from within an effect, which it would wait for.
  public func stop() async {
    let driver = end()
    for runner in runners { await runner.finished() }
    await driver?.value
  }

  @discardableResult
  private func end() -> Task<Void, Never>? {
    let parts = parts.withLock { parts in
      defer { parts = Parts() }
      return parts
    }
    parts.token?.cancel()
    parts.driver?.cancel()
    if let attachment = parts.attachment { store.detach(attachment) }
    for runner in runners { runner.cancel() }
    return parts.driver
  }
}

extension Store {
  /// Sets feedbacks to work: what the state asks for already is begun at once.
  ///
  /// ```swift
  /// let loop = store.run([save, search], in: World.live)
  /// ```
  ///
  /// - Parameters:
  ///   - feedbacks: What to perform. Their names must differ.
  ///   - environment: The dependencies of their effects.
  ///   - options: How the loop behaves.
  /// - Returns: The loop. It ends when it is let go of, with ``FeedbackLoop/stop()``, and before all else when the store is closed.
  /// - Complexity: each confirmed entry costs the queries of the feedbacks; with a feedback that isn't local each of the store's own changes is applied a second
  ///   time when it is confirmed.
  public func run<Environment: Sendable>(
    _ feedbacks: [Feedback<State, Environment>], in environment: Environment, options: FeedbackOptions = FeedbackOptions()
  ) -> FeedbackLoop<State> {
    precondition(Set(feedbacks.map(\.name)).count == feedbacks.count, "Two feedbacks of a loop have one name: \(feedbacks.map(\.name)).")
    let chains = Chains()
    let runners = feedbacks.map { feedback in
      let isLocal = feedback.isLocal ?? !isJournaled
      let context = LoopContext(
        name: feedback.name, isLocal: isLocal, store: self, environment: environment, options: options, chains: chains)
      return (runner: feedback.makeRunner(context), isLocal: isLocal)
    }
    return FeedbackLoop(store: self, runners: runners, chains: chains)
  }

  /// Sets feedbacks that need no dependencies to work.
  ///
  /// - Parameters:
  ///   - feedbacks: What to perform. Their names must differ.
  ///   - options: How the loop behaves.
  /// - Returns: The loop; see ``run(_:in:options:)``.
  public func run(_ feedbacks: [Feedback<State, Void>], options: FeedbackOptions = FeedbackOptions()) -> FeedbackLoop<State> {
    run(feedbacks, in: (), options: options)
  }
}
