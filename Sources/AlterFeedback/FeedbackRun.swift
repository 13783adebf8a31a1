import AlterCore
import AlterJournal
public import AlterStore

/// Running feedbacks of a store. The store owns the run: it ends with ``stop()``, or when the store is closed. Releasing this object ends
/// nothing.
public final class FeedbackRun: Sendable {
  /// The run of whose effect the present task is a part.
  @TaskLocal static var current: ObjectIdentifier?

  private let runners: Lock<[any FeedbackRunner]> = Lock([])
  private let leave: @Sendable (FeedbackRun) -> Void
  /// They end with the run.
  private let (ends, continuation) = AsyncStream<Never>.makeStream()

  /// The run of all stores that this one is a part of; nil for a run of one store.
  let whole: ObjectIdentifier?

  init(whole: ObjectIdentifier?, leave: @escaping @Sendable (FeedbackRun) -> Void) { (self.whole, self.leave) = (whole, leave) }

  package var keepsStore: Bool { whole == nil || runners.withLock { $0 }.contains { $0.hasWork } }

  /// Whether the run has examined every state, and the last one has no request.
  var isQuiet: Bool { runners.withLock { $0 }.allSatisfy(\.isQuiet) }

  /// The present requests with their status: feedback by feedback, in the order of their appearance.
  var effects: [EffectStatus] { runners.withLock { $0 }.flatMap(\.effects) }

  func begin(_ runners: [any FeedbackRunner]) {
    self.runners.withLock { $0 = runners }
    for runner in runners { runner.claim() }
  }

  /// Begins what waits for a place among the running effects.
  func goOn() { for runner in runners.withLock({ $0 }) { runner.startWaiting() } }

  /// Ends the run. It begins no further effect, cancels those that run, waits for their end, makes the changes that they return, and releases
  /// the leases. The requests stay in the state, so another run can perform them.
  ///
  /// Called in an effect of this run, it returns without waiting for the effects.
  public func stop() async {
    cancel()
    let runners = runners.withLock { $0 }
    let end: @Sendable () async -> Void = { [self] in
      for runner in runners { await runner.finished() }
      leave(self)
      continuation.finish()
    }
    if Self.current == ObjectIdentifier(self) {
      Task { await end() }
    } else {
      await end()
    }
  }

  package func cancel() { for runner in runners.withLock({ $0 }) { runner.cancel() } }

  /// Ends the run as the death of the process would: no answer of a running effect counts.
  package func abandon() {
    cancel()
    for runner in runners.withLock({ $0 }) { runner.leave() }
    leave(self)
  }

  /// Waits until the task is cancelled, and ends the run then. Returns also when the run has ended otherwise.
  ///
  /// ```swift
  /// .task { try? await store.run([refresh], in: api).untilCancelled() }
  /// ```
  public func untilCancelled() async {
    for await _ in ends {}
    await stop()
  }

  /// Begins the stuck requests of a feedback again.
  ///
  /// - Parameter name: The feedback's name.
  public func retry(_ name: String) { for runner in runners.withLock({ $0 }) where runner.name == name { runner.retry() } }
}

extension FeedbackRun: StoreRun {}

/// One running feedback, as its run sees it.
protocol FeedbackRunner: AnyObject, Sendable {
  var name: String { get }
  var effects: [EffectStatus] { get }
  /// Whether a request begins, runs or settles, or will after a short pause.
  var hasWork: Bool { get }
  var isQuiet: Bool { get }

  /// Begins when no other run of the store performs the name.
  func claim()
  /// Begins the effects that may begin.
  func startWaiting()
  /// Begins stuck requests again.
  func retry()
  func cancel()
  /// Forgets the requests, and releases the name.
  func leave()
  /// Waits for the end of the effects, and releases the lease and the name.
  func finished() async
}

/// The parts of a run that all its feedbacks share.
struct RunContext<State: Alterable>: Sendable {
  let name: String
  let store: WeakStore<State>
  /// Whether a journal grants the right to perform.
  let isLeased: Bool
  let isJournaled: Bool
  let options: FeedbackOptions
  let places: Places
  let run: ObjectIdentifier
  /// Whether `Stores` has begun the run.
  let isOneOfMany: Bool
  let goOn: @Sendable () -> Void
}

/// A store that is not kept alive.
struct WeakStore<State: Alterable>: Sendable {
  private weak var store: Store<State>?
  init(_ store: Store<State>) { self.store = store }
  func callAsFunction() -> Store<State>? { store }
}

/// The places for effects that run at a time.
final class Places: Sendable {
  private let free: Lock<Int>
  init(_ count: Int) { free = Lock(max(count, 1)) }

  func take() -> Bool {
    free.withLock { free in
      guard free > 0 else { return false }
      free -= 1
      return true
    }
  }

  func giveBack() { free.withLock { $0 += 1 } }
}

extension Store {
  /// Runs feedbacks until the run is stopped, or the store is closed. Existing requests of the state begin at once.
  ///
  /// ```swift
  /// try store.run([save, search], in: World.live)
  /// ```
  ///
  /// If another run of this store has a feedback of the same name, this one waits until that run has ended. `problems` reports it after a third
  /// of the lease's duration.
  ///
  /// - Parameters:
  ///   - feedbacks: The feedbacks. Their names must differ.
  ///   - environment: The dependencies of their effects.
  ///   - options: The options of the run.
  /// - Returns: The run, which can be ignored.
  /// - Throws: ``FeedbackError``; then nothing has begun.
  /// - Complexity: each confirmed entry costs the queries of the feedbacks. Each of the store's own changes is applied a second time when it is
  ///   confirmed.
  @discardableResult
  public func run<Environment: Sendable>(
    _ feedbacks: [Feedback<State, Environment>], in environment: Environment, options: FeedbackOptions = FeedbackOptions()
  ) throws(FeedbackError) -> FeedbackRun {
    try run(feedbacks, in: environment, options: options, whole: nil)
  }

  func run<Environment: Sendable>(
    _ feedbacks: [Feedback<State, Environment>], in environment: Environment, options: FeedbackOptions, whole: ObjectIdentifier?
  ) throws(FeedbackError) -> FeedbackRun {
    try options.check(feedbacks, isJournaled: isJournaled, isSynced: isSynced)
    let store = WeakStore(self)
    let run = FeedbackRun(whole: whole) { store()?.disown($0) }
    let places = Places(options.atOnce)
    guard own(run) else { throw .closed }
    run.begin(
      feedbacks.map { feedback in
        let context = RunContext(
          name: feedback.name, store: store, isLeased: isJournaled && !feedback.traits.isLocal, isJournaled: isJournaled, options: options,
          places: places, run: ObjectIdentifier(run), isOneOfMany: whole != nil, goOn: { [weak run] in run?.goOn() })
        return feedback.makeRunner(context, feedback.traits, environment)
      })
    return run
  }

  /// Runs feedbacks that need no dependencies.
  ///
  /// - Parameters:
  ///   - feedbacks: The feedbacks. Their names must differ.
  ///   - options: The options of the run.
  /// - Returns: The run; see ``run(_:in:options:)``.
  /// - Throws: ``FeedbackError``; then nothing has begun.
  @discardableResult
  public func run(_ feedbacks: [Feedback<State, Void>], options: FeedbackOptions = FeedbackOptions()) throws(FeedbackError) -> FeedbackRun {
    try run(feedbacks, in: (), options: options)
  }

  /// The requests of all runs with their status: run by run, feedback by feedback, in the order of their appearance.
  ///
  /// - Complexity: O(requests).
  public var effects: [EffectStatus] { runs.lazy.compactMap { $0 as? FeedbackRun }.flatMap(\.effects) }
}

extension FeedbackOptions {
  /// Throws if feedbacks cannot run on a store.
  func check<State, Environment>(
    _ feedbacks: [Feedback<State, Environment>], isJournaled: Bool, isSynced: Bool
  ) throws(FeedbackError) {
    var names: Set<String> = []
    for feedback in feedbacks where !names.insert(feedback.name).inserted { throw .duplicate(feedback.name) }
    if let name = names.first(where: { $0.unicodeScalars.contains(where: \.isAmbiguous) }) { throw .name(name) }
    guard isJournaled else { return }
    let refused = feedbacks.filter { !$0.traits.isLocal || $0.traits.form == .act }
    if isSynced, !refused.isEmpty { throw .decidedByServer(refused.map(\.name)) }
    if let local = feedbacks.first(where: { $0.traits.isLocal && $0.traits.form == .act }) { throw .actingIsNotLocal(local.name) }
    if !refused.isEmpty, lease < .seconds(1) || lease > Lease.longest { throw .lease(lease) }
  }
}

extension Unicode.Scalar {
  /// Whether a text with this scalar may be canonically equivalent to one with other scalars and none of these: it combines with the one before, is a
  /// part of a Hangul syllable, or is a copy of another character.
  fileprivate var isAmbiguous: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: (0x1100...0x11FF).contains(value) || properties.isFullCompositionExclusion
    }
  }
}
