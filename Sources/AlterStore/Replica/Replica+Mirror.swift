import AlterCore
import AlterJournal

// A replica of a synced journal. Its confirmed side is the fold of a mirror, and a part of its pending work is in the outbox of the device. The
// server alone decides what becomes of the outbox. Work that the visible state refuses is hidden, and stays where it is.
extension Replica {
  /// Creates a replica of a synced journal. Its confirmed side is the initial state of the app, at revision 0, until the first news.
  package init(
    synced initial: State, window: Int, origin: Origin, scope: UndoScope, limit: Int, flightLimit: Int = 2_500
  ) {
    self.init(
      History(initial, at: .zero, window: window), head: nil, origin: origin, scope: scope, limit: limit, flightLimit: flightLimit,
      isSynced: true)
  }

  /// The work that the server has not decided, in order, and whether the visible state refuses it.
  package var undecided: [(record: Record<State>, isHidden: Bool)] {
    pending.pieces.dropFirst(pending.accepted).map { ($0.record, $0.isHidden) }
  }

  /// Takes the unwritten work to put into the outbox next, with what it requires: as much as one flight carries, all of this replica's origin.
  package mutating func takeUnqueued() -> [MirrorNews<State>.Entering] {
    let works = pending.unwritten.prefix(pending.interval).map { MirrorNews.Entering($0.record, requires: $0.requirement) }
    if !works.isEmpty { _ = beginFlight(of: works.count) }
    return works
  }

  /// Whether work is pending that the outbox does not have.
  package func isUnwritten(_ id: EntryID) -> Bool { pending.index(of: id).map { $0 >= pending.queued } ?? false }

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
    let id = EntryID(origin: origin, sequence: sequence + 1)
    let extra = RecordExtra(cause: refused.cause, indices: refused.indices, retries: keepsStamp ? refused.family : nil)
    let record = try pending.append(over: history) { tentative throws(CommitError<State.Failure>) in
      let record = Record<State>(
        revision: tentative.revision.next, id: id, time: refused.time, scope: refused.scope, content: refused.content, extra: extra)
      return PendingWork.Piece(record: try tentative.attemptFixed(record), requirement: requirement)
    }
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
    writing.on(.overtaken)
    if news.ground != nil {
      pending.groundHasChanged()
      pending.removeAccepted()
    }
    leave(verdicts(of: news, after: known), into: &report)
    keepBeyond(news, into: &report)
    if pending.enter(news.entering, of: origin, over: history, into: &report) { events += 1 }
    pending.settle()
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
        guard pending.index(of: refused).map({ $0 < pending.queued }) == true else { continue }
        (id, outcome) = (refused, .failure(.refused(code: code)))
      case .accepted, .refused, .acceptedBeyond, .refusedBeyond: continue
      }
      // Another writer may have a clone of this origin: then the entry's id is that of other work, or of work that was never sent.
      guard news.decided[id] == nil, let index = pending.index(of: id), index < pending.queued else {
        verdicts.isOnTop = false
        continue
      }
      verdicts.outcomes[id] = outcome
      let isHidden = pending.pieces[index].isHidden
      let isExpected = if case .success = outcome { !isHidden } else { isHidden }
      if index == verdicts.covered, isExpected { verdicts.covered += 1 } else { verdicts.isOnTop = false }
    }
    for (id, verdict) in news.decided where pending.index(of: id) != nil {
      verdicts.outcomes[id] = verdict.mapError { .refused(code: $0.code) }
      verdicts.isOnTop = false
    }
    return verdicts
  }

  /// Removes the work that is decided.
  private mutating func leave(_ verdicts: Verdicts, into report: inout Report) {
    if !verdicts.isOnTop { pending.groundHasChanged() }
    let outcomes = verdicts.outcomes
    guard !outcomes.isEmpty else { return }
    for work in pending.pieces.prefix(verdicts.isOnTop ? verdicts.covered : pending.count) {
      if let outcome = outcomes[work.record.id] { report.resolutions.append(Resolution(id: work.record.id, result: outcome)) }
    }
    if verdicts.isOnTop { pending.removeFirst(verdicts.covered) } else { pending.remove { outcomes[$0.record.id] != nil } }
  }

  /// Keeps the accepted drafts that the fold does not reach, before all work that is not accepted, and removes the refused ones.
  private mutating func keepBeyond(_ news: MirrorNews<State>, into report: inout Report) {
    var kept: [Record<State>] = []
    var dropped: Set<EntryID> = []
    for step in news.steps {
      switch step {
      case .acceptedBeyond(let record):
        let index = pending.index(of: record.id)
        if let index, index < pending.accepted { continue }
        kept.append(record)
        if index != nil { report.resolutions.append(Resolution(id: record.id, result: .success(record.revision))) }
      case .refusedBeyond(let id, let code):
        guard pending.index(of: id) != nil else { continue }
        dropped.insert(id)
        report.resolutions.append(Resolution(id: id, result: .failure(.refused(code: code))))
      case .accepted, .refused: break
      }
    }
    pending.keepAccepted(kept, dropping: dropped)
  }
}

/// A transaction of a device's file, as a replica sees it: the additions to the mirror and the outbox, and the removals.
///
/// The news of a file form a sequence. Each is absorbed once, in order.
package struct MirrorNews<State: Alterable>: Sendable {
  /// A new start of the mirror, which replaces the confirmed side.
  package struct Ground: Sendable {
    /// The state at the revision. The entries up to there are not in the mirror.
    package let state: State
    package let revision: Revision
    /// The undo window of the journal.
    package let window: Int
    package let reason: Reason

    /// The reason for a new start.
    package enum Reason: Sendable {
      /// The first contact: the journal's initial state replaces the one that the app has passed.
      case contact
      /// The server has compacted the entries that would follow.
      case floor
      /// The server's journal was restored or recreated.
      case restart
      /// Nothing has happened to the mirror. The fold begins again to reach an entry that an undo reverts.
      case refold
    }

    package init(_ state: State, at revision: Revision, window: Int, because reason: Reason) {
      self.state = state
      self.revision = revision
      self.window = window
      self.reason = reason
    }
  }

  /// An entry of the mirror.
  package enum Step: Sendable {
    /// An accepted draft, or the journal's initial state. An undo or a redo names one entry.
    case accepted(Record<State>)
    /// A refused draft, which folds skip.
    case refused(EntryID, code: String, Revision)
    /// An accepted draft of this device, after an entry of a newer schema, where the fold has stopped.
    case acceptedBeyond(Record<State>)
    /// A refused draft after such an entry.
    case refusedBeyond(EntryID, code: String)
  }

  /// A draft that has entered the outbox: of this replica, of another process of the device, or of an earlier process.
  package struct Entering: Sendable {
    package let record: Record<State>
    package let requirement: EntryID?

    package init(_ record: Record<State>, requires requirement: EntryID? = nil) {
      self.record = record
      self.requirement = requirement
    }
  }

  /// The new start of the mirror; nil if it continues.
  package var ground: Ground?
  /// The entries after the start, or after the known head.
  package var steps: [Step] = []
  /// The head of the mirror; nil before the first contact.
  package var head: Head?
  /// The drafts that have left the outbox although the mirror has no entry for them, with their verdicts.
  package var decided: [EntryID: Result<Revision, RefusedDraft>] = [:]
  /// The drafts that have entered the outbox, in its order.
  package var entering: [Entering] = []

  package init() {}
}

/// A server's refusal of a draft.
package struct RefusedDraft: Error, Hashable {
  /// The stable code of the reason.
  package let code: String

  package init(code: String) { self.code = code }
}
