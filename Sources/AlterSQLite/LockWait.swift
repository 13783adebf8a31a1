#if SQLite
  import AlterCore
  import AlterJournal
  import Dispatch

  /// One wait for a lock, which somebody else may give up: a cancelled task, a journal that is being closed.
  final class LockWait: Sendable {
    /// How a wait ends. Whatever comes first counts.
    enum Outcome: Sendable {
      case granted
      case failed(Int32)
      case givenUp(JournalError)
    }

    private let outcome = Lock<Outcome?>(nil)
    private let settled = DispatchSemaphore(value: 0)

    /// Ends the wait, unless it has ended.
    ///
    /// - Returns: Whether it ended by this.
    @discardableResult
    func settle(_ outcome: Outcome) -> Bool {
      let isFirst = self.outcome.withLock { settledOutcome in
        guard settledOutcome == nil else { return false }
        settledOutcome = outcome
        return true
      }
      if isFirst { settled.signal() }
      return isFirst
    }

    /// Ends the wait with an error, unless it has ended.
    func giveUp(_ error: JournalError) { settle(.givenUp(error)) }

    /// The outcome, if there is one yet.
    var current: Outcome? { outcome.withLock { $0 } }

    /// Blocks until the wait has ended, or the time is up.
    ///
    /// - Returns: How it ended; nil when the time was up.
    func outcome(within time: Duration) -> Outcome? {
      let (seconds, attoseconds) = time.components
      // Beyond 100 years is as good as for ever, and fits.
      let nanoseconds = min(max(seconds, 0), 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000
      _ = settled.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
      return current
    }
  }
#endif
