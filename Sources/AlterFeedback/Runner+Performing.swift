import AlterCore
import AlterJournal
import AlterStore

// The performance of a request: from its begin to the end of its effect.
extension Runner {
  /// An attempt to perform a request.
  struct Work: Sendable {
    let key: S.Key
    let asked: Machine.Asked
    let number: Int
    let attempt: Int
    let lease: Lease?
    let store: Store<State>
  }

  /// Begins the effects that may begin. To be called when every state was examined.
  func beginReady(_ core: inout Core) -> [Todo] {
    guard !core.isStopped, let store = context.store(), core.looks != nil else { return [] }
    var todos: [Todo] = context.isLeased && core.hasWork && core.keeper == nil ? [{ [self] in keepLease() }] : []
    guard !context.isLeased || core.isClear && core.term?.isOver() == false else { return todos }
    while let key = core.ready.first?.id, let (asked, attempts) = core.machines[key]?.opening, context.places.take() {
      core.last += 1
      let work = Work(key: key, asked: asked, number: core.last, attempt: attempts + 1, lease: core.term?.lease, store: store)
      todos += event(&core, key) { $0.go(work.number) }
      let effect = context.options.task { [self] in await result(of: work) }
      let whole = context.options.task { [self] in await finish(work, await effect.value) }
      core.performances[work.number] = Performance(effect: effect, whole: whole)
    }
    return todos
  }

  private func result(of work: Work) async -> Result<State.Change, any Error> {
    do { if try await isOver(work, after: work.attempt - 1) { throw RequestExpired(since: work.asked.since) } } catch {
      return .failure(error)
    }
    let effect = Effect<State>(epoch: work.lease?.epoch) { [self] in try await send($0, work) }
    return await work.store.perform(MonitoredEffect(feedback: name, key: work.asked.id?.description ?? "")) {
      await FeedbackRun.$current.withValue(context.run) {
        do { return .success(try await perform(work.asked.request, effect)) } catch { return .failure(error) }
      }
    }
  }

  /// Whether a request has no attempt left, by their number or by its age.
  private func isOver(_ work: Work, after attempts: Int) async throws(JournalError) -> Bool {
    if let most = traits.limit?.most, attempts >= max(most, 1) { return true }
    guard let horizon = traits.horizon else { return false }
    var start = work.asked.since
    if traits.form == .act, let id = work.asked.id, let stamp = id.stamp, !id.isNone {
      // At a server the arrival counts: the device may have been offline, or its clock may be wrong.
      let family = EntryID(origin: stamp.origin, sequence: stamp.sequence)
      let arrival = work.store.isServed ? try await work.store.arrival(of: family) : nil
      // A time in the future would lengthen the horizon: its clock was wrong.
      start = min(arrival ?? stamp.time, start)
    }
    return .microseconds(work.store.now) - .microseconds(start) >= horizon
  }

  /// Takes the result of an effect to the journal. Nothing cancels this.
  private func finish(_ work: Work, _ result: Result<State.Change, any Error>) async {
    var isLast = false
    if case .failure(let error) = result {
      // If the arrival can't be read now, the next attempt reads it.
      isLast = if error is RequestExpired { true } else { (try? await isOver(work, after: work.attempt)) == true }
    }
    // An entry that has ended the request meanwhile comes first.
    startWaiting()
    let (todos, phase) = core.withLock { core -> ([Todo], Machine.Phase?) in
      // The run was abandoned.
      guard core.machines[work.key] != nil else { return ([], nil) }
      let hasSent = core.performances[work.number]?.hasSent == true
      let todos = event(&core, work.key) { machine in
        switch result {
        case .success: return machine.returned(work.number)
        case .failure(let error):
          let isUnsent = error is RequestExpired || isUnasked(error) && !hasSent
          return machine.threw(work.number, "\(error)", isLast: isLast, isUnsent: isUnsent)
        }
      }
      return (todos, core.machines[work.key]?.phase)
    }
    let isSettling = if case .settling = phase { true } else { false }
    var change = try? result.get()
    if case .failure(let error) = result {
      switch phase {
      // Its request is still there.
      case .open(_, _, _?), .settling, .stuck: if !(error is RequestExpired) { work.store.record(.effectThrew(feedback: name, error)) }
      case .idle, .open, .running, nil: break
      }
      if isSettling { change = unclear?(work.asked.request, error) }
    }
    for todo in todos { todo() }
    if isSettling, let change { await append(change, work) }
    core.withLock { $0.performances[work.number] = nil }
    context.places.giveBack()
    context.goOn()
  }
}
