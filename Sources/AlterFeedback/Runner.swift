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

  struct Core: Sendable {
    var slots: S
    var machines: [S.Key: Machine] = [:]
    /// The slots whose requests may begin, in the order of their appearance; some may have been withdrawn since.
    var ready: [S.Key] = []
    var firstReady = 0
    /// The slots that wait for a change from outside.
    var awaiting: Set<S.Key> = []
    /// The slots with work, without those in a long pause.
    var atWork: Set<S.Key> = []
    /// The performances and their effects, by number.
    var performances: [Int: (whole: Task<Void, Never>, effect: Task<Result<State.Change, any Error>, Never>)] = [:]
    /// The pauses by slot: of the performances that the machines wait after.
    var pauses: [S.Key: (number: Int, task: Task<Void, Never>, until: Int64, error: String)] = [:]
    /// The errors of performances, until their pauses begin.
    var errors: [Int: String] = [:]
    /// The performances that have sent changes.
    var sent: Set<Int> = []
    var last = 0
    var looks: Looks<State>?
    /// Whether it has examined the first state.
    var hasLooked = false
    var claim: Int?
    var alarm: Task<Void, Never>?
    /// The lease, as the journal has last granted it.
    var term: LeaseRounds.Term?
    /// Whether the run has examined everything that the journal had when it granted the lease.
    var isClear = false
    /// Whether a server decides the journal, in this process.
    var isServed = false
    /// The times at which the server received requests whose own time is too old: by slot, with the order of the request.
    var arrivals: [S.Key: (order: Int, time: Int64)] = [:]
    var keeper: Task<Void, Never>?
    var isStopped = false

    /// Whether there is a reason to hold the lease.
    var hasWork: Bool { isStopped ? !performances.isEmpty : !atWork.isEmpty }

    mutating func addReady(_ key: S.Key) {
      ready.append(key)
      // Without the lease, or a free place, none is taken: the withdrawn ones must not pile up.
      guard ready.count > 64, ready.count > 4 * machines.count else { return }
      var seen: Set<S.Key> = []
      ready = ready[firstReady...].filter { machines[$0]?.isReady == true && seen.insert($0).inserted }
      firstReady = 0
    }

    mutating func nextReady() -> S.Key? {
      while firstReady < ready.count {
        let key = ready[firstReady]
        if machines[key]?.isReady == true { return key }
        firstReady += 1
      }
      (ready, firstReady) = ([], 0)
      return nil
    }
  }

  let context: RunContext<State>
  let traits: FeedbackTraits
  let core: Lock<Core>
  let lookup: @Sendable (S.Key, State) -> S.Request?
  private let perform: @Sendable (S.Request, Effect<State>) async throws -> State.Change
  private let unclear: (@Sendable (S.Request, any Error) -> State.Change)?

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
    let waits = core.withLock { core in
      core.claim = claim
      return core.looks == nil
    }
    guard waits else { return }
    let alarm = context.options.task { [context] in
      guard (try? await context.options.clock.sleep(for: context.options.lease / 3)) != nil else { return }
      context.store()?.report(
        .feedback(
          context.name,
          reason: "it waits, because another run of this store performs a feedback of this name. Does a view or a service run it twice?"))
    }
    let isNeeded = core.withLock { core in
      guard core.looks == nil, !core.isStopped else { return false }
      core.alarm = alarm
      return true
    }
    if !isNeeded { alarm.cancel() }
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
    let tasks: ([Task<Result<State.Change, any Error>, Never>], [Task<Void, Never>]) = core.withLock { core in
      core.isStopped = true
      return (core.performances.values.map(\.effect), core.pauses.values.map(\.task) + [core.alarm].compactMap(\.self))
    }
    for task in tasks.0 { task.cancel() }
    for task in tasks.1 { task.cancel() }
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
        (core.machines, core.pauses, core.atWork) = ([:], [:], [])
      }
      return (core.looks, core.claim)
    }
    guard let store = context.store() else { return }
    if let looks { store.end(looks) }
    if let claim { store.giveUp(claim, of: name) }
  }

  func retry() {
    let actions = core.withLock { core in core.machines.keys.flatMap { key in event(&core, key) { $0.retry() } } }
    carryOut(actions)
    startWaiting()
  }

  // MARK: - Looking

  /// Examines the new states, and begins the effects that may begin.
  func startWaiting() {
    let todos: [Todo] = core.withLock { core in
      var todos: [Todo] = []
      while let look = core.looks?.next() { todos += take(look, &core) }
      todos += beginReady(&core)
      return todos
    }
    carryOut(todos)
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
    let (wasReady, before) = (machine.isReady, machine.present)
    let actions = event(&machine)
    core.machines[key] = machine.isIdle ? nil : machine
    if machine.isIdle { core.arrivals[key] = nil }
    if machine.isReady, !wasReady { core.addReady(key) }
    if machine.isAtWork { core.atWork.insert(key) } else { core.atWork.remove(key) }
    if machine.awaitsOutside { core.awaiting.insert(key) } else { core.awaiting.remove(key) }
    var todos: [Todo] = []
    if let pause = core.pauses[key], pause.number != machine.pause {
      // Its task keeps the store.
      core.pauses[key] = nil
      todos.append(.endPause(pause.task))
    }
    todos += actions.compactMap { action in
      switch action {
      case .begin: return nil
      case .append, .appendUnclear: return .append
      case .cancel(let number): return core.performances[number].map { .cancel($0.effect) }
      case .pause(let number, let attempt): return .pause(key, number: number, attempt: attempt)
      case .report(.stuck(let why)): return .report(.stuck(why), machine.present)
      case .report(let notice): return .report(notice, before)
      }
    }
    return todos
  }

  private var rules: Machine.Rules {
    Machine.Rules(
      isActing: traits.form == .act, latestWins: traits.latestWins, hasUnclear: unclear != nil,
      needsUniqueID: traits.form == .act && context.isJournaled, rounds: context.options.rounds)
  }

  /// Work for outside of the lock.
  enum Todo: Sendable {
    case cancel(Task<Result<State.Change, any Error>, Never>)
    case pause(S.Key, number: Int, attempt: Int)
    case endPause(Task<Void, Never>)
    /// The performance does it.
    case append
    case report(Machine.Notice, Machine.Asked?)
    case keepLease
    case findArrival(S.Key, Machine.Asked, EntryID)

    /// Whether it follows from an error of an effect whose request is still there.
    var isUndecided: Bool {
      switch self {
      case .pause, .append, .report(.stuck, _): true
      case .cancel, .endPause, .report, .keepLease, .findArrival: false
      }
    }
  }

  func carryOut(_ todos: [Todo]) {
    for todo in todos {
      switch todo {
      case .cancel(let task): task.cancel()
      case .pause(let key, let number, let attempt): pause(key, number, attempt)
      case .endPause(let task): task.cancel()
      case .append: break
      case .report(let notice, let asked): report(notice, asked)
      case .keepLease: keepLease()
      case .findArrival(let key, let asked, let family): findArrival(key, asked, family)
      }
    }
  }

  // MARK: - Performing

  private func beginReady(_ core: inout Core) -> [Todo] {
    guard !core.isStopped, let store = context.store(), core.looks != nil else { return [] }
    let needsKeeper = context.isLeased && core.hasWork && core.keeper == nil
    guard !context.isLeased || core.isClear && core.term?.isOver() == false else { return needsKeeper ? [.keepLease] : [] }
    var todos: [Todo] = needsKeeper ? [.keepLease] : []
    while let key = core.nextReady(), let (asked, attempts) = core.machines[key]?.opening, context.places.take() {
      core.last += 1
      let (number, lease) = (core.last, core.term?.lease)
      let isExpired = isExpired(asked, attempts, in: key, core, at: store.now)
      // A request that was there before the run began may be older than it seems: the device's clock may be ahead.
      if isExpired || asked.cause == nil, let family = unknownArrival(asked, in: key, core) {
        context.places.giveBack()
        core.firstReady += 1
        todos.append(.findArrival(key, asked, family))
        continue
      }
      todos += event(&core, key) { $0.go(number, isExpired: isExpired) }
      if isExpired, core.machines[key]?.status != .settling {
        context.places.giveBack()
        continue
      }
      let work = Work(
        key: key, asked: asked, number: number, attempt: attempts + 1, isExpired: isExpired, lease: lease, store: store)
      let effect = effectTask(work)
      let whole = context.options.task { [self] in await finish(work, await effect.value) }
      core.performances[number] = (whole, effect)
    }
    return todos
  }

  /// A performance.
  struct Work: Sendable {
    let key: S.Key
    let asked: Machine.Asked
    let number: Int
    let attempt: Int
    /// Whether it makes the change of `unclear:` instead of an attempt.
    let isExpired: Bool
    let lease: Lease?
    let store: Store<State>
  }

  /// Whether a request is too old for an attempt.
  private func isExpired(_ asked: Machine.Asked, _ attempts: Int, in key: S.Key, _ core: Core, at now: Int64) -> Bool {
    if let most = traits.limit?.most, attempts >= max(most, 1) { return true }
    guard let horizon = traits.horizon else { return false }
    let made = traits.form == .act ? asked.id?.stamp.flatMap { $0.isNone ? nil : $0.time } : nil
    let arrival = core.arrivals[key].flatMap { $0.order == asked.order ? $0.time : nil }
    // A time in the future would lengthen the horizon: its clock was wrong.
    let start = arrival ?? min(made ?? asked.since, asked.since)
    return .microseconds(now) - .microseconds(start) >= horizon
  }

  /// The change that asks, if its own time may differ from that at which the server received it: the device was offline, or its clock is wrong.
  private func unknownArrival(_ asked: Machine.Asked, in key: S.Key, _ core: Core) -> EntryID? {
    guard core.isServed, traits.form == .act, core.arrivals[key]?.order != asked.order, let stamp = asked.id?.stamp else { return nil }
    return EntryID(origin: stamp.origin, sequence: stamp.sequence)
  }

  private func findArrival(_ key: S.Key, _ asked: Machine.Asked, _ family: EntryID) {
    _ = context.options.task { [self] in
      var time: Int64?
      do { time = try await context.store()?.arrival(of: family) ?? asked.id?.stamp?.time } catch {
        try? await context.options.clock.sleep(for: .seconds(1))
      }
      core.withLock { core in
        guard core.machines[key]?.opening?.asked.order == asked.order else { return }
        if let time { core.arrivals[key] = (asked.order, min(time, asked.since)) }
        core.addReady(key)
      }
      startWaiting()
    }
  }

  private func effectTask(_ work: Work) -> Task<Result<State.Change, any Error>, Never> {
    let body: @Sendable () async -> Result<State.Change, any Error> = { [self] in
      if work.isExpired { return .failure(RequestExpired(since: work.asked.since)) }
      let effect = Effect<State>(epoch: work.lease?.epoch) { [self] in try await send($0, work) }
      return await work.store.perform(MonitoredEffect(feedback: name, key: work.asked.id?.description ?? "")) {
        await FeedbackRun.$current.withValue(context.run) {
          do { return .success(try await perform(work.asked.request, effect)) } catch { return .failure(error) }
        }
      }
    }
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), let executor = context.options.executor {
      return Task(executorPreference: executor) { await body() }
    }
    return Task { await body() }
  }

  /// Takes the result of an effect to the journal. Nothing cancels this.
  private func finish(_ work: Work, _ result: Result<State.Change, any Error>) async {
    // An entry that has ended the request meanwhile comes first.
    startWaiting()
    let now = work.store.now
    if case .failure(let error) = result { core.withLock { $0.errors[work.number] = "\(error)" } }
    let todos: [Todo] = core.withLock { core in
      switch result {
      case _ where work.isExpired: return [.append]
      // The run was abandoned.
      case _ where core.machines[work.key] == nil: return []
      case .success: return event(&core, work.key) { $0.returned(work.number) }
      case .failure(let error):
        let isLast =
          isExpired(work.asked, work.attempt, in: work.key, core, at: now) && unknownArrival(work.asked, in: work.key, core) == nil
        let isUnsent = isUnasked(error) && !core.sent.contains(work.number)
        return event(&core, work.key) { $0.threw(work.number, "\(error)", isLast: isLast, isUnsent: isUnsent) }
      }
    }
    if case .failure(let error) = result, !work.isExpired, todos.contains(where: \.isUndecided) {
      work.store.record(.effectThrew(feedback: name, error))
    }
    carryOut(todos)
    if todos.contains(where: { if case .append = $0 { true } else { false } }) {
      switch result {
      case .success(let change): await append(change, work)
      case .failure(let error): if let change = unclear?(work.asked.request, error) { await append(change, work) }
      }
    }
    core.withLock { core in
      core.performances[work.number] = nil
      core.errors[work.number] = nil
      core.sent.remove(work.number)
    }
    context.places.giveBack()
    context.goOn()
  }
}
