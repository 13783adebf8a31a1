import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One journal on a server: it answers the requests of devices, and decides their drafts with the app's own `apply`.
///
/// Several of these, in one process or many, may serve one journal. Nothing but the journal decides between them: a push reads the position
/// and all that is known of its drafts in one moment, folds the journal to exactly that position, decides, and appends the outcomes there.
/// If the position has changed meanwhile, or the outcome of the append is unknown, it begins again; decided drafts are found by their ids.
///
/// ```
///   facts ──▶ fold to their head ──▶ decide each draft ──▶ append at the position ──▶ answer
///     ▲                                                        │
///     └───────────────── conflict, unknown outcome ────────────┘
/// ```
///
/// The pushes of one server are decided one after the other. Those that wait are decided together: one look-up and one transaction for all of
/// them. Reads do not wait for them.
package actor JournalServer<State: Journaled> {
  /// The settings of a server.
  package struct Options: Sendable {
    /// The limits of requests and answers.
    package var limits = SyncLimits()
    /// The options of the journal's stores. All servers of a journal, and the stores of its devices, must have the same undo window.
    package var store = StoreOptions()
    /// The number of times that a push is decided before it is answered by `busy`: other servers were faster each time.
    package var attempts = 32
    /// The time after which a push decides no further draft: those decided are appended and answered, and the device sends the rest again.
    package var pushTime: Duration = .seconds(5)
    /// The time after which the policy has failed to answer a question.
    package var policyTime: Duration = .seconds(5)
    /// The wait for ``policyTime``.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await TimerWheel.shared.sleep(for: $0) }
    /// The bytes of recent entries of all servers of the process.
    package var recentBytes = RecentBytes()
    /// Receives each new end of the journal, in order. It must return at once.
    package var announce: @Sendable (JournalNews) -> Void = { _ in }
    /// Receives what an operator wants to know.
    package var report: @Sendable (JournalServerEvent) -> Void = { _ in }
    /// The secret of the pseudonyms in receipts: two random words, the same for all servers of a journal.
    package var secret: (UInt64, UInt64)

    /// Creates the default settings.
    package init(secret: (UInt64, UInt64)) { self.secret = secret }
  }

  let journal: any ServerJournal
  let policy: any JournalPolicy<State>
  let options: Options
  /// Pushes take turns, because the fold follows one push at a time.
  private let turns: TurnQueue
  /// The fold at the head of the last push; nil before the first one, or after a failure.
  private var folded: FoldedJournal<State>?
  private var budget: RefusalBudget
  private var snapshot: Task<Void, Never>?
  /// The pushes that have no result yet, in the order of their arrival.
  private var waiting: [Push] = []
  /// The entries that were appended or read last.
  var recent: RecentEntries
  /// The places at which new mirrors begin, and those at which present ones have begun.
  var starts = MirrorStartChecks()
  /// The end that was announced last.
  private var announced: Hint?
  /// Whether an append of this server is in flight, and the waits for its announcement.
  private var (isAppending, appendEnds): (Bool, [Waiter<Void>]) = (false, [])

  /// Creates a server of a journal.
  ///
  /// - Parameters:
  ///   - journal: The journal. `serve` has made a server its writer.
  ///   - policy: The app's rules.
  ///   - options: The settings.
  package init(_ journal: any ServerJournal, policy: any JournalPolicy<State>, options: Options) {
    (self.journal, self.policy, self.options) = (journal, policy, options)
    turns = TurnQueue(journal: journal.name)
    budget = RefusalBudget(limit: options.limits.refusalsPerMinute)
    recent = RecentEntries(options.recentBytes)
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - principal: The principal of the token.
  ///   - arrival: Microseconds since 1970 UTC, by the server's clock.
  /// - Returns: The answer. All verdicts in it are durable, to the journal's durability.
  /// - Throws: ``JournalError`` if the journal cannot be used: the transport answers that the server is busy. Drafts may have been decided.
  package func answer(
    _ request: Request, from principal: Principal, arrival: Int64
  ) async throws(JournalError) -> Answer {
    guard request.principal == principal else { return .forbidden }
    do {
      guard try await ask({ try await $0.mayRead(principal) }) else { return .forbidden }
      if case .push = request.body, try await !ask({ try await $0.mayWrite(principal) }) { return .forbidden }
    } catch {
      return .busy(options.limits.holdSeconds)
    }
    do throws(JournalError) {
      return try await answer(to: request, from: principal, arrival: arrival)
    } catch {
      // A compaction has moved the floor between two reads. The verdicts of a push stand, and the next attempt is told of the floor.
      guard error.code == .noSuchRevision else { throw error }
      return .busy(1)
    }
  }

  private func answer(
    to request: Request, from principal: Principal, arrival: Int64
  ) async throws(JournalError) -> Answer {
    switch request.body {
    case .fetch(let ids): return .snapshot(try await fetch(ids, for: request))
    case .pull:
      let position = try await journal.position()
      if let problem = try await problem(with: request, at: position) { return problem }
      return .page(try await page(for: request, by: principal, at: position))
    case .push(let submissions): return try await push(submissions, for: request, by: principal, arrival: arrival)
    }
  }

  /// The state after the last push; nil before the first one, or after a failure.
  package var state: State? { folded?.history.state }

  /// The number of pushes that have no answer yet.
  package var waitingPushes: Int { waiting.count }

  /// The present end of the journal, as streams announce it.
  package func hint() async throws(JournalError) -> Hint {
    let position = try await journal.position()
    return Hint(position.lineage.generation, position.head)
  }

  /// Waits until the journal has an entry after a revision.
  package func waitForEntry(after revision: Revision) async throws(JournalError) { try await journal.waitForEntry(after: revision) }

  // MARK: - Announcements

  /// Reads the end of the journal, and announces it if it is a new one.
  ///
  /// - Returns: The end, which may have been announced before.
  @discardableResult
  package func announceEnd() async throws(JournalError) -> Hint {
    var (present, known): (Hint, Hint?)
    // An append in the middle of the reading has announced a later end.
    repeat { (known, present) = (announced, try await hint()) } while known != announced
    announce(present)
    return present
  }

  /// Waits until another server, or a program, has appended an entry after the announced end. An append of this server announces its end
  /// itself, and does not end the wait.
  package func waitForNews() async throws(JournalError) {
    while true {
      let revision = announced?.head.revision ?? .zero
      try await journal.waitForEntry(after: revision)
      if isAppending {
        let end = Waiter<Void>()
        appendEnds.append(end)
        _ = await end.value()
      }
      guard let now = announced?.head.revision, now > revision else { return }
    }
  }

  /// Announces an end, with the entries since the one before if they are kept and every device may take them without a question.
  private func announce(_ end: Hint) {
    guard end != announced else { return }
    var news = JournalNews(end)
    if let announced, announced.generation == end.generation,
      let new = recent.entries(after: announced.head.revision, to: end.head, limits: options.limits),
      new.entries.first?.follows(announced.head) == true, new.entries.last?.revision == end.head.revision,
      // A refusal has a reason for its author, and before an undo the server checks the floor of a device.
      new.entries.allSatisfy({ $0.stored.kind == .changes })
    {
      (news.before, news.entries) = (announced.head, Array(new.lines))
    }
    announced = end
    options.announce(news)
  }

  /// Waits for the pushes that have begun or wait, and for a snapshot that is being made; later ones throw `closed`. The journal remains open.
  package func close() async {
    // In a task of its own, because a task that shuts down may be cancelled.
    let turn = await Task { [turns] in try? await turns.take() }.value
    turns.close()
    turn?.end()
    await snapshot?.value
  }

  // MARK: - Pushes

  /// A push that was not answered yet. Used by the server alone.
  private final class Push {
    var submissions: ArraySlice<Submission>
    let request: Request
    let principal: Principal
    let arrival: Int64
    /// The result, once there is one.
    var result: Result<Decided, JournalError>?

    /// The bytes of its drafts.
    let size: Int

    init(_ submissions: ArraySlice<Submission>, _ request: Request, _ principal: Principal, _ arrival: Int64) {
      (self.submissions, self.request, self.principal, self.arrival) = (submissions, request, principal, arrival)
      size = submissions.reduce(0) { $0 + ($1.draft?.size ?? 0) }
    }
  }

  /// The result of a push, before its page is read.
  private enum Decided {
    case verdicts([VerdictLine], SyncHold?, ServerPosition)
    case other(Answer)
  }

  private func push(
    _ submissions: [Submission], for request: Request, by principal: Principal, arrival: Int64
  ) async throws(JournalError) -> Answer {
    let push = Push(submissions.prefix(options.limits.draftsPerPush), request, principal, arrival)
    waiting.append(push)
    defer { waiting.removeAll { $0 === push } }
    do throws(JournalError) {
      let turn = try await turns.take()
      defer { turn.end() }
      // An earlier push may have taken this one with it.
      if push.result == nil {
        let group = group(with: push)
        if group.count == 1 {
          await decide(group)
        } else {
          // In a task of its own: if the client of this push goes, the others stay.
          await Task { await decide(group) }.value
        }
      }
    } catch {
      // It was cancelled while it waited, or the server has closed.
      guard push.result != nil else { throw error }
    }
    switch try push.result?.get() {
    case .verdicts(let lines, let hold, let position):
      var page = try await page(for: request, by: principal, at: position)
      (page.lines, page.hold) = (lines, hold)
      options.report(.decided(lines, hold))
      return .page(page)
    case .other(let answer): return answer
    case nil: return .busy(1)
    }
  }

  /// The bytes of drafts that pushes decided together have at most: the journal may limit an append.
  private static var groupedBytes: Int { 1 << 20 }

  /// The pushes that are decided with one: those that wait, as many as together have no more drafts than one may have, and few bytes.
  private func group(with push: Push) -> [Push] {
    var (group, drafts, bytes) = ([push], push.submissions.count, push.size)
    for other in waiting where other !== push && other.result == nil {
      drafts += other.submissions.count
      bytes += other.size
      guard drafts <= options.limits.draftsPerPush, bytes <= Self.groupedBytes else { break }
      group.append(other)
    }
    return group
  }

  /// Decides pushes one after the other, and appends all outcomes together: one look at the journal and one transaction for all of them.
  private func decide(_ pushes: [Push]) async {
    do throws(JournalError) { try await attempt(pushes) } catch {
      for push in pushes where push.result == nil { push.result = .failure(error) }
    }
  }

  private func attempt(_ pushes: [Push]) async throws(JournalError) {
    var pushes = pushes[...]
    for _ in 0..<options.attempts {
      let questions = ServerGround<State>.questions(about: pushes.lazy.flatMap(\.submissions))
      let facts = try await journal.facts(about: questions)
      for push in pushes {
        do throws(JournalError) {
          if let problem = try await problem(with: push.request, at: facts.position) { push.result = .success(.other(problem)) }
        } catch {
          // The others have no part in it.
          push.result = .failure(error)
        }
      }
      pushes = pushes.filter { $0.result == nil }[...]
      guard !pushes.isEmpty else { return }
      // No constant holds the history: otherwise the append would copy it.
      guard try await fold(to: facts.position.head), var ground = folded.map({ ServerGround(facts, $0.history, name: journal.name) })
      else { continue }
      var decided: [(push: Push, lines: [VerdictLine], hold: SyncHold?)] = []
      var spent: [Principal: Int] = [:]
      let start = ContinuousClock.now
      for push in pushes {
        // The others have their own turns.
        if !decided.isEmpty, start.duration(to: .now) >= options.pushTime { break }
        let refused = ground.refused
        let (lines, hold) = await decide(
          push.submissions, on: &ground, by: push.principal, arrival: push.arrival, spent: spent[push.principal] ?? 0, since: start)
        spent[push.principal, default: 0] += ground.refused - refused
        decided.append((push, lines, hold))
      }
      var position = facts.position
      if !ground.decided.isEmpty {
        isAppending = true
        defer {
          isAppending = false
          appendEnds.finish(())
          appendEnds = []
        }
        do throws(JournalError) {
          try await append(ground.decided, at: position)
        } catch {
          guard error.code == .conflict || error.code == .unknownOutcome else { throw error }
          // A shorter push is decided sooner, so a faster server cannot be first each time. The device sends the rest again.
          options.report(.again(error))
          if error.code == .conflict { shorten(&pushes) }
          continue
        }
        if ground.entries.count == ground.decided.count { recent.add(ground.entries, from: position.head, to: ground.head) }
        position = ServerPosition(head: ground.head, lineage: position.lineage, floor: position.floor, schema: position.schema)
        announce(Hint(position.lineage.generation, position.head))
        for (principal, count) in spent { budget.spend(count, of: principal) }
        adopt(&ground)
      }
      for (push, lines, hold) in decided { push.result = .success(.verdicts(lines, hold, position)) }
      return
    }
    for push in pushes where push.result == nil { push.result = .success(.other(.busy(1))) }
  }

  private func shorten(_ pushes: inout ArraySlice<Push>) {
    if pushes.count > 1 {
      pushes = pushes.prefix(pushes.count / 2)
    } else if let push = pushes.first {
      push.submissions = push.submissions.prefix(max(1, push.submissions.count / 2))
    }
  }

  /// Appends the outcomes, even if the client has gone: otherwise a push that takes longer than the client waits is never decided.
  private func append(_ decided: [DecidedDraft], at position: ServerPosition) async throws(JournalError) {
    let journal = journal
    let result = await Task { () async -> Result<Appended, JournalError> in
      do throws(JournalError) { return .success(try await journal.append(decided, at: position)) } catch { return .failure(error) }
    }.value
    _ = try result.get()
  }

  /// Folds the journal to a head.
  ///
  /// - Returns: False if the journal's end has moved meanwhile.
  private func fold(to head: Head) async throws(JournalError) -> Bool {
    // Takes the kept fold: with two references, each change would copy the state.
    var next = try await folded.take()?.followed(to: head) ?? nil
    if next == nil {
      next = try await FoldedJournal(
        journal, options: options.store, removesUseless: options.store.snapshotSpacing < .max)
    }
    folded = next
    return next?.head == head
  }

  private func adopt(_ ground: inout ServerGround<State>) {
    let drafts = ground.decided.map(\.draft)
    switch ground.finish() {
    case .changes(let records, let state): folded?.adopt(records, to: state, at: ground.head, appended: drafts)
    case .history(let history): folded?.adopt(history, at: ground.head, appended: drafts)
    }
    guard snapshot == nil, let due = folded?.dueSnapshot else { return }
    snapshot = Task {
      let (counted, failure) = await due.keep()
      if let failure { options.report(.snapshotFailed(failure)) }
      folded?.adopt(counted)
      snapshot = nil
    }
  }

  /// Decides the drafts of one push.
  ///
  /// - Parameters:
  ///   - spent: The refusals of the principal since the budget was read, which were not appended yet.
  ///   - start: The beginning of the group's decisions.
  private func decide(
    _ submissions: ArraySlice<Submission>, on ground: inout ServerGround<State>, by principal: Principal, arrival: Int64, spent: Int,
    since start: ContinuousClock.Instant
  ) async -> (lines: [VerdictLine], hold: SyncHold?) {
    let receipt = Receipt(author: principal.pseudonym(key: options.secret), arrival: arrival)
    var rest = max(0, budget.rest(of: principal, at: arrival) - spent)
    var scopes: [UndoScope: Bool?] = [:]
    var lines: [VerdictLine] = []
    for submission in submissions {
      if !lines.isEmpty, start.duration(to: .now) >= options.pushTime { return (lines, nil) }
      ground.read(submission)
      let outcome = await outcome(of: submission, on: ground, by: principal, arrival: arrival, &scopes)
      let verdict: Verdict
      switch outcome {
      case .repeated(let known): verdict = known
      case .unrecorded(let code, let revision): verdict = .refused(code, at: revision)
      case .hold(let code): return (lines, hold(code, at: submission))
      case .accepted(let draft):
        do throws(Obstacle) { try ground.accept(draft, by: principal, receipt) } catch {
          // The decision has tried it on the same state. If `apply` is not deterministic, no verdict is sure.
          options.report(.nondeterministic(draft.id))
          return (lines, hold(.policy, at: submission))
        }
        verdict = .accepted(ground.head.revision)
      case .refused(let code, let reason):
        guard rest > 0 else { return (lines, hold(.budget, at: submission)) }
        rest -= 1
        ground.refuse(submission, code, reason: reason, by: principal, receipt)
        verdict = .refused(code, at: ground.head.revision)
      }
      lines.append(VerdictLine(id: submission.id, hash: submission.hash, verdict: verdict))
    }
    return (lines, nil)
  }

  private func hold(_ code: SyncHold.Code, at submission: Submission) -> SyncHold {
    SyncHold(code, at: submission.id, seconds: options.limits.holdSeconds)
  }

  /// Asks the policy and decides one draft.
  ///
  /// - Parameter scopes: The policy's answers about scopes in this push; nil if it has failed.
  private func outcome(
    of submission: Submission, on ground: ServerGround<State>, by principal: Principal, arrival: Int64,
    _ scopes: inout [UndoScope: Bool?]
  ) async -> Outcome {
    var isGranted: Bool? = true
    if let draft = submission.draft, draft.scope != .never, ground.standing(of: draft.id) == nil {
      if let known = scopes[draft.scope] {
        isGranted = known
      } else {
        isGranted = try? await ask { try await $0.grants(draft.scope, to: principal) }
        scopes[draft.scope] = .some(isGranted)
      }
    }
    // A scope of which the policy has no answer counts as granted up to the rule of the policy, which then fails.
    var decision = Decision(
      submission, by: principal, arrival: arrival, on: ground, isScopeGranted: isGranted ?? true, limits: options.limits)
    if isGranted == nil {
      decision.permission = .failed
    } else if decision.needsPermission {
      // No policy can judge what the app cannot read. The state refuses it.
      guard let record = ground.record else {
        decision.permission = .permitted
        return decision.outcome(afterPermission: true)
      }
      do {
        let (state, changes) = (ground.state, ground.changes(of: record))
        decision.permission = try await ask { try await $0.permit(principal, changes, of: record, in: state, arrival: arrival) }
      } catch {
        decision.permission = .failed
      }
      return decision.outcome(afterPermission: true)
    }
    return decision.outcome()
  }

  /// Asks the policy, which may ignore its cancellation, or never answer.
  private func ask<Value: Sendable>(
    _ question: @escaping @Sendable (any JournalPolicy<State>) async throws -> Value
  ) async throws -> Value {
    do {
      return try await TimedAnswer.to({ [policy] in try await question(policy) }, within: options.policyTime, sleep: options.sleep)
    } catch {
      if !(error is CancellationError) { options.report(.policyFailed(error)) }
      throw error
    }
  }
}

/// The news of a journal, for the streams that follow it.
package struct JournalNews: Sendable {
  /// The end of the journal.
  package let hint: Hint
  /// The head before ``entries``; nil if there are none.
  package var before: Head?
  /// The lines of the entries from there to the end.
  package var entries: [Data] = []

  package init(_ hint: Hint) { self.hint = hint }

  /// The bytes of the entries.
  package var size: Int { entries.reduce(0) { $0 + $1.count } }
}

/// An event of a server that its operator wants to know.
package enum JournalServerEvent: Sendable {
  /// A push was decided, and its verdicts are durable.
  case decided([VerdictLine], SyncHold?)
  /// The outcomes of a push could not be appended, or it is unknown whether they were, and the push is decided again.
  case again(JournalError)
  /// The policy has thrown an error, or has not answered in time. Nothing was decided.
  case policyFailed(any Error)
  /// A snapshot could not be made. Openings take longer.
  case snapshotFailed(any Error)
  /// The state has refused a change that it had taken a moment before: `apply` is not deterministic. The change is held.
  case nondeterministic(EntryID)
}
