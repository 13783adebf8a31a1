import AlterCore
import AlterJournal

// An outage never ends a store: it waits until the journal can be reached again, and says so.
extension Store {
  /// How the store is doing: the present status first, then each that follows. The stream ends after `failed` or `closed`.
  public var statuses: AsyncStream<StoreStatus> {
    let (stream, continuation) = AsyncStream<StoreStatus>.makeStream(bufferingPolicy: .bufferingNewest(16))
    core.withLock { $0.addStatusReader(continuation) }
    return stream
  }

  /// A part of the store meets a passing failure and will try again.
  func waits(_ part: WaitingPart, for reason: JournalError) {
    let now = options.now()
    let number: Int? = core.withLock { core in
      let begins = core.outages.begin(part, reason, now: now)
      core.tellStatus()
      return begins && part == .writer ? core.outages.number : nil
    }
    guard let number else { return }
    let timer = Task.detached { [weak self, options] in
      guard (try? await options.sleep(options.outageTimeout)) != nil else { return }
      self?.reachOutageTimeout(of: number)
    }
    let isOver = core.withLock { core in
      core.outageTimer = timer
      return core.outages.writer == nil || core.status != .open
    }
    if isOver { timer.cancel() }
  }

  /// Nobody waits for the end of an outage any more.
  func endOutageTimer() {
    let timer = core.withLock { core in
      defer { core.outageTimer = nil }
      return core.outageTimer
    }
    timer?.cancel()
  }

  /// A part of the store has got through.
  func goesOn(_ part: WaitingPart) {
    let isOver = core.withLock { core in
      guard core.outages.end(part) else { return false }
      if part == .writer, core.delay != nil {
        core.delay = nil
        // Before anybody is told: whoever sees that the outage is over waits for a commit, and is not told of a delay.
        core.promises.all.forEach { $0.goOn() }
      }
      core.tellStatus()
      return part == .writer
    }
    if isOver { endOutageTimer() }
  }

  /// Tells those who wait for commits that it takes long, unless the wait is over.
  private func reachOutageTimeout(of number: Int) {
    let delayed: ([[Waiter<Result<Revision, CommitError<State.Failure>>>]], JournalError)? = core.withLock { core in
      guard core.status == .open, core.outages.number == number, let wait = core.outages.writer else { return nil }
      core.delay = wait.reason
      core.version += 1
      return (core.promises.all.map { $0.delay(.failure(.notYet(wait.reason))) }, wait.reason)
    }
    guard let (waiters, reason) = delayed else { return }
    for waiters in waiters { waiters.finish(.failure(.notYet(reason))) }
    showChange()
  }
}
