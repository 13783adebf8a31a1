/// The invariants that the simulation checks. `docs/laws.md` numbers most of them.
enum Law: String, CaseIterable {
  /// The confirmed state is the fold of the journal's entries up to its revision (7, 12, 16).
  case confirmed
  /// The visible state is the pending work over the confirmed state. A refused change leaves no trace (8, 9, 13).
  case shown
  /// The confirmed revision never decreases (12).
  case revision
  /// An observer receives the confirmed state, then every entry once, in order (1, 2, 3).
  case observation
  /// Observers are notified in the order in which they were added, one entry at a time (2, 4).
  case order
  /// A successful commit is in the journal at its reported revision (11).
  case written
  /// The journal contains an entry once, with its original content (7, 13).
  case once
  /// A commit that was reported as dropped or unwritten is not in the journal, and is never written later (13, 14).
  case unwritten
  /// The journal contains a commit only together with the commit that it requires.
  case requirement
  /// An entry made under a lease does not follow the takeover of the lease.
  case lease
  /// `values(of:)` delivers the current value, and never the same value twice in a row (5, 6).
  case values
  /// `transitions` and `entries(after:)` deliver every entry once, in order.
  case streams
  /// `close` reports the outcome of all work, and the store accepts nothing afterwards (14, 17).
  case closing
  /// Nothing waits forever.
  case hang
}

/// The counted events. A count of zero shows that the event was not simulated.
enum Event: String, CaseIterable {
  case change, batch, required, leased, refused, full, closedRefusal = "refused as closed", failedRefusal = "refused as failed"
  case requirementRefusal = "refused for a requirement", undo, redo, undoRefused = "undo refused"
  case success, dropped, requirementDropped = "requirement dropped", staleLease = "stale lease"
  case failed = "failed commit", unknown = "unknown commit", resumed, resumedAgain = "resumed again", resumedAndLost = "resumed and lost"
  case emptyBatch = "empty batch", ready, cancelledWait = "cancelled wait"
  case observed, notification, nestedChange = "nested change", nestedBegin = "nested begin", nestedEnd = "nested end", observationEnded
  case followed, value, followerCancelled, transition, problem, entry, past
  case outage = "long outage", slowReading = "slow reading", expiredTurn = "expired turn"
  case hold, failure = "transient failure", loss = "lost answer", breakdown, release, clockAdvanced = "clock advanced"
  case takeover, leaseRefused = "lease refused", leaseFailure = "lease failure", close, closedByDeadline = "close at its deadline"
  case unwritten = "handed back by close", rebase, snapshot, memory = "schedule in memory", quiescence, stall, opened, openingFailed =
    "opening failed"

  /// The events that are not certain to happen within 20 seconds.
  static let rare: Set<Event> = [.resumedAndLost]
}
