import AlterCore
import AlterJournal
import AlterSyncCore
import SyncModel
import Testing

@Suite("The server's decision")
struct DecisionTests {
  /// A journal in which drafts of Ann are decided in order.
  private static func ledger(
    _ drafts: [SyncDraft], window: Int = 100, by principal: Principal = .ann, rules: ModelRules = .all
  ) -> Ledger<Shelf> {
    var ledger = Ledger<Shelf>.new(window: window, rules: rules)
    for draft in drafts { decide(Submission(.draft(draft), after: nil), by: principal, on: &ledger) }
    return ledger
  }

  @discardableResult
  private static func decide(
    _ submission: Submission, by principal: Principal = .ann, on ledger: inout Ledger<Shelf>, policy: ShelfPolicy = ShelfPolicy(),
    limits: SyncLimits = SyncLimits(), rules: ModelRules = .all
  ) -> Outcome {
    let outcome = ledger.outcome(of: submission, by: principal, arrival: 0, policy: policy, limits: limits, rules: rules)
    switch outcome {
    case .accepted(let draft): ledger.append(.draft(draft), by: principal, receipt: nil)
    case .refused(let code, let reason):
      ledger.append(.refused(submission.id, hash: submission.hash, code), by: principal, receipt: nil, reason: reason)
    case .repeated, .unrecorded, .hold: break
    }
    return outcome
  }

  private static func decide(
    _ draft: SyncDraft, after: EntryID? = nil, by principal: Principal = .ann, on ledger: Ledger<Shelf>,
    policy: ShelfPolicy = ShelfPolicy(),
    limits: SyncLimits = SyncLimits(), rules: ModelRules = .all
  ) -> Outcome {
    var ledger = ledger
    return decide(Submission(.draft(draft), after: after), by: principal, on: &ledger, policy: policy, limits: limits, rules: rules)
  }

  private static func code(_ outcome: Outcome) -> RefusalCode? {
    switch outcome {
    case .refused(let code, _), .unrecorded(let code, _): code
    case .repeated, .accepted, .hold: nil
    }
  }

  @Test("accepts a draft that no rule stops")
  func accepted() {
    let draft = SyncDraft(1, 1, .add)
    #expect(Self.decide(draft, on: .new()) == .accepted(draft))
  }

  @Test("repeats the verdict of a decided draft, accepted or refused, whatever has happened since")
  func repeated() {
    let ledger = Self.ledger([SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(1)), SyncDraft(1, 3, .remove(EntryID(7, 7)))])
    #expect(Self.decide(SyncDraft(1, 1, .claim(1)), on: ledger) == .repeated(.accepted(2)))
    #expect(Self.decide(SyncDraft(1, 2, .claim(1)), on: ledger) == .repeated(.refused(.refused, at: 3)))
  }

  @Test("calls other content under a decided id a clone, and records nothing")
  func clone() {
    let ledger = Self.ledger([SyncDraft(1, 1, .claim(1))])
    #expect(Self.decide(SyncDraft(1, 1, .claim(2)), on: ledger) == .unrecorded(.clone, at: 2))
    #expect(Self.decide(SyncDraft(1, 1, .claim(2)), on: ledger, rules: .all.subtracting(.comparesHashes)) == .repeated(.accepted(2)))
  }

  @Test("lets only the first principal of an origin use it, and takes no id away from it")
  func foreign() {
    let ledger = Self.ledger([SyncDraft(1, 1, .claim(1))])
    #expect(Self.decide(SyncDraft(1, 2, .claim(2)), by: .bob, on: ledger) == .unrecorded(.foreign, at: nil))
    // Even a decided draft is not repeated to another principal.
    #expect(Self.decide(SyncDraft(1, 1, .claim(1)), by: .bob, on: ledger) == .unrecorded(.foreign, at: nil))
    // A foreign draft stops only itself.
    #expect(Self.code(Self.decide(SyncDraft(2, 1, .claim(2)), after: EntryID(1, 2), by: .bob, on: ledger)) == nil)
  }

  @Test("decides a draft only after the one before it in its outbox, of any origin")
  func order() {
    let ledger = Self.ledger([SyncDraft(1, 1, .claim(1))])
    #expect(Self.decide(SyncDraft(2, 1, .claim(2)), after: EntryID(3, 1), on: ledger) == .hold(.order))
    #expect(Self.decide(SyncDraft(2, 1, .claim(2)), after: EntryID(1, 1), on: ledger) == .accepted(SyncDraft(2, 1, .claim(2))))
  }

  @Test("takes the sequences of an origin with gaps, and only upwards")
  func sequence() {
    let ledger = Self.ledger([SyncDraft(1, 5, .claim(1))])
    #expect(Self.code(Self.decide(SyncDraft(1, 9, .claim(2)), on: ledger)) == nil)
    #expect(Self.code(Self.decide(SyncDraft(1, 3, .claim(2)), on: ledger)) == .late)
  }

  @Test("gives a draft that is too large, or cannot be decoded, its verdict")
  func form() {
    var limits = SyncLimits()
    limits.bytesPerDraft = 8
    let large = SyncDraft(1, 1, .note(9))
    #expect(Self.code(Self.decide(large, on: .new(), limits: limits)) == .tooLarge)
    var ledger = Ledger<Shelf>.new()
    let oversized = Submission(.oversized(large.id, size: 9, hash: large.hash), after: nil)
    #expect(Self.code(Self.decide(oversized, on: &ledger)) == .tooLarge)
    // The same draft in whole is the same draft.
    #expect(Self.decide(large, on: ledger) == .repeated(.refused(.tooLarge, at: 2)))
    #expect(Self.code(Self.decide(Submission(.malformed(EntryID(1, 2), hash: large.hash), after: nil), on: &ledger)) == .malformed)
    #expect(Self.code(Self.decide(SyncDraft(1, 3, .nonsense), on: ledger)) == .malformed)
  }

  @Test("refuses other kinds of entries")
  func kind() {
    for kind in [Entry.Kind.initial, .reset] {
      #expect(Self.code(Self.decide(SyncDraft(1, 1, .other(kind, ShelfChange.add.payload)), on: .new())) == .kind)
    }
  }

  @Test("refuses a scope that the policy does not grant")
  func scope() {
    #expect(Self.code(Self.decide(SyncDraft(1, 1, .add, scope: "other"), on: .new())) == .scope)
    #expect(Self.code(Self.decide(SyncDraft(1, 1, .add, scope: "own"), on: .new())) == nil)
  }

  @Test("holds a newer schema until the operator enables it")
  func schema() {
    var ledger = Ledger<Shelf>.new()
    #expect(Self.decide(SyncDraft(1, 1, .add, schema: 2), on: ledger) == .hold(.schema))
    ledger.schema = 2
    #expect(Self.code(Self.decide(SyncDraft(1, 1, .add, schema: 2), on: ledger)) == nil)
  }

  @Test("refuses a draft whose requirement was refused or is absent, and takes a retried requirement")
  func requirement() {
    var ledger = Self.ledger([SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(1))])
    #expect(Self.code(Self.decide(SyncDraft(1, 3, .add, requires: EntryID(1, 1)), on: ledger)) == nil)
    #expect(Self.code(Self.decide(SyncDraft(1, 3, .add, requires: EntryID(1, 2)), on: ledger)) == .requirement)
    #expect(Self.code(Self.decide(SyncDraft(1, 3, .add, requires: EntryID(4, 4)), on: ledger)) == .requirement)
    Self.decide(Submission(.draft(SyncDraft(1, 3, .undo(EntryID(1, 1)))), after: nil), on: &ledger)
    Self.decide(Submission(.draft(SyncDraft(1, 2, .claim(1)).retried(as: EntryID(1, 4))), after: nil), on: &ledger)
    #expect(Self.code(Self.decide(SyncDraft(1, 5, .add, requires: EntryID(1, 2)), on: ledger)) == nil)
  }

  @Test("accepts one attempt of a change at most, with the stamp of the first")
  func attempts() throws {
    var ledger = Self.ledger([SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(1)), SyncDraft(1, 3, .undo(EntryID(1, 1)))])
    let retry = SyncDraft(1, 2, .claim(1)).retried(as: EntryID(1, 4))
    #expect(retry.stamp == SyncDraft(1, 2, .claim(1)).stamp)
    // A retry of a retry names the first attempt.
    #expect(retry.retried(as: EntryID(1, 9)).retries == EntryID(1, 2))
    #expect(Self.code(Self.decide(retry, by: .bob, on: ledger)) == .foreign)
    #expect(Self.code(Self.decide(SyncDraft(1, 2, .claim(1)).retried(as: EntryID(2, 1)), by: .bob, on: ledger)) == .retries)
    Self.decide(Submission(.draft(retry), after: nil), on: &ledger)
    #expect(ledger.isAccepted(EntryID(1, 2)))
    // A copy of the file repeats the same change.
    #expect(Self.code(Self.decide(SyncDraft(1, 2, .claim(1)).retried(as: EntryID(2, 1)), on: ledger)) == .retried)
  }

  @Test("undoes the named entry, and never another one")
  func undo() {
    let ledger = Self.ledger([
      SyncDraft(1, 1, .add), SyncDraft(2, 1, .mark(EntryID(1, 1)), answers: EntryID(1, 1)), SyncDraft(3, 1, .claim(1)),
      SyncDraft(3, 2, .claim(1)),
      SyncDraft(3, 3, .mark(EntryID(1, 1))),
    ])
    // Another user's mark would be refused without the item.
    #expect(Self.code(Self.decide(SyncDraft(1, 2, .undo(EntryID(1, 1))), on: ledger)) == .suppresses)
    #expect(Self.code(Self.decide(SyncDraft(1, 2, .undo(EntryID(3, 1))), on: ledger)) == nil)
    #expect(Self.code(Self.decide(SyncDraft(1, 2, .undo(EntryID(3, 2))), on: ledger)) == .moot)
    #expect(Self.code(Self.decide(SyncDraft(1, 2, .undo(EntryID(3, 9))), on: ledger)) == .outsideWindow)
    #expect(Self.code(Self.decide(SyncDraft(1, 2, .undo(EntryID(3, 1)), scope: "own"), on: ledger)) == .scope)
    #expect(Self.code(Self.decide(SyncDraft(1, 2, .redo(EntryID(3, 1))), on: ledger)) == .kind)
  }

  @Test("undoes no entry whose acting request was performed, and no answer of a feedback")
  func performed() {
    let (request, retry) = (SyncDraft(1, 2, .claim(1)), SyncDraft(1, 2, .claim(1)).retried(as: EntryID(1, 4)))
    let answer = SyncDraft(
      id: EntryID(9, 1), time: 0, content: SyncDraft(9, 1, .claim(2)).content,
      cause: Cause(feedback: "charge", request: request.id.requestText)
    )
    var ledger = Self.ledger([SyncDraft(1, 1, .claim(1)), request, SyncDraft(1, 3, .undo(EntryID(1, 1))), retry])
    let undo = SyncDraft(1, 5, .undo(retry.id))
    #expect(Self.code(Self.decide(undo, on: ledger)) == nil)
    // A device cannot forge an answer.
    #expect(Self.code(Self.decide(answer, on: ledger)) == .malformed)
    // The retry has the stamp of the first attempt, which is in the request's id.
    Self.decide(Submission(.draft(answer), after: nil), by: .server, on: &ledger)
    #expect(Self.code(Self.decide(undo, on: ledger)) == .performed)
    #expect(Self.code(Self.decide(SyncDraft(1, 5, .undo(answer.id)), on: ledger)) == .kind)
    #expect(Self.code(Self.decide(SyncDraft(1, 5, .redo(EntryID(1, 3))), on: ledger)) == .suppresses)
  }

  @Test("undoes the answers with the entry by rule, also those that the undoing device has not seen")
  func answers() {
    var ledger = Self.ledger([SyncDraft(1, 1, .add), SyncDraft(2, 1, .mark(EntryID(1, 1)), answers: EntryID(1, 1))])
    #expect(Self.code(Self.decide(Submission(.draft(SyncDraft(1, 2, .undo(EntryID(1, 1)))), after: nil), on: &ledger)) == nil)
    #expect(ledger.timeline.inactive == [EntryID(1, 1), EntryID(2, 1)])
    #expect(Self.code(Self.decide(SyncDraft(1, 3, .undo(EntryID(1, 1))), on: ledger)) == .superseded)
    Self.decide(Submission(.draft(SyncDraft(1, 3, .redo(EntryID(1, 2)))), after: nil), on: &ledger)
    // The answer stays undone: the request is there again.
    #expect(ledger.timeline.inactive == [EntryID(1, 2), EntryID(2, 1)])
    #expect(Self.code(Self.decide(SyncDraft(1, 4, .redo(EntryID(1, 2))), on: ledger)) == .superseded)
  }

  @Test("counts accepted entries alone for the undo window")
  func window() {
    let claims = [SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(1)), SyncDraft(1, 3, .claim(1)), SyncDraft(1, 4, .claim(2))]
    let ledger = Self.ledger(claims, window: 2)
    #expect(Self.code(Self.decide(SyncDraft(1, 5, .undo(EntryID(1, 1))), on: ledger)) == nil)
    let counting = Self.ledger(claims, window: 2, rules: .all.subtracting(.windowSkipsRefusals))
    #expect(Self.code(Self.decide(SyncDraft(1, 5, .undo(EntryID(1, 1))), on: counting)) == .outsideWindow)
    let older = Self.ledger(claims + [SyncDraft(1, 5, .claim(3))], window: 2)
    #expect(Self.code(Self.decide(SyncDraft(1, 6, .undo(EntryID(1, 1))), on: older)) == .outsideWindow)
  }

  @Test("asks the policy, and waits while it fails")
  func policy() {
    var policy = ShelfPolicy()
    #expect(Self.code(Self.decide(SyncDraft(1, 1, .claim(99)), on: .new(), policy: policy)) == .denied)
    policy.isDown = true
    #expect(Self.decide(SyncDraft(1, 1, .claim(1)), on: .new(), policy: policy) == .hold(.policy))
    #expect(
      Self.code(Self.decide(SyncDraft(1, 1, .claim(1)), on: .new(), policy: policy, rules: .all.subtracting(.holdsFailingPolicy)))
        == .denied)
  }

  @Test("asks its rules in the documented order")
  func ruleOrder() {
    let ledger = Self.ledger([SyncDraft(1, 1, .claim(1))])
    var policy = ShelfPolicy()
    policy.isDown = true
    // A repeated draft is answered although the policy is down.
    #expect(Self.decide(SyncDraft(1, 1, .claim(1)), on: ledger, policy: policy) == .repeated(.accepted(2)))
    // A draft of a newer schema is held before anything is said about its content.
    #expect(Self.decide(SyncDraft(1, 2, .nonsense, schema: 7), on: ledger, policy: policy) == .hold(.schema))
    // The order comes before a refusal: otherwise a late answer would overtake.
    #expect(Self.decide(SyncDraft(1, 2, .nonsense), after: EntryID(8, 8), on: ledger) == .hold(.order))
    #expect(Decision<Ledger<Shelf>>.Rule.allCases.count == 13)
  }

  @Test("keeps verdicts and origins when entries are compacted")
  func compaction() {
    var ledger = Self.ledger(
      [SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(1)), SyncDraft(1, 3, .claim(2)), SyncDraft(2, 1, .claim(3))], window: 1)
    let state = ledger.timeline.state
    let head = ledger.head
    let isCompacted = ledger.compact(to: 4)
    #expect(isCompacted)
    #expect((ledger.timeline.state, ledger.head, ledger.floor.head.revision, ledger.entries.count) == (state, head, 4, 1))
    #expect(ledger.position(of: nil) == .belowFloor)
    #expect(ledger.position(of: head) == .known)
    #expect(Self.decide(SyncDraft(1, 2, .claim(1)), on: ledger) == .repeated(.refused(.refused, at: 3)))
    #expect(Self.code(Self.decide(SyncDraft(1, 4, .undo(EntryID(1, 3))), on: ledger)) == .outsideWindow)
    #expect(Self.decide(SyncDraft(1, 4, .add), by: .bob, on: ledger) == .unrecorded(.foreign, at: nil))
  }

  @Test("does not compact an entry that a remaining undo names")
  func compactionBelowUndo() {
    var ledger = Self.ledger([SyncDraft(1, 1, .claim(1)), SyncDraft(1, 2, .claim(2)), SyncDraft(1, 3, .undo(EntryID(1, 1)))], window: 2)
    let refused = ledger.compact(to: 2)
    #expect(!refused)
    #expect(ledger.floor.head.revision == .zero)
  }

  @Test("lets two processes decide the same drafts once")
  func twoProcesses() throws {
    var database = Ledger<Shelf>.new()
    var processes = [ServerProcess(database, limits: SyncLimits()), ServerProcess(database, limits: SyncLimits())]
    let drafts = (1...3).map { SyncDraft(1, $0, .claim(UInt8($0))) }
    let submissions = drafts.enumerated().map { Submission(.draft($1), after: $0 > 0 ? drafts[$0 - 1].id : nil) }
    let request = Request(.push(submissions), position: nil, principal: .ann)
    for index in processes.indices {
      let answer = processes[index].begin(request, token: .ann, arrival: 0, policy: ShelfPolicy(), database: database)
      #expect(answer == nil)
    }
    var pages: [Page] = []
    for index in processes.indices {
      var answer = processes[index].commit(to: &database, policy: ShelfPolicy())
      if answer == nil { answer = processes[index].commit(to: &database, policy: ShelfPolicy()) }
      if case .page(let page) = answer { pages.append(page) }
    }
    #expect(pages.count == 2)
    #expect(pages[0].lines == pages[1].lines)
    #expect(pages[0].lines.map(\.verdict) == [.accepted(2), .accepted(3), .accepted(4)])
    #expect(database.head.revision == 4)
  }
}
