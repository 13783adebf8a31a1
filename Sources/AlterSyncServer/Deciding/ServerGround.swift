import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore

/// A served journal at one position, on which drafts are decided one after the other: the journal's facts about them, and its fold. A pure
/// value.
struct ServerGround<State: Journaled>: Sendable {
  /// The name of the journal, for errors.
  private let name: String
  private var facts: ServerFacts
  /// The fold before ``run``; nil after ``finish()``.
  private var history: History<State>?
  /// The accepted changes that are not in ``history``. Most pushes are folded into the server's own history when they are appended: a history
  /// that is changed here is copied first, with all its records.
  private var run: [Record<State>] = []
  /// The state at ``head``.
  private(set) var state: State
  /// Whether ``history`` has changed since the ground was created.
  private var isChanged = false
  /// The head after the decided drafts.
  private(set) var head: Head
  /// The outcomes to append, in order.
  private(set) var decided: [DecidedDraft] = []
  /// The entries of ``decided``; fewer if one cannot be read, which reading the journal reports.
  private(set) var entries: [SyncEntry] = []
  /// The number of refusals among ``decided``.
  private(set) var refused = 0
  /// The draft that is being decided, in the types of the state; nil if it cannot be read.
  private(set) var record: Record<State>?

  /// Creates the ground at a position.
  ///
  /// - Parameters:
  ///   - facts: The answers to ``questions(about:)``.
  ///   - history: The fold at the head of the position.
  ///   - name: The name of the journal.
  init(_ facts: ServerFacts, _ history: History<State>, name: String) {
    (self.facts, self.history, self.name, state) = (facts, history, name, history.state)
    head = facts.position.head
  }

  /// Returns all that decisions about some drafts ask a journal.
  static func questions(about submissions: some Sequence<Submission>) -> ServerQuestions {
    var questions = ServerQuestions()
    for submission in submissions {
      questions.ids.insert(submission.id)
      questions.origins.insert(submission.id.origin)
      if let after = submission.after {
        questions.ids.insert(after)
        questions.origins.insert(after.origin)
      }
      guard let draft = submission.draft else { continue }
      if let target = draft.target { questions.ids.insert(target) }
      if let first = draft.retries { questions.origins.insert(first.origin) }
      // An accepted change is found by its id, or by its first attempt.
      for id in [draft.family, draft.requires].compactMap({ $0 }) {
        questions.ids.insert(id)
        questions.families.insert(id)
      }
    }
    return questions
  }

  /// Reads the draft to decide next. A draft that the app cannot read has no ``record``: the state refuses it as malformed.
  mutating func read(_ submission: Submission) {
    record = nil
    guard let draft = submission.draft, draft.schema <= schema else { return }
    if case .other = draft.content { return }
    record = try? Record<State>.decoding(Entry(draft.stored, receipt: nil, after: head), in: name)
  }

  /// Adds the draft that was read last as an entry.
  ///
  /// - Throws: ``Obstacle`` if the state refuses it, which the decision has excluded; then nothing has changed.
  mutating func accept(_ draft: SyncDraft, by principal: Principal, _ receipt: Receipt) throws(Obstacle) {
    guard let record else { throw Obstacle(.malformed, "it cannot be decoded") }
    try apply(record)
    let entry = append(draft.stored, by: principal, receipt, retries: draft.retries, standing: (draft.hash, nil))
    entries.append(SyncEntry(draft, stored: entry))
    facts.attempts[draft.family] = draft.id
    if let first = draft.retries { bind(first.origin, to: principal, using: 0) }
  }

  /// Adds a refusal as an entry.
  mutating func refuse(
    _ submission: Submission, _ code: RefusalCode, reason: String, by principal: Principal, _ receipt: Receipt
  ) {
    let refusal = Entry.Draft(
      refusing: submission.id, Entry.Refusal(code: code.rawValue, hash: submission.hash), time: receipt.arrival)
    let entry = append(refusal, by: principal, receipt, reason: Self.shortened(reason), standing: (submission.hash, code))
    if let entry = try? SyncEntry(entry) { entries.append(entry) }
    refused += 1
  }

  /// The first 1,000 characters of a reason: an error of the app may quote a whole payload, and reasons come with every page.
  private static func shortened(_ reason: String) -> String {
    let limit = 1_000
    return reason.count <= limit ? reason : reason.prefix(limit) + "…"
  }

  private mutating func append(
    _ draft: Entry.Draft, by principal: Principal, _ receipt: Receipt, retries: EntryID? = nil, reason: String? = nil,
    standing: (hash: Checksum, code: RefusalCode?)
  ) -> Entry {
    let entry = Entry(draft, receipt: receipt, after: head)
    head = head.advanced(by: entry)
    decided.append(DecidedDraft(draft, receipt: receipt, principal: principal.name, retries: retries, reason: reason))
    facts.standings[draft.id] = DecidedStanding(hash: standing.hash, code: standing.code?.rawValue, revision: head.revision)
    bind(draft.id.origin, to: principal, using: draft.id.sequence)
    return entry
  }

  private mutating func bind(_ origin: Origin, to principal: Principal, using sequence: Int64) {
    let known = facts.origins[origin] ?? OriginStanding(principal: principal.name, last: 0)
    facts.origins[origin] = known.used(by: principal.name, upTo: sequence)
  }

  /// Folds in a record, unless the state or the rules of undo refuse it. Then nothing changes.
  private mutating func apply(_ record: Record<State>) throws(Obstacle) {
    if record.targets.isEmpty {
      state = try stateAfter(record)
      run.append(record)
      // Among so many, the history keeps a state.
      if run.count >= History<State>.spacing { take(present) }
    } else {
      var present = present
      do throws(UndoObstacle) { _ = try present?.takeFixed(record) } catch { throw Obstacle(error) }
      take(present)
    }
  }

  /// Continues with a fold that has all accepted changes.
  private mutating func take(_ present: History<State>?) {
    guard let present else { return }
    (history, state, run, isChanged) = (present, present.state, [], true)
  }

  /// The fold at ``head``, or after the record that was added last.
  private var present: History<State>? {
    guard var history else { return nil }
    if !run.isEmpty { history.promote(run, to: state) }
    history.skip(to: head.revision)
    return history
  }

  /// The changes that a record makes, reverts, or makes again.
  func changes(of record: Record<State>) -> [State.Change] {
    if case .changes(let changes) = record.kind { return changes }
    return present?.changes(concernedBy: record) ?? []
  }

  /// The state after a change.
  private func stateAfter(_ record: Record<State>) throws(Obstacle) -> State {
    var trial = state
    do throws(State.Failure) { try trial.apply(record.content, indices: record.indices, at: record.stamp) } catch {
      throw Obstacle(.refused, "\(error)")
    }
    return trial
  }

  /// The way from the fold that the ground was created with to ``head``.
  enum Continuation {
    /// Changes, and the state after them.
    case changes([Record<State>], State)
    /// The whole fold, because its history has changed.
    case history(History<State>)
  }

  /// Ends the decisions. The ground then no longer refers to the fold that it was created with, so that this can be changed in place.
  mutating func finish() -> Continuation {
    defer { history = nil }
    guard isChanged, let present else { return .changes(run, state) }
    return .history(present)
  }
}

extension Obstacle {
  /// The code and the reason of an impossible undo or redo.
  fileprivate init(_ obstacle: UndoObstacle) {
    switch obstacle {
    case .absent: self.init(.outsideWindow, "the entry is not in the undo window")
    case .kind: self.init(.kind, "an undo is about a change that may be undone, and a redo about an undo")
    case .scope: self.init(.scope, "the entry has another undo scope")
    case .outsideWindow: self.init(.outsideWindow, "the entry is older than the undo window")
    case .inactive: self.init(.superseded, "another undo has reverted the entry")
    case .suppresses(let revisions): self.init(.suppresses, "it would make the state refuse \(revisions.count) other entries")
    case .performed(let feedback, let revision):
      self.init(.performed, "the feedback '\(feedback)' has performed its request (revision \(revision))")
    }
  }
}

extension ServerGround: DecisionGround {
  /// The newest schema that the operator has enabled, and that this version of the app can read.
  var schema: Int { min(facts.position.schema, State.schema.version) }

  func standing(of id: EntryID) -> Standing? { facts.standings[id].map { Standing($0) } }

  func standing(of origin: Origin) -> OriginStanding? { facts.origins[origin] }

  func notedAttempt(of family: EntryID) -> EntryID? { facts.attempts[family] }

  func obstacle(to draft: SyncDraft) -> Obstacle? {
    guard let record else { return Obstacle(.malformed, "it cannot be decoded") }
    // A fold from before a compaction still has the entry; one of another process begins after it.
    if let target = draft.target, let known = facts.standings[target], known.revision <= facts.position.floor.revision {
      return known.code == nil
        ? Obstacle(.outsideWindow, "the journal was compacted, and no longer has the entry") : Obstacle(.moot, "the change was refused")
    }
    do throws(Obstacle) {
      if record.targets.isEmpty {
        _ = try stateAfter(record)
      } else {
        var trial = present
        do throws(UndoObstacle) { _ = try trial?.takeFixed(record) } catch { throw Obstacle(error) }
      }
      return nil
    } catch {
      guard let target = draft.target, error.code == .outsideWindow, isRefused(target) else { return error }
      return Obstacle(.moot, "the change was refused")
    }
  }
}
