import AlterCore
import AlterJournal

// A replica of a synced journal. Its confirmed side is the fold of a mirror, and a part of its pending work is in the outbox of the device:
//
//   history │ accepted, beyond an outdated fold │ in the outbox, any origin │ unwritten, own origin
//           └───────────────────── pending ────────────────────────────────────────────────────────
//
// The server alone decides what becomes of the outbox. Work that the visible state refuses is hidden, and stays where it is.

/// The part of the pending work that an outbox has.
@usableFromInline
struct OutboxOrder: Sendable {
  /// The places of that work, by id: see `Replica.gone`.
  var places: [EntryID: Int] = [:]
  /// The number of pieces at the front that the outbox has, or that the server has accepted beyond an outdated fold.
  @usableFromInline var queued = 0
  /// The number of pieces at the front that the server has accepted, where the fold has stopped at an entry of a newer schema.
  var accepted = 0
}

extension Replica {
  /// Creates a replica of a synced journal. Its confirmed side is the initial state of the app, at revision 0, until the first news.
  package init(
    synced initial: State, window: Int, origin: Origin, scope: UndoScope, limit: Int, flightLimit: Int = 2_500
  ) {
    self.init(
      History(initial, at: .zero, window: window), head: nil, origin: origin, scope: scope, limit: limit, flightLimit: flightLimit)
    outbox = OutboxOrder()
  }

  /// The work that the server has not decided, in order, and whether the visible state refuses it.
  package var undecided: [(record: Record<State>, isHidden: Bool)] {
    pending.dropFirst(outbox?.accepted ?? 0).map { ($0.record, $0.isHidden) }
  }

  /// The unwritten work to put into the outbox next, with what it requires: at most ``flightLimit`` pieces, all of this replica's origin.
  package func unqueued() -> [MirrorNews<State>.Entering] {
    pending.dropFirst(outbox?.queued ?? 0).prefix(flightLimit).map { MirrorNews.Entering($0.record, requires: $0.requirement) }
  }

  /// Whether work is pending that the outbox does not have.
  package func isUnwritten(_ id: EntryID) -> Bool { index(of: id).map { $0 >= unwrittenStart } ?? false }

  /// Makes a refused change again, under a fresh id.
  ///
  /// - Parameters:
  ///   - refused: The change.
  ///   - requirement: The work that it requires.
  ///   - keepsStamp: Whether it has the stamp of its first attempt, so that it makes the same ids.
  /// - Returns: The new record, pending.
  /// - Throws: ``CommitError`` `dropped` or `undo` if the present state refuses it; then nothing has changed.
  package mutating func retry(
    _ refused: Record<State>, requires requirement: EntryID?, keepsStamp: Bool
  ) throws(CommitError<State.Failure>) -> Record<State> {
    var tentative = foldedPending()
    let id = EntryID(origin: origin, sequence: sequence + 1)
    let extra = RecordExtra(cause: refused.cause, indices: refused.indices, retries: keepsStamp ? refused.family : nil)
    (working, folded) = (nil, nil)  // the only references are the local ones now: the change is made in place
    defer { if !pending.isEmpty { (working, folded) = (tentative.state, (end, tentative)) } }
    let record = try tentative.attemptFixed(
      Record(
        revision: tentative.revision.next, id: id, time: refused.time, scope: refused.scope, content: refused.content, extra: extra))
    pending.append(Pending(record: record, requirement: requirement))
    sequence = id.sequence
    return record
  }

  /// Absorbs news of the device's file. ``rebase(into:)`` must follow the last ones.
  ///
  /// If the new entries are the first drafts of the outbox, in order and accepted, they are folded in, and the rest of the pending work keeps its
  /// state. Anything else makes the rest stale.
  ///
  /// - Throws: ``Obstacle`` `reachesBeyond`; then nothing has changed. Absorb the whole mirror, with its ground, instead.
  /// - Complexity: that of folding the entries; O(pending work) if a draft leaves or enters the middle.
  package mutating func absorb(_ news: MirrorNews<State>, wantsSteps: Bool, into report: inout Report) throws(Obstacle) {
    let known = news.ground?.revision ?? history.revision
    try fold(news, wantsSteps: wantsSteps, into: &report)
    if let head = news.head { self.head = head }
    if news.ground != nil || !news.steps.isEmpty { events += 1 }
    if news.ground != nil {
      (isStale, hasNewGround) = (true, true)
      leaveAccepted()
    }
    leave(verdicts(of: news, after: known), into: &report)
    keepBeyond(news, into: &report)
    enter(news.entering[...], into: &report)
    if pending.isEmpty { (working, remade, folded, landmarks, isStale) = (nil, nil, nil, [], false) }
  }

  /// Folds in the entries.
  private mutating func fold(_ news: MirrorNews<State>, wantsSteps: Bool, into report: inout Report) throws(Obstacle) {
    // Keep everything while a whole mirror is folded: an undo may reach back as far as the mirror does.
    var history = news.ground.map { History($0.state, at: $0.revision, window: .max) } ?? history
    // The steps that observers have seen.
    var told = history.revision
    if let ground = news.ground {
      if ground.reason == .refold {
        told = self.history.revision
      } else {
        report.start = (ground.reason, ground.revision, ground.state)
        report.steps = []
      }
    }
    var steps: [Step] = []
    var refusals: [(revision: Revision, failure: State.Failure)] = []
    for step in news.steps {
      switch step {
      case .accepted(let record) where record.revision > history.revision:
        let record = history.completed(record)
        var outcome = history.append(record)
        if case .reachesBeyond(let ids) = outcome {
          guard news.ground != nil else { throw .reachesBeyond(ids) }
          outcome = history.append(record, ignoring: ids)
        }
        guard record.revision > told else { continue }
        if case .suppressed(let failure) = outcome { refusals.append((record.revision, failure)) }
        if wantsSteps { steps.append((record, history.state)) }
      case .refused(_, _, let revision) where revision > history.revision: history.skip(to: revision)
      case .accepted, .refused, .acceptedBeyond, .refusedBeyond: break
      }
    }
    if let ground = news.ground { history.narrow(to: ground.window) }
    self.history = history
    report.steps += steps
    report.refusals += refusals
  }

  /// The verdicts about pending work that new entries and the file tell.
  private struct Verdicts {
    var outcomes: [EntryID: Result<Revision, CommitError<State.Failure>>] = [:]
    /// The number of pieces at the front of the pending work that they decide as the visible state expects, in order.
    var covered = 0
    /// Whether they are those pieces and nothing else has changed, so that the rest keeps its state.
    var isOnTop = true
  }

  private func verdicts(of news: MirrorNews<State>, after known: Revision) -> Verdicts {
    var verdicts = Verdicts()
    for step in news.steps {
      let (id, outcome): (EntryID, Result<Revision, CommitError<State.Failure>>)
      switch step {
      case .accepted(let record) where record.revision > known: (id, outcome) = (record.id, .success(record.revision))
      case .refused(let refused, let code, let revision) where revision > known:
        // The refusal of another device's draft changes nothing.
        guard index(of: refused).map({ $0 < unwrittenStart }) == true else { continue }
        (id, outcome) = (refused, .failure(.refused(code: code)))
      case .accepted, .refused, .acceptedBeyond, .refusedBeyond: continue
      }
      // Another writer may have a clone of this origin: then the entry's id is that of other work, or of work that was never sent.
      guard news.decided[id] == nil, let index = index(of: id), index < unwrittenStart else {
        verdicts.isOnTop = false
        continue
      }
      verdicts.outcomes[id] = outcome
      let isExpected = if case .success = outcome { !pending[index].isHidden } else { pending[index].isHidden }
      if index == verdicts.covered, isExpected { verdicts.covered += 1 } else { verdicts.isOnTop = false }
    }
    for (id, verdict) in news.decided where index(of: id) != nil {
      verdicts.outcomes[id] = verdict.mapError { .refused(code: $0.code) }
      verdicts.isOnTop = false
    }
    return verdicts
  }

  /// Removes the work that is decided.
  private mutating func leave(_ verdicts: Verdicts, into report: inout Report) {
    if !verdicts.isOnTop { (isStale, hasNewGround) = (true, true) }
    let outcomes = verdicts.outcomes
    guard !outcomes.isEmpty else { return }
    for work in pending.prefix(verdicts.isOnTop ? verdicts.covered : pending.count) {
      if let outcome = outcomes[work.record.id] { report.resolutions.append(Resolution(id: work.record.id, result: outcome)) }
    }
    if verdicts.isOnTop {
      removeQueued(verdicts.covered)
    } else {
      let queued = unwrittenStart
      rearrange(
        queued: pending.prefix(queued).filter { outcomes[$0.record.id] == nil },
        unwritten: pending.dropFirst(queued).filter { outcomes[$0.record.id] == nil })
    }
  }

  /// The index of the first unwritten work.
  private var unwrittenStart: Int { outbox?.queued ?? 0 }

  /// Removes work from the front.
  private mutating func removeQueued(_ count: Int) {
    for work in pending.prefix(count) { outbox?.places[work.record.id] = nil }
    removeFirst(count)
    // The outbox may not have told yet that it has own work whose entry is there.
    let queued = unwrittenStart
    outbox?.queued = max(0, queued - count)
  }

  /// Removes the work that was accepted beyond an outdated fold, because the new mirror has it, or the server reports it again.
  private mutating func leaveAccepted() {
    guard let accepted = outbox?.accepted, accepted > 0 else { return }
    removeQueued(accepted)
    outbox?.accepted = 0
  }

  /// Keeps the accepted drafts that the fold does not reach, before all work that is not accepted, and removes the refused ones.
  private mutating func keepBeyond(_ news: MirrorNews<State>, into report: inout Report) {
    var kept: [Record<State>] = []
    var dropped: Set<EntryID> = []
    for step in news.steps {
      switch step {
      case .acceptedBeyond(let record):
        if let index = index(of: record.id), index < outbox?.accepted ?? 0 { continue }
        kept.append(record)
        if index(of: record.id) != nil { report.resolutions.append(Resolution(id: record.id, result: .success(record.revision))) }
      case .refusedBeyond(let id, let code):
        guard index(of: id) != nil else { continue }
        dropped.insert(id)
        report.resolutions.append(Resolution(id: id, result: .failure(.refused(code: code))))
      case .accepted, .refused: break
      }
    }
    guard let order = outbox, !kept.isEmpty || !dropped.isEmpty else { return }
    let next = pending.dropFirst(order.accepted).prefix(order.queued - order.accepted).prefix(kept.count).lazy.map(\.record.id)
    if dropped.isEmpty, next.elementsEqual(kept.lazy.map(\.id)) {
      outbox?.accepted += kept.count
      return
    }
    let moved = dropped.union(kept.lazy.map(\.id))
    let front = Array(pending.prefix(order.accepted)) + kept.map { Pending(record: $0, requirement: nil) }
    let queued = pending.prefix(order.queued).dropFirst(order.accepted).filter { !moved.contains($0.record.id) }
    let unwritten = pending.dropFirst(order.queued).filter { !moved.contains($0.record.id) }
    outbox?.accepted = front.count
    rearrange(queued: front + queued, unwritten: unwritten)
  }

  /// Adds the drafts that have entered the outbox.
  private mutating func enter(_ drafts: ArraySlice<MirrorNews<State>.Entering>, into report: inout Report) {
    var rest = drafts
    while let draft = rest.first, let order = outbox {
      let id = draft.record.id
      if let index = index(of: id) {
        guard index <= order.queued else { break }
        if index == order.queued { note(id, at: index, into: &report) }
      } else {
        guard order.queued == pending.count, !isStale else { break }
        // Nothing is behind it: it is applied alone.
        note(id, at: pending.count, into: &report)
        hasNewGround = true
        events += 1
        folded = (end, foldedPending())
        remake(CollectionOfOne(Pending(record: draft.record, requirement: draft.requirement)), into: &report)
      }
      rest.removeFirst()
    }
    if !rest.isEmpty { enterBefore(rest, into: &report) }
  }

  private mutating func note(_ id: EntryID, at index: Int, into report: inout Report) {
    outbox?.places[id] = gone + index
    outbox?.queued += 1
    if id.origin == origin { report.stored.append(id) }
  }

  /// Adds drafts before unwritten work.
  private mutating func enterBefore(_ drafts: ArraySlice<MirrorNews<State>.Entering>, into report: inout Report) {
    guard let order = outbox else { return }
    var queued = Array(pending.prefix(order.queued))
    var unwritten = Array(pending.dropFirst(order.queued))
    for draft in drafts where order.places[draft.record.id] == nil {
      // Own work enters in its order, so it is found at once.
      if draft.record.id.origin == origin, let index = unwritten.firstIndex(where: { $0.record.id == draft.record.id }) {
        queued.append(unwritten.remove(at: index))
      } else {
        queued.append(Pending(record: draft.record, requirement: draft.requirement))
      }
      if draft.record.id.origin == origin { report.stored.append(draft.record.id) }
    }
    rearrange(queued: queued, unwritten: unwritten)
  }

  /// Changes the order of the pending work. It must be replayed.
  private mutating func rearrange(queued: [Pending], unwritten: [Pending]) {
    pending = Pieces(queued + unwritten)
    (isStale, hasNewGround) = (true, true)
    outbox?.queued = queued.count
    outbox?.places = Dictionary(uniqueKeysWithValues: queued.enumerated().map { index, work in (work.record.id, gone + index) })
  }
}
