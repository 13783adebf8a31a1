public import AlterCore
import AlterJournal
public import AlterStore

/// Running feedbacks of a store. The loop runs until ``stop()``, or until its last reference is released.
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
            case .rebased, .dropped, .skipped, .contacted, .restarted, .failed: nil
            }
          let state = store.state
          for runner in early { runner.look(at: state, after: moment) }
        }
      }
    }
    parts.withLock { $0 = Parts(token: token, driver: driver, attachment: attachment) }
  }

  deinit { end() }

  /// The state's present requests with their status: feedback by feedback, oldest first.
  public var effects: [EffectStatus] { runners.flatMap(\.effects) }

  /// Cancels every effect, releases the leases, and returns when no effect is running. Later changes of the effects are ignored. The
  /// requests stay in the state, so another loop can perform them.
  ///
  /// Do not call this method from within an effect: it waits for the effect.
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
  /// Starts feedbacks. Existing requests of the state start at once.
  ///
  /// ```swift
  /// let loop = store.run([save, search], in: World.live)
  /// ```
  ///
  /// - Parameters:
  ///   - feedbacks: The feedbacks. Their names must differ.
  ///   - environment: The dependencies of their effects.
  ///   - options: The options of the loop.
  /// - Returns: The loop. It ends when its last reference is released, with ``FeedbackLoop/stop()``, and at the latest when the store is
  ///   closed.
  /// - Complexity: each confirmed entry costs the queries of the feedbacks. With a feedback that is not local, each of the store's own
  ///   changes is applied a second time when it is confirmed.
  public func run<Environment: Sendable>(
    _ feedbacks: [Feedback<State, Environment>], in environment: Environment, options: FeedbackOptions = FeedbackOptions()
  ) -> FeedbackLoop<State> {
    precondition(
      Set(feedbacks.map(\.name)).count == feedbacks.count, "Two feedbacks of a loop have the same name: \(feedbacks.map(\.name)).")
    let chains = Chains()
    let runners = feedbacks.map { feedback in
      let isLocal = feedback.isLocal ?? !isJournaled
      let context = LoopContext(
        name: feedback.name, isLocal: isLocal, store: self, environment: environment, options: options, chains: chains)
      return (runner: feedback.makeRunner(context), isLocal: isLocal)
    }
    return FeedbackLoop(store: self, runners: runners, chains: chains)
  }

  /// Starts feedbacks that need no dependencies.
  ///
  /// - Parameters:
  ///   - feedbacks: The feedbacks. Their names must differ.
  ///   - options: The options of the loop.
  /// - Returns: The loop; see ``run(_:in:options:)``.
  public func run(_ feedbacks: [Feedback<State, Void>], options: FeedbackOptions = FeedbackOptions()) -> FeedbackLoop<State> {
    run(feedbacks, in: (), options: options)
  }
}
