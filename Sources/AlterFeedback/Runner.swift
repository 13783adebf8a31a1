import AlterCore
import AlterJournal
import AlterStore

/// The context that a loop passes to a runner.
struct LoopContext<State: Alterable, Environment: Sendable>: Sendable {
  let name: String
  let isLocal: Bool
  let store: Store<State>
  let environment: Environment
  let options: FeedbackOptions
  let chains: Chains

  /// Whether effects run under a lease.
  var isLeased: Bool { !isLocal && store.isJournaled }
}

/// One running feedback.
protocol FeedbackRunner<State>: AnyObject, Sendable {
  associatedtype State: Alterable

  /// Processes a newer state. Calls are sequential and in order.
  func look(at state: State, after moment: Moment?)

  /// Cancels everything, without waiting for its end.
  func cancel()

  /// Waits until no effect is running.
  func finished() async

  var effects: [EffectStatus] { get }
}

/// One running feedback: the tracker determines the requests; the runner performs the effects and makes their answers.
final class Runner<State: Alterable, Environment: Sendable, Requests: RequestTracker>: FeedbackRunner where Requests.State == State {
  typealias Key = Requests.Key
  typealias Request = Requests.Request

  /// A present request.
  struct Activation: Sendable {
    /// The number of the performance: changes from an earlier performance are ignored.
    var id: Int
    let key: Key
    let request: Request
    /// The entry at which the request appeared; nil for initial requests until it is found.
    var cause: EntryID?
    let depth: Int
    var phase: EffectStatus.Phase
    let since: Int64

    /// Whether the request is a reason to hold the lease.
    var isWork: Bool { phase == .waiting || phase == .running }
  }

  struct Core: Sendable {
    var tracker: Requests
    private(set) var activations: [Key: Activation] = [:]
    /// The waiting and the paused requests, by id, so that a state costs nothing for unaffected requests.
    private var waiting: [Int: Key] = [:]
    private var paused: [Int: Key] = [:]
    /// The number of waiting or running requests.
    private var workCount = 0
    /// The tasks by the ids of their activations; cancelled ones are included until they end.
    var tasks: [Int: Task<Void, Never>] = [:]
    var lastID = 0
    /// The lease, as the journal has last granted it.
    var term: LeaseRounds.Term?
    var keeper: Task<Void, Never>?
    /// Whether the search for the entries of the initial requests is running.
    var isSearching = false
    /// The results of the search, by the ids of the activations. They are not used until the journal has granted the lease once more.
    var found: [Key: (id: Int, cause: EntryID)] = [:]
    var isStopped = false

    init(tracker: Requests) { self.tracker = tracker }

    /// Whether there is a reason to hold the lease.
    var hasWork: Bool { !isStopped && workCount > 0 }

    /// Stores an activation, in place of an older one of its key.
    mutating func put(_ activation: Activation) {
      if let old = activations.updateValue(activation, forKey: activation.key) { forget(old) }
      if activation.isWork { workCount += 1 }
      if activation.phase == .waiting { waiting[activation.id] = activation.key }
      if activation.phase == .paused { paused[activation.id] = activation.key }
    }

    private mutating func forget(_ old: Activation) {
      if old.isWork { workCount -= 1 }
      waiting[old.id] = nil
      paused[old.id] = nil
    }

    /// Modifies a present activation.
    mutating func change(_ key: Key, _ body: (inout Activation) -> Void) {
      guard var activation = activations[key] else { return }
      body(&activation)
      put(activation)
    }

    /// Removes an activation.
    mutating func remove(_ key: Key) -> Activation? {
      guard let old = activations.removeValue(forKey: key) else { return nil }
      forget(old)
      return old
    }

    /// The waiting requests, oldest first.
    var allWaiting: [Activation] { waiting.sorted { $0.key < $1.key }.compactMap { activations[$0.value] } }

    /// The requests that wait because their entries are unknown, and that the search has not found yet.
    var unexplained: [Key: Activation] { activations.filter { isUnexplained($0.value) } }

    private func isUnexplained(_ activation: Activation) -> Bool {
      activation.cause == nil && activation.phase == .waiting && found[activation.key]?.id != activation.id
    }

    /// Returns whether to begin a search.
    mutating func beginsSearch() -> Bool {
      guard !isSearching, waiting.values.contains(where: { activations[$0].map(isUnexplained) ?? false }) else { return false }
      isSearching = true
      return true
    }

    /// Stores the results of the search in the activations.
    mutating func takeCauses() {
      for (key, (id, cause)) in found where activations[key]?.id == id { change(key) { $0.cause = cause } }
      found = [:]
    }

    /// The paused requests, oldest first.
    var allPaused: [Activation] { paused.sorted { $0.key < $1.key }.compactMap { activations[$0.value] } }

    /// Removes everything.
    mutating func clear() { (activations, waiting, paused, workCount, found) = ([:], [:], [:], 0, [:]) }
  }

  let context: LoopContext<State, Environment>
  let core: Lock<Core>
  /// The origin in the keys of requests whose entry is unknown: no other loop has it.
  private let origin = Origin.random()
  private let lookup: @Sendable (Key, State) -> Request?
  private let subject: @Sendable (Key) -> String

  func request(_ key: Key, in state: State) -> Request? { lookup(key, state) }
  private let perform: @Sendable (Request, Environment, Effect<State>) async -> State.Change?

  init(
    _ context: LoopContext<State, Environment>, tracker: Requests,
    perform: @escaping @Sendable (Request, Environment, Effect<State>) async -> State.Change?
  ) {
    self.context = context
    self.perform = perform
    core = Lock(Core(tracker: tracker))
    // Without what the tracker remembers: whoever holds that would make it copy.
    let idle = tracker
    lookup = { idle.request($0, in: $1) }
    subject = { idle.subject(of: $0) }
  }

  var effects: [EffectStatus] {
    core.withLock { core in core.activations.values.sorted { $0.id < $1.id } }.map { activation in
      EffectStatus(
        feedback: context.name, subject: DateText.describing(activation.key), request: DateText.describing(activation.request),
        cause: activation.cause, phase: activation.phase, since: activation.since, depth: activation.depth)
    }
  }

  // MARK: - Looking

  func look(at state: State, after moment: Moment?) {
    let now = context.store.now
    let (cancelled, paused): ([Task<Void, Never>], [Activation]) = core.withLock { core in
      guard !core.isStopped else { return ([], []) }
      let changes = core.tracker.update(to: state)
      var cancelled: [Task<Void, Never>] = []
      for key in changes.gone { if let old = core.remove(key), let task = core.tasks[old.id] { cancelled.append(task) } }
      if moment?.isAttended == true {
        for activation in core.allPaused {
          core.change(activation.key) { $0.phase = .waiting }
          if let cause = activation.cause { context.chains.attend(to: cause) }
        }
      }
      let depth = moment?.depth ?? 0
      var paused: [Activation] = []
      for (key, request) in changes.appeared {
        core.lastID += 1
        let activation = Activation(
          id: core.lastID, key: key, request: request, cause: moment?.entry, depth: depth,
          phase: depth < context.options.rounds ? .waiting : .paused, since: now)
        core.put(activation)
        if activation.phase == .paused { paused.append(activation) }
      }
      return (cancelled, paused)
    }
    for task in cancelled { task.cancel() }
    for activation in paused { report(activation, moment) }
    startWaiting()
  }

  private func report(_ activation: Activation, _ moment: Moment?) {
    let path = (moment?.path ?? []).joined(separator: " → ")
    context.store.report(
      .feedback(
        context.name,
        reason: """
          feedback has answered feedback \(activation.depth) times without a change from outside (\(path)). The request \
          \(DateText.describing(activation.request).prefix(200)) is paused until such a change. Does an answer cause its own request again? To allow a longer chain, raise \
          `rounds`.
          """))
  }

  // MARK: - Performing

  /// Starts all requests that may start.
  func startWaiting() {
    core.withLock { core in
      guard !core.isStopped else { return }
      if context.isLeased, core.term?.isOver() ?? true {
        // The keeper begins them when it has the lease.
        if core.hasWork, core.keeper == nil { core.keeper = task { await $0.keepLease() } }
        return
      }
      // Under a lease one is begun when the entry is found with which it appeared.
      for activation in core.allWaiting where !context.isLeased || activation.cause != nil {
        core.change(activation.key) { $0.phase = .running }
        let lease = core.term?.lease
        let effect = effect(for: activation, under: lease)
        core.tasks[activation.id] = task { await $0.perform(activation, effect, lease) }
      }
      if context.isLeased, core.hasWork, core.keeper == nil { core.keeper = task { await $0.keepLease() } }
    }
  }

  private func task(_ body: @escaping @Sendable (Runner) async -> Void) -> Task<Void, Never> {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let executor = context.options.executor {
      return Task(executorPreference: executor) { await body(self) }
    }
    return Task { await body(self) }
  }

  private func effect(for activation: Activation, under lease: Lease?) -> Effect<State> {
    // The request of a loop that is not leased may be older than the loop, and its entry unknown: nobody else performs it.
    let entry = activation.cause ?? EntryID(origin: origin, sequence: Int64(activation.id))
    let key = IdempotencyKey(feedback: context.name, entry: entry, subject: subject(activation.key))
    return Effect(key: key, epoch: lease?.epoch) { [weak self] changes in
      if case .made = self?.answer(changes, activation, lease) { true } else { false }
    }
  }

  private func perform(_ activation: Activation, _ effect: Effect<State>, _ lease: Lease?) async {
    let change = await context.store.perform(MonitoredEffect(feedback: context.name, key: effect.key.description)) {
      await perform(activation.request, context.environment, effect)
    }
    if let change { await finish(change, activation, lease) }
    core.withLock { core in
      core.tasks[activation.id] = nil
      if core.activations[activation.key]?.id == activation.id { core.change(activation.key) { $0.phase = .answered } }
    }
  }

  // MARK: - Answering

  private enum Answer {
    case made(Commit<State>)
    case mustWait
    case dropped
  }

  /// Makes the last answer of an effect, and waits until the journal has it.
  private func finish(_ change: State.Change, _ activation: Activation, _ lease: Lease?) async {
    while true {
      switch answer([change], activation, lease) {
      case .made(let commit):
        if case .failure(.staleLease(let lease)) = await commit.outcome() { lose(lease) }
        return
      case .mustWait:
        do { try await context.store.ready() } catch { return }
      case .dropped: return
      }
    }
  }

  private func answer(_ changes: [State.Change], _ activation: Activation, _ lease: Lease?) -> Answer {
    let isCurrent = core.withLock { !$0.isStopped && $0.activations[activation.key]?.id == activation.id }
    guard isCurrent, !Task.isCancelled else { return .dropped }
    let (key, request) = (activation.key, activation.request)
    do {
      let cause = Cause(answers: activation.cause, feedback: context.name)
      return .made(
        try context.store.change(changes, cause: cause, under: lease) { [lookup] state in lookup(key, state) == request })
    } catch {
      switch error {
      case .full: return .mustWait
      case .refused(let failure):
        context.store.report(
          .feedback(
            context.name,
            reason: "its answer to \(DateText.describing(request).prefix(200)) was refused: \(failure) The request stays unanswered."))
        return .dropped
      case .conditionFailed, .requirementDropped, .closed, .failed: return .dropped
      }
    }
  }

  // MARK: - Ending

  func cancel() {
    let tasks = core.withLock { core in
      core.isStopped = true
      core.clear()
      return Array(core.tasks.values) + [core.keeper].compactMap(\.self)
    }
    for task in tasks { task.cancel() }
  }

  func finished() async {
    while true {
      let tasks = core.withLock { Array($0.tasks.values) + [$0.keeper].compactMap(\.self) }
      if tasks.isEmpty { return }
      for task in tasks { await task.value }
    }
  }
}
