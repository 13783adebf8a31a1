import AlterCollections
import AlterCore
import AlterJournal
import AlterStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One running feedback: the shell around the machines of its slots.
///
/// ```
///   store ──looks──> machines ──begin──> effects ──append──> store
/// ```
///
/// It examines every state of the store in order, and begins effects only when it has examined all of them, so that nothing begins that a
/// later entry has withdrawn. The store owns it, by way of the run; it keeps the store only while there is work.
final class Runner<S: Slots>: FeedbackRunner {
  typealias State = S.State
  typealias Machine = RequestMachine<S.Request>

  /// A running effect, and the task that takes its result to the journal.
  struct Performance: Sendable {
    let effect: Task<Result<State.Change, any Error>, Never>
    let whole: Task<Void, Never>
    /// Whether the effect has sent changes.
    var hasSent = false
  }

  /// The pause after a performance.
  struct Pause: Sendable {
    let number: Int
    let task: Task<Void, Never>
    let until: Int64
    let error: String
  }

  /// Work for outside of the lock.
  typealias Todo = @Sendable () -> Void

  struct Core: Sendable {
    var slots: S
    var machines: [S.Key: Machine] = [:]
    /// The slots whose requests may begin, in the order of their appearance.
    var ready = IdentityArray<Ready>()
    /// The slots that wait for a change from outside.
    var awaiting: Set<S.Key> = []
    /// The slots with work, without those in a long pause.
    var atWork: Set<S.Key> = []
    /// By number.
    var performances: [Int: Performance] = [:]
    var pauses: [S.Key: Pause] = [:]
    /// The last number of a performance or a request.
    var last = 0
    var looks: Looks<State>?
    /// Whether the runner has examined the first state.
    var hasLooked = false
    var claim: Int?
    var alarm: Task<Void, Never>?
    /// The lease, as the journal has last granted it.
    var term: LeaseRounds.Term?
    /// Whether the run has examined everything that the journal had when it granted the lease.
    var isClear = false
    var keeper: Task<Void, Never>?
    var isStopped = false

    /// Whether there is a reason to hold the lease.
    var hasWork: Bool { isStopped ? !performances.isEmpty : !atWork.isEmpty }
  }

  struct Ready: Identifiable, Hashable, Sendable { let id: S.Key }

  let context: RunContext<State>
  let traits: FeedbackTraits
  let core: Lock<Core>
  let lookup: @Sendable (S.Key, State) -> S.Request?
  let perform: @Sendable (S.Request, Effect<State>) async throws -> State.Change
  let unclear: (@Sendable (S.Request, any Error) -> State.Change)?

  init(
    _ context: RunContext<State>, _ traits: FeedbackTraits, _ slots: S,
    perform: @escaping @Sendable (S.Request, Effect<State>) async throws -> State.Change,
    unclear: (@Sendable (S.Request, any Error) -> State.Change)?
  ) {
    (self.context, self.traits, self.perform, self.unclear) = (context, traits, perform, unclear)
    core = Lock(Core(slots: slots))
    // Without the requests that the slots remember: a second reference to them would make them copy.
    lookup = { slots.request($0, in: $1) }
  }

  var name: String { context.name }

  var hasWork: Bool { core.withLock { $0.hasWork } }

  var isQuiet: Bool {
    startWaiting()
    return core.withLock { $0.hasLooked && $0.machines.isEmpty }
  }

  // MARK: - Beginning and ending

  func claim() {
    guard let store = context.store() else { return }
    let claim = store.claim(name) { [weak self] in self?.begin() }
    core.withLock { core in
      core.claim = claim
      guard core.looks == nil, !core.isStopped else { return }
      core.alarm = context.options.task { [context] in
        guard (try? await context.options.clock.sleep(for: context.options.lease / 3)) != nil else { return }
        context.store()?.report(
          .feedback(
            context.name,
            reason: "it waits, because another run of this store performs a feedback of this name. Does a view or a service run it twice?"))
      }
    }
  }

  private func begin() {
    guard let store = context.store() else { return }
    // The store's lock is taken before that of a runner, and not the other way round.
    let looks = store.look(atVisible: !context.isLeased) { [weak self] in self?.startWaiting() }
    let (isStopped, alarm) = core.withLock { core in
      if !core.isStopped { core.looks = looks }
      return (core.isStopped, core.alarm)
    }
    alarm?.cancel()
    if isStopped { store.end(looks) }
    startWaiting()
  }

  func cancel() {
    let (effects, others) = core.withLock { core in
      core.isStopped = true
      return (core.performances.values.map(\.effect), core.pauses.values.map(\.task) + [core.alarm].compactMap(\.self))
    }
    for effect in effects { effect.cancel() }
    for task in others { task.cancel() }
  }

  func finished() async {
    // A performance removes itself before it ends.
    while let task = core.withLock({ $0.performances.first?.value.whole }) { await task.value }
    let keeper = core.withLock { $0.keeper }
    keeper?.cancel()
    await keeper?.value
    leave()
  }

  func leave() {
    let (looks, claim) = core.withLock { core in
      defer {
        (core.looks, core.claim) = (nil, nil)
        (core.machines, core.pauses, core.atWork, core.ready) = ([:], [:], [], [])
      }
      return (core.looks, core.claim)
    }
    guard let store = context.store() else { return }
    if let looks { store.end(looks) }
    if let claim { store.giveUp(claim, of: name) }
  }

  func retry() {
    let todos = core.withLock { core in core.machines.keys.flatMap { key in event(&core, key) { $0.retry() } } }
    for todo in todos { todo() }
    startWaiting()
  }

  // MARK: - Looking

  /// Examines the new states, and begins the effects that may begin.
  func startWaiting() {
    let todos = core.withLock { core in
      var todos: [Todo] = []
      while let look = core.looks?.next() { todos += take(look, &core) }
      return todos + beginReady(&core)
    }
    for todo in todos { todo() }
  }

  private func take(_ look: Look<State>, _ core: inout Core) -> [Todo] {
    var todos: [Todo] = []
    // The head's chain need not be that of the requests which are there at the start. They begin, and the next ones are bounded.
    let depth = core.hasLooked ? look.depth : min(look.depth, max(context.options.rounds - 1, 0))
    core.hasLooked = true
    var changed = core.slots.update(to: look.state)
    if look.depth == 0, !core.awaiting.isEmpty {
      let known = Set(changed.map(\.key))
      for key in core.awaiting where !known.contains(key) { changed.append((key, lookup(key, look.state))) }
    }
    for (key, request) in changed {
      guard request != nil || core.machines[key] != nil else { continue }
      core.last += 1
      let asked = request.map {
        Machine.Asked($0, cause: look.record?.id, depth: depth, since: context.store()?.now ?? 0, order: core.last)
      }
      todos += event(&core, key) { $0.look(asked, answered: look.record?.cause?.request) }
    }
    return todos
  }

  /// Passes an event to the machine of a slot, and takes note of its new phase.
  func event(_ core: inout Core, _ key: S.Key, _ event: (inout Machine) -> [Machine.Action]) -> [Todo] {
    var machine = core.machines[key] ?? Machine(rules)
    let before = machine.present
    let actions = event(&machine)
    core.machines[key] = machine.isIdle ? nil : machine
    if machine.isReady { core.ready.put(Ready(id: key)) } else { core.ready.removeIfPresent(id: key) }
    if machine.isAtWork { core.atWork.insert(key) } else { core.atWork.remove(key) }
    if machine.awaitsOutside { core.awaiting.insert(key) } else { core.awaiting.remove(key) }
    var todos: [Todo] = []
    if let pause = core.pauses[key], pause.number != machine.pause {
      // Its task keeps the store.
      core.pauses[key] = nil
      todos.append { pause.task.cancel() }
    }
    for action in actions {
      switch action {
      case .cancel(let number): if let effect = core.performances[number]?.effect { todos.append { effect.cancel() } }
      case .pause(let number, let attempt, let error): todos.append { [self] in pause(key, number, attempt, error) }
      case .report(let notice):
        let asked = if case .stuck = notice { machine.present } else { before }
        todos.append { [self] in report(notice, asked) }
      }
    }
    return todos
  }

  private var rules: Machine.Rules {
    Machine.Rules(
      isActing: traits.form == .act, latestWins: traits.latestWins, hasUnclear: unclear != nil,
      needsUniqueID: traits.form == .act && context.isJournaled, rounds: context.options.rounds)
  }
}
