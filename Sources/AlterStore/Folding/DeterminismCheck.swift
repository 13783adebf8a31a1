import AlterCore
import AlterJournal

#if DEBUG
  /// Applies a store's own changes a second time, in debug builds, and compares the results: `apply` must be deterministic.
  ///
  /// A check costs a copy of the modified parts, the change, and a comparison. All checks together take at most 20 ms plus the time of the
  /// unchecked changes. A debug build therefore takes at most about twice the time.
  @usableFromInline
  struct DeterminismCheck<State: Alterable>: Sendable {
    /// The state before a change, if the change is to be checked.
    @usableFromInline
    struct Probe: Sendable {
      fileprivate let before: State?
      fileprivate let start: ContinuousClock.Instant
    }

    /// The remaining time for checks.
    var budget: Duration = .milliseconds(20)
    private var isReported = false

    @usableFromInline init() {}

    /// Begins before a change.
    @usableFromInline
    func begin(with state: State) -> Probe { Probe(before: !isReported && budget > .zero ? state : nil, start: .now) }

    /// Ends after a change was made.
    ///
    /// - Returns: A problem if `apply` gives another state when it is called again. Only the first one is reported.
    @usableFromInline
    mutating func end(_ probe: Probe, _ content: Record<State>.Content, at replica: Replica<State>) -> StoreProblem? {
      guard let before = probe.before else {
        budget += ContinuousClock.now - probe.start
        return nil
      }
      defer { budget -= ContinuousClock.now - probe.start }
      guard let made = replica.made else { return nil }
      var again = before
      do throws(State.Failure) {
        try again.apply(content, indices: made.indices, at: made.stamp)
      } catch {
        return report(at: made.revision, "the second time it refuses the change: \(error)")
      }
      return StateComparison.areEqual(again, replica.state) ? nil : report(at: made.revision, "the second time it gives another state")
    }

    private mutating func report(at revision: Revision, _ difference: String) -> StoreProblem {
      isReported = true
      return .nondeterministic(
        revision,
        reason: "This debug build calls `apply` twice with the same state, change and stamp, and \(difference).")
    }
  }
#endif
