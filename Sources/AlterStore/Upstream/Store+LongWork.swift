import AlterCore
import AlterJournal
import Dispatch

// Work whose time depends on the amount of pending work or of new entries. It is done on a copy of the replica, outside the store's lock,
// and on a thread of its own if it is long. Reading the state and making changes never wait for it.
extension Store {
  /// The number of records that are applied without leaving Swift's few threads.
  static var shortWork: Int { 1_000 }

  /// Returns a copy of the replica for long work, and whether an observer wants the state after each confirmed record; nil once the store
  /// has ended.
  ///
  /// The caller holds the gate until the copy has replaced the replica. Meanwhile other threads only append to the pending work.
  func copyReplica(evenAtTheEnd isFinal: Bool = false) -> (replica: Replica<State>, wantsSteps: Bool)? {
    core.withLock { core in isFinal || core.status == .open ? (core.replica.copied(), core.wantsSteps) : nil }
  }

  /// The outcome of replacing the replica by a copy.
  enum Exchange {
    case done
    /// The store has ended.
    case ended
    /// An observer was added meanwhile, and the report lacks the steps: repeat the work with them.
    case needsSteps
    /// The store continues as another replica, see `resume`: repeat the work with that.
    case isAnother
  }

  /// Replaces the replica by a copy, replays the work that was made meanwhile, and reports the consequences.
  ///
  /// - Parameters:
  ///   - copy: The copy. If the replacement succeeds, it receives the old replica, which the caller releases outside of the lock.
  ///   - report: The consequences so far.
  ///   - hasSteps: Whether the report has the steps.
  ///   - isFinal: Whether to proceed even after the store has ended.
  func exchange(
    _ copy: inout Replica<State>, _ report: Replica<State>.Report, hasSteps: Bool, evenAtTheEnd isFinal: Bool = false
  ) -> Exchange {
    var report = report
    // Replay most of the new work before taking the lock. If a caller makes changes as fast as they are replayed, the lock finally makes it
    // wait.
    for _ in 0..<16 where copy.pending.hasNewGround {
      let works = core.withLock { $0.replica.made(after: copy.sequence) }
      if Replica.isLittle(works) { break }
      copy.follow(works, into: &report)
    }
    var needsSteps = false
    var isAnother = false
    let isTaken = self.report(evenAtTheEnd: isFinal) { replica, wantsSteps in
      guard replica.lives == copy.lives else {
        isAnother = true
        return nil
      }
      if wantsSteps, !hasSteps {
        needsSteps = true
        return nil
      }
      if !wantsSteps { report.steps = [] }
      replica.trade(with: &copy, into: &report)
      return report
    }
    return isTaken ? .done : isAnother ? .isAnother : needsSteps ? .needsSteps : .ended
  }

  /// Does long work on a copy of the replica, and replaces the replica by the copy.
  ///
  /// - Parameters:
  ///   - isFinal: Whether to proceed even after the store has ended.
  ///   - work: The work, which may run more than once. It returns nil if there is no consequence.
  /// - Returns: Whether there were consequences.
  @discardableResult
  func rework(
    evenAtTheEnd isFinal: Bool = false,
    _ work: @escaping @Sendable (inout Replica<State>, _ wantsSteps: Bool) -> Replica<State>.Report?
  ) async -> Bool {
    var hasSteps = false
    while let (replica, wantsSteps) = copyReplica(evenAtTheEnd: isFinal) {
      var copy = replica
      hasSteps = hasSteps || wantsSteps
      let report = await options.longWork.run(ifMore: copy.pendingCount > Self.shortWork, on: &copy) { [hasSteps] in work(&$0, hasSteps) }
      guard let report else { return false }
      switch exchange(&copy, report, hasSteps: hasSteps, evenAtTheEnd: isFinal) {
      case .done: return true
      case .ended: return false
      case .needsSteps: hasSteps = true
      case .isAnother: break
      }
    }
    return false
  }
}

/// Runs long work on threads of its own, so that Swift's few threads stay free for short work.
package struct LongWork: Sendable {
  /// Runs a closure on another thread. A simulation runs it at once.
  package var start: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates a way to run work from what runs a closure.
  package init(start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.start = start }

  /// Runs work on a dispatch queue.
  package static let dispatched = LongWork { work in DispatchQueue.global(qos: .utility).async(execute: work) }

  /// Runs work and waits for it, without blocking one of Swift's threads.
  package func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in start { continuation.resume(returning: work()) } }
  }

  /// Runs work on a value: on another thread if it is long, otherwise at once.
  func run<Value: Sendable, Result: Sendable>(
    ifMore isLong: Bool, on value: inout Value, _ work: @escaping @Sendable (inout Value) -> Result
  ) async -> Result {
    guard isLong else { return work(&value) }
    let (changed, result) = await run { [value] in
      var value = value
      let result = work(&value)
      return (value, result)
    }
    value = changed
    return result
  }
}
