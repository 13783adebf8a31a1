#if SQLite
  import AlterCore
  import AlterJournal
  import Dispatch

  /// One wait for a lock that can be ended early, by cancelling its task or by closing the journal.
  final class LockWait: Sendable {
    /// The ways in which a wait ends. The first one counts.
    enum Outcome: Sendable {
      case granted
      case failed(Int32)
      case givenUp(JournalError)
    }

    private let outcome = Lock<Outcome?>(nil)
    private let settled = DispatchSemaphore(value: 0)

    /// Ends the wait, unless it has already ended.
    ///
    /// - Returns: Whether this call ended it.
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

    /// Ends the wait with an error, unless it has already ended.
    func giveUp(_ error: JournalError) { settle(.givenUp(error)) }

    /// The outcome; nil while the wait continues.
    var current: Outcome? { outcome.withLock { $0 } }

    /// Blocks the thread until the wait has ended, or the time has passed.
    ///
    /// - Returns: The outcome; nil after the time has passed.
    func outcome(within time: Duration) -> Outcome? {
      let (seconds, attoseconds) = time.components
      // At most 100 years, so that the number of nanoseconds does not overflow.
      let nanoseconds = min(max(seconds, 0), 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000
      _ = settled.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
      return current
    }
  }
#endif
