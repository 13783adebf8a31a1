import AlterCore
import AlterJournal

// An outage does not end a store: the store waits until the journal can be reached again, and its status shows the outage.
extension Store {
  /// The status of the store: the present one first, then each later one. The stream ends after `failed` or `closed`.
  ///
  /// Each access returns a new stream. It buffers the newest 16 values, so a slow reader may miss older ones.
  public var statuses: AsyncStream<StoreStatus> {
    let (stream, continuation) = AsyncStream<StoreStatus>.makeStream(bufferingPolicy: .bufferingNewest(16))
    usage.register(continuation)
    core.withLock { $0.addStatusReader(continuation) }
    return stream
  }

  /// Records that a part of the store has met a transient error and will try again.
  func waits(_ part: WaitingPart, for reason: JournalError) {
    let now = options.environment.now()
    let number: Int? = core.withLock { core in
      let begins = core.outages.begin(part, reason, now: now)
      core.tellStatus()
      return begins && part == .writer ? core.outages.number : nil
    }
    tellMonitor()
    guard let number else { return }
    let timer = Task.detached { [weak self, options] in
      guard (try? await options.environment.sleep(options.outageTimeout)) != nil else { return }
      self?.reachOutageTimeout(of: number)
    }
    let isOver = core.withLock { core in
      core.outageTimer = timer
      return core.outages.writer == nil || core.status != .open
    }
    if isOver { timer.cancel() }
  }

  /// Cancels the timer of an outage.
  func endOutageTimer() {
    let timer = core.withLock { core in
      defer { core.outageTimer = nil }
      return core.outageTimer
    }
    timer?.cancel()
  }

  /// Records that a part of the store has reached the journal.
  func goesOn(_ part: WaitingPart) {
    let isOver = core.withLock { core in
      guard core.outages.end(part) else { return false }
      if part == .writer, core.delay != nil {
        core.delay = nil
        // Before the status is sent: a caller that sees the end of the outage must wait for its commit, not receive the delay.
        core.promises.all.forEach { $0.goOn() }
      }
      core.tellStatus()
      return true
    }
    guard isOver else { return }
    if part == .writer { endOutageTimer() }
    tellMonitor()
  }

  /// Delays the waiting commits with `notYet`, unless the outage has ended.
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

/// The reason and the start of an outage: the journal is out of reach, and the store keeps trying.
public struct StoreWait: Sendable, Hashable {
  /// The latest transient error of the journal.
  public let reason: JournalError
  /// The start of the outage: microseconds since 1970 UTC, by ``StoreEnvironment/now``.
  public let since: Int64

  /// Creates a wait.
  ///
  /// - Parameters:
  ///   - reason: The latest error of the journal.
  ///   - since: Microseconds since 1970 UTC.
  public init(reason: JournalError, since: Int64) {
    self.reason = reason
    self.since = since
  }
}

/// The part of a store that an outage affects.
enum WaitingPart: Sendable {
  case writer, reader
}

/// The present outages of a store: one of the writer, one of the reader, or both.
struct Outages: Sendable {
  private(set) var writer: StoreWait?
  private(set) var reader: StoreWait?
  /// The number of the writer's outages so far. It distinguishes an outage from the next one.
  private(set) var number = 0

  /// The outage to report. The writer's takes precedence over the reader's.
  var wait: StoreWait? { writer ?? reader }

  /// Records that a part waits, or waits for another reason. The start of a continuing outage stays the same.
  ///
  /// - Returns: Whether the outage begins.
  mutating func begin(_ part: WaitingPart, _ reason: JournalError, now: Int64) -> Bool {
    switch part {
    case .writer:
      let isNew = writer == nil
      writer = StoreWait(reason: reason, since: writer?.since ?? now)
      if isNew { number += 1 }
      return isNew
    case .reader:
      let isNew = reader == nil
      reader = StoreWait(reason: reason, since: reader?.since ?? now)
      return isNew
    }
  }

  /// Records that a part works again.
  ///
  /// - Returns: Whether there was an outage.
  mutating func end(_ part: WaitingPart) -> Bool {
    switch part {
    case .writer:
      defer { writer = nil }
      return writer != nil
    case .reader:
      defer { reader = nil }
      return reader != nil
    }
  }
}

/// Pauses between retries. They double from 10 ms to 1 s.
package struct Backoff {
  private var pause: Duration = .milliseconds(10)

  /// Begins with the shortest pause.
  package init() {}

  /// Returns the next pause.
  package mutating func next() -> Duration {
    defer { pause = min(pause * 2, .seconds(1)) }
    return pause
  }
}
