import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore

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
/// The pushes of one server are decided one after the other. Reads do not wait for them.
package actor JournalServer<State: Journaled> {
  /// The settings of a server.
  package struct Options: Sendable {
    /// The limits of requests and answers.
    package var limits = SyncLimits()
    /// The undo window of the journal, in entries. All servers of a journal, and the stores of its devices, must have the same one.
    package var undoWindow = StoreOptions().undoWindow
    /// The minimum number of entries between two snapshots; `.max` for none.
    package var snapshotSpacing = StoreOptions().snapshotSpacing
    /// The treatment of an accepted entry that the state refuses when the journal is folded again.
    package var refusedAtReplay = RefusedAtReplay.fail
    /// The number of times that a push is decided before it is answered by `busy`: other servers were faster each time.
    package var attempts = 32
    /// The time after which a push decides no further draft: those decided are appended and answered, and the device sends the rest again.
    package var pushTime: Duration = .seconds(5)
    /// The time after which the policy has failed to answer a question.
    package var policyTime: Duration = .seconds(5)
    /// The wait for ``policyTime``.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
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
  /// The places at which new mirrors begin, and those at which present ones have begun.
  var starts = MirrorStartChecks()

  /// Creates a server of a journal.
  ///
  /// - Parameters:
  ///   - journal: The journal. `serve` has made a server its writer.
  ///   - policy: The app's rules.
  ///   - options: The settings.
  package init(_ journal: any ServerJournal, policy: any JournalPolicy<State>, options: Options) {
    (self.journal, self.policy, self.options) = (journal, policy, options)
    turns = TurnQueue(journal: journal.name)
    budget = RefusalBudget(limit: options.limits.refusals)
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
  ) async throws(JournalError) -> Answer<StateBytes> {
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
  ) async throws(JournalError) -> Answer<StateBytes> {
    switch request.body {
    case .fetch(let ids): return .snapshot(try await fetch(ids, for: request))
    case .pull:
      let position = try await journal.position()
      if let problem = try await problem(with: request, at: position) { return problem }
      return .page(try await page(for: request, by: principal, at: position))
    case .push(let submissions): return try await push(submissions, for: request, by: principal, arrival: arrival)
    }
  }

  /// The present end of the journal, as streams announce it.
  package func hint() async throws(JournalError) -> Hint {
    let position = try await journal.position()
    return Hint(position.lineage.generation, position.head)
  }

  /// Waits until the journal has an entry after a revision.
  package func waitForEntry(after revision: Revision) async throws(JournalError) { try await journal.waitForEntry(after: revision) }

  /// Waits for the pushes that have begun or wait, and for a snapshot that is being made; later ones throw `closed`. The journal remains open.
  package func close() async {
    // In a task of its own, because a task that shuts down may be cancelled.
    let turn = await Task { [turns] in try? await turns.take() }.value
    turns.close()
    turn?.end()
    await snapshot?.value
  }

  // MARK: - Pushes

  private func push(
    _ submissions: [Submission], for request: Request, by principal: Principal, arrival: Int64
  ) async throws(JournalError) -> Answer<StateBytes> {
    let turn = try await turns.take()
    defer { turn.end() }
    var submissions = submissions.prefix(options.limits.draftsPerPush)
    for _ in 0..<options.attempts {
      let questions = ServerGround<State>.questions(about: submissions)
      let facts = try await journal.facts(about: questions)
      if let problem = try await problem(with: request, at: facts.position) { return problem }
      guard let folded = try await fold(to: facts.position.head) else { continue }
      var ground = ServerGround(facts, folded.history, name: journal.name)
      let (lines, hold) = await decide(submissions, on: &ground, by: principal, arrival: arrival)
      var position = facts.position
      if !ground.decided.isEmpty {
        do throws(JournalError) {
          try await append(ground.decided, at: position)
        } catch {
          guard error.code == .conflict || error.code == .unknownOutcome else { throw error }
          // A shorter push is decided sooner, so a faster server cannot be first each time. The device sends the rest again.
          options.report(.again(error))
          if error.code == .conflict { submissions = submissions.prefix(max(1, submissions.count / 2)) }
          continue
        }
        position = ServerPosition(head: ground.head, lineage: position.lineage, floor: position.floor, schema: position.schema)
        adopt(ground, by: principal)
      }
      var page = try await page(for: request, by: principal, at: position)
      (page.lines, page.hold) = (lines, hold)
      options.report(.decided(lines, hold))
      return .page(page)
    }
    return .busy(1)
  }

  /// Appends the outcomes, even if the client has gone: otherwise a push that takes longer than the client waits is never decided.
  private func append(_ decided: [DecidedDraft], at position: ServerPosition) async throws(JournalError) {
    let journal = journal
    let result = await Task { () async -> Result<Appended, JournalError> in
      do throws(JournalError) { return .success(try await journal.append(decided, at: position)) } catch { return .failure(error) }
    }.value
    _ = try result.get()
  }

  /// Folds the journal to a head; nil if its end is another one meanwhile.
  private func fold(to head: Head) async throws(JournalError) -> FoldedJournal<State>? {
    // Takes the kept fold: with two references, each change would copy the state.
    var next = try await folded.take()?.followed(to: head) ?? nil
    if next == nil {
      next = try await FoldedJournal(
        journal, window: options.undoWindow, spacing: options.snapshotSpacing, refused: options.refusedAtReplay,
        removesUseless: options.snapshotSpacing < .max)
    }
    folded = next
    return next?.head == head ? next : nil
  }

  private func adopt(_ ground: ServerGround<State>, by principal: Principal) {
    budget.spend(ground.decided.count { $0.draft.kind == .refused }, of: principal)
    folded?.adopt(ground.history, at: ground.head, appended: ground.decided.map(\.draft))
    guard snapshot == nil, let due = folded?.dueSnapshot else { return }
    snapshot = Task {
      let (counted, failure) = await due.keep()
      if let failure { options.report(.snapshotFailed(failure)) }
      folded?.adopt(counted)
      snapshot = nil
    }
  }

  private func decide(
    _ submissions: ArraySlice<Submission>, on ground: inout ServerGround<State>, by principal: Principal, arrival: Int64
  ) async -> (lines: [VerdictLine], hold: Hold?) {
    let receipt = Receipt(author: principal.pseudonym(key: options.secret), arrival: arrival)
    var rest = budget.rest(of: principal, at: arrival)
    var scopes: [UndoScope: Bool?] = [:]
    var lines: [VerdictLine] = []
    let start = ContinuousClock.now
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

  private func hold(_ code: Hold.Code, at submission: Submission) -> Hold {
    Hold(code, at: submission.id, seconds: options.limits.holdSeconds)
  }

  /// Asks the policy and decides one draft.
  ///
  /// - Parameter scopes: The policy's answers about scopes in this push; nil if it has failed.
  private func outcome(
    of submission: Submission, on ground: ServerGround<State>, by principal: Principal, arrival: Int64,
    _ scopes: inout [UndoScope: Bool?]
  ) async -> Outcome {
    var isGranted: Bool? = true
    if let draft = submission.draft, ground.standing(of: draft.id) == nil {
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
        return decision.outcome()
      }
      do {
        let state = ground.history.state
        decision.permission = try await ask { try await $0.permit(principal, record, in: state, arrival: arrival) }
      } catch {
        decision.permission = .failed
      }
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

/// An event of a server that its operator wants to know.
package enum JournalServerEvent: Sendable {
  /// A push was decided, and its verdicts are durable.
  case decided([VerdictLine], Hold?)
  /// The outcomes of a push could not be appended, or it is unknown whether they were, and the push is decided again.
  case again(JournalError)
  /// The policy has thrown an error, or has not answered in time. Nothing was decided.
  case policyFailed(any Error)
  /// A snapshot could not be made. Openings take longer.
  case snapshotFailed(any Error)
  /// The state has refused a change that it had taken a moment before: `apply` is not deterministic. The change is held.
  case nondeterministic(EntryID)
}
