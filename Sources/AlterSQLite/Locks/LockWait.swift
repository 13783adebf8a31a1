#if SQLite
  import AlterCore
  import AlterJournal
  import Dispatch

  /// The waits of one call: first for the other handles of the file in this process, then for other processes. Cancelling the call's task,
  /// or closing its handle, ends them.
  final class LockWait: Sendable {
    /// The ways in which a wait ends. The first one counts.
    enum Outcome: Sendable {
      case granted
      case failed(Int32)
      case givenUp(JournalError)
      case timedOut
    }

    private struct State {
      var outcome: Outcome?
      /// The error that ends every later wait of the call, too.
      var end: JournalError?
      /// Continues the call.
      var wake: (@Sendable () -> Void)?
      var timer: (any DispatchSourceTimer)?
    }

    /// The moment at which the call began.
    let start = DispatchTime.now()
    private let state = Lock(State())

    /// Ends the present wait, unless it has already ended.
    ///
    /// - Returns: Whether this call ended it.
    @discardableResult
    func settle(_ outcome: Outcome) -> Bool {
      let (isFirst, wake): (Bool, (@Sendable () -> Void)?) = state.withLock { state in
        guard state.outcome == nil else { return (false, nil) }
        state.outcome = outcome
        state.timer?.cancel()
        defer { (state.wake, state.timer) = (nil, nil) }
        return (true, state.wake)
      }
      wake?()
      return isFirst
    }

    /// Ends the present wait with an error, unless it has already ended, and every later one.
    func giveUp(_ error: JournalError) {
      state.withLock { if $0.end == nil { $0.end = error } }
      settle(.givenUp(error))
    }

    /// Begins the next wait, after one that was granted. Any other outcome is the last one: the lock may be granted at the same moment, and is
    /// then refused.
    func next() { state.withLock { $0.outcome = $0.end.map(Outcome.givenUp) } }

    /// The outcome; nil while the wait continues.
    var current: Outcome? { state.withLock { $0.outcome } }

    /// The error with which the call was ended; nil while it may wait.
    var end: JournalError? { state.withLock { $0.end } }

    /// Calls a closure once the wait has ended, or a moment has passed; at once if it has already ended.
    ///
    /// - Parameters:
    ///   - deadline: The moment. It is read again when it has passed, because it may be later by then.
    ///   - wake: The closure. It is called once, on the thread that ends the wait.
    func whenEnded(by deadline: @escaping @Sendable () -> DispatchTime, _ wake: @escaping @Sendable () -> Void) {
      let hasEnded = state.withLock { state in
        guard state.outcome == nil else { return true }
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.setEventHandler { @Sendable [weak self] in self?.timeOut(at: deadline()) }
        timer.schedule(deadline: deadline())
        timer.resume()
        (state.wake, state.timer) = (wake, timer)
        return false
      }
      if hasEnded { wake() }
    }

    private func timeOut(at deadline: DispatchTime) {
      let isLate = state.withLock { state in
        if deadline > .now() { state.timer?.schedule(deadline: deadline) }
        return deadline <= .now()
      }
      if isLate { settle(.timedOut) }
    }

    /// Blocks the thread until the wait has ended, or the time has passed.
    func block(for time: Duration) {
      let ended = DispatchSemaphore(value: 0)
      let deadline = DispatchTime.now() + time.interval
      whenEnded(by: { deadline }) { ended.signal() }
      ended.wait()
    }
  }

  extension Duration {
    /// The same time for Dispatch: at most 100 years, so that the number of nanoseconds does not overflow.
    var interval: DispatchTimeInterval {
      let (seconds, attoseconds) = components
      return .nanoseconds(Int(min(max(seconds, 0), 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
  }
#endif
