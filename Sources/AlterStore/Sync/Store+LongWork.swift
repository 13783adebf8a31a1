import AlterCore
import AlterJournal

// Work whose time depends on how much is pending or on how much others wrote. It is done on a copy of the replica, apart from the store's lock, and on a thread
// of its own when there is much of it: reading the state and making changes wait for none of it.
extension Store {
  /// How many records are applied without leaving Swift's few threads.
  static var shortWork: Int { 1_000 }

  /// A copy of the replica to do long work on, and whether somebody wants the state after each confirmed record; nil once the store has ended.
  ///
  /// Whoever calls holds the gate until the copy has taken its place: nobody else changes more of the replica than the end of what is pending.
  func copyReplica(evenAtTheEnd isFinal: Bool = false) -> (replica: Replica<State>, wantsSteps: Bool)? {
    core.withLock { core in isFinal || core.status == .open ? (core.replica.copied(), core.wantsSteps) : nil }
  }

  /// What became of a copy.
  enum Exchange {
    case done
    /// The store has ended.
    case ended
    /// Somebody has begun to observe, and the steps are not there: do it again with them.
    case needsSteps
    /// The store goes on as another replica, see `resume`: do it again with that.
    case isAnother
  }

  /// Puts a copy of the replica in its place, makes again on it what was made meanwhile, and tells what follows from it.
  ///
  /// - Parameters:
  ///   - copy: The copy. When it was taken, what the store had before, to be let go of outside of its lock.
  ///   - report: What to tell.
  ///   - hasSteps: Whether the report has the steps.
  ///   - isFinal: Whether this counts also after the store has ended.
  func exchange(
    _ copy: inout Replica<State>, _ report: Replica<State>.Report, hasSteps: Bool, evenAtTheEnd isFinal: Bool = false
  ) -> Exchange {
    var report = report
    // Most of what was made meanwhile is made again before the lock is held. Somebody may be as fast as that: then the lock makes him wait.
    for _ in 0..<16 where copy.hasNewGround {
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

  /// Does long work on a copy of the replica, and puts the copy in its place.
  ///
  /// - Parameters:
  ///   - isFinal: Whether this counts also after the store has ended.
  ///   - work: The work; it may be done twice. False when there is nothing to tell.
  /// - Returns: Whether there was something to tell.
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
