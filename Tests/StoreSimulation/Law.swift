/// What the simulation checks. `docs/laws.md` numbers most of them.
enum Law: String, CaseIterable {
  /// The confirmed state is the fold of the journal's entries up to its revision (7, 12, 16).
  case confirmed
  /// The state that shows is the pending work over the confirmed state; a refused change leaves no trace (8, 9, 13).
  case shown
  /// The confirmed revision never decreases (12).
  case revision
  /// An observer is told the confirmed state, then every entry once, in order (1, 2, 3).
  case observation
  /// Observers are told in the order they came, one entry at a time (2, 4).
  case order
  /// A commit that succeeded is in the journal where it was said to be (11).
  case written
  /// An entry is in the journal once, with the content it was made with (7, 13).
  case once
  /// A commit that was reported as dropped or unwritten is not in the journal, and never comes (13, 14).
  case unwritten
  /// A commit is not in the journal without the one that it requires.
  case requirement
  /// An entry made under a lease does not follow the takeover of the lease.
  case lease
  /// `values(of:)` delivers the present value, and never the same one twice in a row (5, 6).
  case values
  /// `transitions` and `entries(after:)` tell every entry once, in order.
  case streams
  /// `close` says what became of everything, and nothing is taken afterwards (14, 17).
  case closing
  /// Nothing waits for ever.
  case hang
}

/// What happened, counted: what stays at zero was not simulated.
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

  /// Those that need more than 20 seconds to happen for certain.
  static let rare: Set<Event> = [.resumedAndLost]
}
