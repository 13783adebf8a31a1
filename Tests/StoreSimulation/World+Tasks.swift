import AlterCore
import AlterJournal
import AlterTesting
import SimulatedThreads

@testable import AlterStore

// The tasks of a schedule.
extension World {
  /// Opens the stores and starts the tasks that use them.
  func begin() {
    start("opening") { [self] task in
      for _ in 0..<plan.stores { await open(task) }
      guard !participants.isEmpty else { return }
      startWave()
    }
  }

  /// Starts the plan's number of tasks.
  func startWave() {
    wavesLeft -= 1
    // A store that is opened later begins from a snapshot, if there is one.
    if wavesLeft < plan.waves - 1, !plan.isInMemory, participants.count < 5, random.oneIn(2) {
      start("opening another") { [self] in await open($0) }
    }
    for number in 1...plan.actors { startActor(number) }
    if plan.hasWeather { start("weather") { [self] _ in await changeWeather() } }
  }

  func randomChange() -> Bank.Change { .random(accounts: plan.accounts, using: &random) }

  private func storeOptions() -> StoreOptions {
    var options = clock.options()
    options.environment.now = { [self] in
      stall()
      return clock.now
    }
    options.environment.origin = { [self] in origin() }
    options.pendingLimit = plan.pendingLimit
    options.undoWindow = plan.undoWindow
    options.undoWindowLoading = plan.undoWindowLoading
    options.snapshotSpacing = plan.snapshotSpacing
    options.outageTimeout = plan.patience
    options.keepsJournalOpen = true
    options.longWork = LongWork { $0() }
    options.scope = random.oneIn(3) ? "own" : .journal
    return options
  }

  /// Opens a store. If that fails, opens another one in its place.
  ///
  /// - Parameter leftOver: The changes that a closed store has returned.
  private func open(_ task: SimulatedTask, resuming leftOver: [Unwritten<Bank>] = []) async {
    let options = storeOptions()
    guard !plan.isInMemory else {
      count(.memory)
      participants.append(Participant(Store(Bank(), options: options), on: nil, in: self))
      return refresh()
    }
    let expiring = ExpiringTurns(base: base) { [self] turn in turns.append(HeldTurn(turn: turn)) }
    let journal = SimulatedJournal(expiring, onAppend: { [self] _ in fault() }, onRead: { [self] _ in fault(reading: true) })
    journals.append(journal)
    task.doing = "opening a store"
    // Resumed changes are expected to be written now, although they were not written before.
    for work in leftOver {
      never[work.record.id] = nil
      resumed.insert(work.record.id)
    }
    for _ in 1...10 {
      do throws(JournalError) {
        let store =
          if leftOver.isEmpty { try await Store.open(Bank(), in: journal, options: options) } else {
            try await Store.open(Bank(), in: journal, resuming: leftOver, options: options)
          }
        count(.opened)
        refresh()
        let participant = Participant(store, on: journal, in: self)
        participants.append(participant)
        startProblems(participant)
        checkResumed(leftOver, by: participant)
        return
      } catch {
        count(.openingFailed)
        if !leftOver.isEmpty { count(.resumedAgain) }
      }
    }
  }

  /// Checks that each resumed change is in the journal or will be reported as lost.
  private func checkResumed(_ leftOver: [Unwritten<Bank>], by participant: Participant) {
    for work in leftOver {
      count(.resumed)
      let id = work.record.id
      guard definition.places[id] == nil else { continue }
      count(.resumedAndLost)
      participant.mustBeLost.append(id)
      expectNever(id, because: "it was not there when it had been resumed")
    }
  }

  /// Starts a task that uses one store in one way.
  private func startActor(_ number: Int) {
    let isSpread = plan.theme == .contending || plan.theme == .observing
    let participant = isSpread ? participants[number % participants.count] : random.pick(participants)
    let store = participant.number
    let kind =
      switch plan.theme {
      case _ where number == 1: plan.theme == .contending ? 17 : 0
      case .anything: random.below(16)
      case .following: 9
      case .observing: 6
      case .contending: random.pick([17, 17, 14, 14, 0, 5])
      case .closing: random.pick([0, 0, 5, 6, 9, 15])
      }
    switch kind {
    case 0...4: start("changer \(number) of store \(store)") { [self] in await makeChanges(participant, $0) }
    case 5: start("undoer \(number) of store \(store)") { [self] in await takeBack(participant, $0) }
    case 6...8: start("observer \(number) of store \(store)") { [self] _ in await observe(participant) }
    case 9...11:
      for _ in 0..<random.pick(plan.theme == .following ? [1, 1, 1, 2] : [1, 2, 3]) { startFollower(participant) }
    case 12: startTransitions(participant)
    case 13: startEntries(participant)
    case 17: start("claimer \(number) of store \(store)") { [self] in await claim(participant, $0) }
    case 14: start("lease holder \(number) of store \(store)") { [self] in await holdLease(participant, $0) }
    default:
      start("closer \(number) of store \(store)") { [self] task in
        await pass(random.below(30))
        task.doing = "closing store \(store)"
        guard !participant.isClosing else { return }
        let leftOver = await participant.close(deadline: random.pick([nil, .milliseconds(5), .seconds(1), .zero]))
        if !leftOver.isEmpty, !random.oneIn(4) { await open(task, resuming: leftOver) }
      }
    }
  }

  /// Yields to other tasks this number of times.
  func pass(_ times: Int) async {
    for _ in 0..<times { await Task.yield() }
  }

  private func makeChanges(_ participant: Participant, _ task: SimulatedTask) async {
    var last: Commit<Bank>?
    for _ in 0..<(plan.theme == .following ? random.pick([1, 1, 2]) : plan.rounds * 4) {
      let isCertain = plan.theme == .following && !random.oneIn(3)
      let changes = isCertain ? [.touch] : random.oneIn(20) ? [] : (0..<random.pick([1, 1, 1, 2, 3])).map { _ in randomChange() }
      guard let commit = participant.change(changes, requires: random.oneIn(plan.theme == .contending ? 2 : 3) ? last : nil) else {
        if random.oneIn(2) {
          task.doing = "waiting for room in store \(participant.number)"
          count(.ready)
          try? await participant.store.ready()
        } else {
          await pass(random.below(3))
        }
        continue
      }
      last = commit
      task.doing = "waiting for \(commit.id) to be durable"
      switch plan.theme == .following ? 4 : random.below(5) {
      case 0: await wait(for: commit)
      case 1: await wait(for: commit, cancelledAfter: random.below(6))
      case 2: await pass(random.below(4))
      case 3 where commit.promise == nil || participant.store.revision > 3: await lookBack(participant)
      default: break
      }
    }
  }

  /// Takes tickets that other stores also want, and makes changes that require them.
  private func claim(_ participant: Participant, _ task: SimulatedTask) async {
    for _ in 0..<random.pick([1, 1, 2]) {
      await pass(random.below(4))
      guard let ticket = participant.change([.claim(participant.store.state.tickets + 1)]) else { continue }
      for _ in 0..<3 {
        await pass(random.below(4))
        _ = participant.change([.touch], requires: ticket)
      }
      task.doing = "waiting for \(ticket.id) to be durable"
      if random.oneIn(2) { await wait(for: ticket) }
    }
  }

  private func wait(for commit: Commit<Bank>) async {
    let result: Result<Revision, any Error>
    do { result = .success(try await commit.confirmed()) } catch { result = .failure(error) }
    if case .success(let revision) = result, commit.promise != nil, commit.id.sequence > 0 {
      if revision > definition.revision { refresh() }
      if definition.places[commit.id] != revision { fail(.written, "\(commit.id) is durable at \(revision), and is not there") }
    }
  }

  private func wait(for commit: Commit<Bank>, cancelledAfter passes: Int) async {
    count(.cancelledWait)
    let waiting = Task { [self] in await wait(for: commit) }
    await pass(passes)
    waiting.cancel()
    await waiting.value
  }

  /// Reads a past state.
  private func lookBack(_ participant: Participant) async {
    let revision = Revision(Int64(1 + random.below(Int(participant.store.revision.number))))
    guard let state = try? await participant.store.state(at: revision) else { return }
    count(.past)
    if state != definition.state(at: revision) { fail(.confirmed, "store \(participant.number) says that \(state) was at \(revision)") }
  }

  private func takeBack(_ participant: Participant, _ task: SimulatedTask) async {
    for _ in 0..<(plan.rounds * 2) {
      await pass(random.below(4))
      let redo = random.oneIn(2)
      task.doing = "waiting for \(redo ? "a redo" : "an undo") of store \(participant.number)"
      await participant.undo(redo: redo)
    }
  }

  private func observe(_ participant: Participant) async {
    for _ in 0..<plan.rounds {
      await pass(random.below(plan.theme == .observing ? 12 : 4))
      let observer = SimulatedObserver(of: participant)
      observer.begin()
      await pass(random.below(10))
      if random.oneIn(2) { observer.end(isInside: false) }
    }
  }

  private func holdLease(_ participant: Participant, _ task: SimulatedTask) async {
    guard let journal = participant.journal else { return }
    var held: Lease?
    for _ in 0..<(plan.rounds + 1) {
      await pass(random.below(4))
      task.doing = "taking a lease"
      if random.oneIn(8) {
        count(.leaseFailure)
        journal.nextLeases(.fail(JournalError(.unavailable, journal: "memory", message: "is not available.")))
      }
      let origin = participant.store.core.withLock { $0.replica.origin }
      if let lease = try? await journal.lease("work", for: origin, lasting: .seconds(1)) {
        if lease.epoch > leases["work"]?.epoch ?? 0 {
          if lease.epoch > 1 { count(.takeover) }
          refresh()
          leases["work"] = (lease.epoch, definition.revision)
        }
        held = lease
      } else {
        count(.leaseRefused)
      }
      guard let lease = held else { continue }
      // The lease is released too early. If another store takes it meanwhile, the following writes are rejected.
      if random.oneIn(2) { try? await journal.release(lease) }
      for _ in 0..<2 {
        _ = participant.change([random.oneIn(2) ? .touch : randomChange()], under: lease)
        await pass(random.below(6))
      }
    }
  }

  /// Releases held calls and advances the clock at random moments.
  private func changeWeather() async {
    for _ in 0..<(plan.rounds * 6) {
      await pass(1 + random.below(4))
      switch random.below(4) {
      case 0: releaseHeld()
      case 1:
        count(.clockAdvanced)
        clock.advance(by: random.pick([.milliseconds(5), .milliseconds(40), .seconds(1), .seconds(40)]))
      case 2 where plan.failures > 0:
        isAway.toggle()
        if isAway { count(.outage) }
      default: break
      }
    }
    isAway = false
  }

  /// Releases the held calls of all journals.
  func releaseHeld() {
    for journal in journals where journal.heldCount > 0 {
      count(.release)
      journal.release()
    }
  }
}
