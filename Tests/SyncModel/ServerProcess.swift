import AlterCore
import AlterJournal
import AlterSyncCore

/// One of several server processes over one database: a view of the journal that may lag, and at most one push that is being decided.
///
/// ```
///   request ──begin──▶ decided on the view ──commit──▶ head unchanged: appended, answered
///                          ▲                     │
///                          └──── decide again ◀──┘ head moved
/// ```
package struct ServerProcess<State: SyncState>: Sendable {
  /// A push between its decision and its commit.
  package struct Attempt: Sendable {
    package let request: Request
    package let principal: Principal
    package let arrival: Int64
    /// The ledger that the decisions were made on.
    package let base: Head
    let lineage: Lineage
    let floor: Revision
    /// The ledger with the decisions.
    package let decided: Ledger<State>
    package let lines: [VerdictLine]
    package let hold: SyncHold?
  }

  /// The journal as this process has read it last.
  package private(set) var view: Ledger<State>
  /// The push that is being decided.
  package private(set) var attempt: Attempt?
  /// The refusals of each principal since the last refill.
  package private(set) var refusals: [Principal: Int] = [:]
  package var limits: SyncLimits
  package let rules: ModelRules
  /// The secret of the pseudonyms in receipts.
  package static var key: (UInt64, UInt64) { (0x7365_6372, 0x6574) }

  package init(_ view: Ledger<State>, limits: SyncLimits, rules: ModelRules = .all) {
    self.view = view
    self.limits = limits
    self.rules = rules
  }

  /// Refills the budgets of refusals: a period has ended.
  package mutating func refill() { refusals = [:] }

  /// Handles a request up to its answer, or up to the commit of a push.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - token: The principal of the token.
  ///   - arrival: Microseconds since 1970 UTC.
  ///   - policy: The app's rules.
  ///   - database: The database, for the reads of its head.
  /// - Returns: The answer; nil for a push that ``commit(to:policy:)`` must complete.
  package mutating func begin(
    _ request: Request, token: Principal, arrival: Int64, policy: any LedgerPolicy<State>, database: Ledger<State>
  ) -> Answer? {
    // 1. Principal, journal and permission.
    if rules.contains(.comparesPrincipals), request.principal != token { return .forbidden }
    guard policy.mayRead(token) else { return .forbidden }
    if case .push = request.body, !policy.mayWrite(token) { return .forbidden }
    locate(request, in: database)
    switch request.body {
    case .fetch(let ids):
      // Verdicts of any process are final, but a view may be older than a restore.
      view = database
      let lines = ids.compactMap { id in view.standings[id].map { VerdictLine(id: id, hash: $0.hash, verdict: $0.verdict) } }
      return .snapshot(Fetched(view.lineage, floor: view.start.floor, lines: lines))
    case .pull:
      if let problem = problem(with: request) { return problem }
      return .page(page(for: request))
    case .push(let submissions):
      if let problem = problem(with: request) { return problem }
      decide(submissions, for: request, by: token, arrival: arrival, policy: policy)
      return nil
    }
  }

  /// Reads the database again if the view lacks something that the device has or knows of: only the database may say that a head or a
  /// generation is unknown. Nothing else makes a process read it before a page, so a view may lag behind a restore, a compaction and a
  /// change of the generation.
  private mutating func locate(_ request: Request, in database: Ledger<State>) {
    let lacksHead = rules.contains(.readsHead) && (view.position(of: request.position) != .known || lacksFloor(of: request))
    let isAnnounced = request.hint.map { $0 == Hint(view.generation, view.head) } ?? true
    let isBehind = rules.contains(.readsKnown) && (view.head.revision < request.known || !isAnnounced)
    let lacksGeneration = rules.contains(.readsGenerations) && !knows(request.generation)
    if lacksHead || isBehind || lacksGeneration { view = database }
  }

  private func knows(_ generation: Generation?) -> Bool { generation.map(view.lineage.knows) ?? true }

  /// Whether an undo may reach below the floor of the device's mirror. A floor that lies above the journal's is the device's own, or the journal
  /// was restored: its undo window may then reach below the floor.
  private func lacksFloor(of request: Request) -> Bool {
    guard request.floor > view.start.head.revision, rules.contains(.comparesFloors) else { return false }
    return !rules.contains(.acceptsFloors) || !view.isSettled(at: request.floor)
  }

  private func problem(with request: Request) -> Answer? {
    // The database was restored from a backup that is older than the device's generation.
    if !knows(request.generation), rules.contains(.knowsFormerGenerations) { return .diverged(view.lineage) }
    switch view.position(of: request.position) {
    case .known: return lacksFloor(of: request) ? .gone : nil
    case .belowFloor: return .gone
    case .unknown: return .diverged(view.lineage)
    }
  }

  private func page(for request: Request) -> Page {
    var page = Page(view.head.journal, view.lineage)
    page.entries = view.entries(after: request.position?.revision ?? .zero, limit: limits.entriesPerPage)
    page.head = view.head
    return page
  }

  private mutating func decide(
    _ submissions: [Submission], for request: Request, by principal: Principal, arrival: Int64, policy: any LedgerPolicy<State>
  ) {
    var ledger = view
    var lines: [VerdictLine] = []
    var hold: SyncHold?
    var spent = refusals[principal, default: 0]
    let receipt = Receipt(author: principal.pseudonym(key: Self.key), arrival: arrival)
    drafts: for submission in submissions.prefix(limits.draftsPerPush) where hold == nil {
      var outcome = ledger.outcome(of: submission, by: principal, arrival: arrival, policy: policy, limits: limits, rules: rules)
      if case .refused = outcome, rules.contains(.hasBudget) {
        if spent >= limits.refusalsPerMinute { outcome = .hold(.budget) }
        spent += 1
      }
      let verdict: Verdict
      switch outcome {
      case .repeated(let known): verdict = known
      case .unrecorded(let code, let revision): verdict = .refused(code, at: revision)
      case .accepted(let draft):
        ledger.append(.draft(draft), by: principal, receipt: receipt)
        verdict = .accepted(ledger.head.revision)
      case .refused(let code, let reason):
        ledger.append(.refused(submission.id, hash: submission.hash, code), by: principal, receipt: receipt, reason: reason)
        verdict = .refused(code, at: ledger.head.revision)
      case .hold(let code):
        hold = SyncHold(code, at: submission.id, seconds: limits.holdSeconds)
        continue drafts
      }
      lines.append(VerdictLine(id: submission.id, hash: submission.hash, verdict: verdict))
    }
    attempt = Attempt(
      request: request, principal: principal, arrival: arrival, base: view.head, lineage: view.lineage,
      floor: view.floor.head.revision, decided: ledger, lines: lines, hold: hold)
  }

  /// Appends the decided entries if the head is still the one that they were decided on. Otherwise reads the head and decides again.
  ///
  /// - Returns: The answer; nil if the push was decided again and waits for its next commit.
  package mutating func commit(to database: inout Ledger<State>, policy: any LedgerPolicy<State>) -> Answer? {
    guard let attempt else { preconditionFailure("There is no push to commit.") }
    self.attempt = nil
    let isUnchanged =
      database.head == attempt.base && database.lineage == attempt.lineage && database.floor.head.revision == attempt.floor
      && database.schema == attempt.decided.schema
    guard isUnchanged || !rules.contains(.decidesAgain) else {
      view = database
      return begin(attempt.request, token: attempt.principal, arrival: attempt.arrival, policy: policy, database: database)
    }
    if isUnchanged {
      database = attempt.decided
    } else {
      // The wrong rule: the new entries are appended at any head, as they were decided.
      for entry in attempt.decided.entries where entry.revision > attempt.base.revision {
        database.append(entry.body, by: attempt.principal, receipt: entry.receipt)
      }
    }
    refusals[attempt.principal, default: 0] += attempt.decided.entries.reversed().prefix { $0.revision > attempt.base.revision }
      .count { if case .refused = $0.body { true } else { false } }
    view = database
    var page = page(for: attempt.request)
    page.lines = attempt.lines
    page.hold = attempt.hold
    return .page(page)
  }

  /// Loses all that a process holds in memory, and reads the database.
  package mutating func restart(_ database: Ledger<State>) { self = ServerProcess(database, limits: limits, rules: rules) }
}
