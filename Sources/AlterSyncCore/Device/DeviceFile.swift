import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The durable part of a device: its mirror, its outbox and its refusals. Each mutating method is one transaction.
package struct DeviceFile<State: SyncState>: Sendable {
  /// A refused change, which the user can read, retry or dismiss.
  package struct Refused: Sendable, Hashable {
    package let draft: Draft
    package let code: RefusalCode
  }

  /// An accepted change that the mirror does not have yet.
  package struct Awaited: Sendable, Hashable {
    package let draft: Draft
    /// The revision that the server has told.
    package let revision: Revision
    /// The generation in which the server has told it.
    package let generation: Generation
  }

  /// The visible state.
  package struct View: Sendable {
    package let state: State
    /// The drafts that the present state refuses. They are hidden and marked, and still sent.
    package let hidden: [EntryID]
  }

  /// The principal that the file belongs to.
  package private(set) var principal: Principal
  /// The generation of the mirror and all former ones that the file knows of; nil before the first contact.
  package private(set) var lineage: Lineage?
  /// The mirror; nil before the first contact.
  package private(set) var mirror: Mirror<State>?
  package private(set) var outbox = Outbox()
  /// The drafts that have left the outbox in the last transaction that absorbed an answer, with their verdicts.
  package private(set) var left: [EntryID: Verdict] = [:]
  /// The refused changes, in order, until they are retried or dismissed.
  package private(set) var refusals: [Refused] = []
  /// Own changes of the mirror before a restart that the new journal also has, until the new mirror has them. Another restore may come first.
  package private(set) var awaited: [Awaited] = []
  /// The origins that this file has used.
  package private(set) var origins: Set<Origin> = []
  /// The state that the app has passed when it opened the file. It stands at revision 0 until the first contact, and is never sent.
  package let initial: Data
  /// The newest schema that the app knows. Its drafts are written in it.
  package private(set) var schema: Int
  /// The undo window of the journal.
  package let window: Int
  package let rules: SyncRules

  package init(_ principal: Principal, initial: Data, schema: Int = 1, window: Int, rules: SyncRules = .all) {
    self.principal = principal
    self.initial = initial
    self.schema = schema
    self.window = window
    self.rules = rules
  }

  // MARK: - The user's part

  /// Registers the origin of a handle.
  package mutating func open(as origin: Origin) {
    origins.insert(origin)
    if !rules.contains(.keepsIDs) { outbox.rename(to: origin) }
  }

  /// Corrects the principal, until the first contact.
  ///
  /// - Returns: Whether that was possible.
  package mutating func correct(_ principal: Principal) -> Bool {
    guard generation == nil else { return false }
    self.principal = principal
    return true
  }

  /// Whether the file is locked for a user: it belongs to another principal. A locked file takes no changes, its view is not shown, and
  /// nothing of it is sent: the server would store the user's change with the owner's receipt, as soon as the owner signs in.
  package func isLocked(for user: Principal) -> Bool { user != principal && rules.contains(.locks) }

  /// Adds a draft that the view accepts.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - user: The user that makes the change; nil for the file's principal.
  /// - Returns: Whether the view accepts it. A refused change is not made, nor is one in a locked file.
  package mutating func make(_ draft: Draft, by user: Principal? = nil) -> Bool {
    if isLocked(for: user ?? principal) { return false }
    var view = folded().timeline
    do { try view.attempt(draft, at: .zero, window: window, isRefused: isRefused) } catch { return false }
    outbox.append(draft)
    return true
  }

  /// Adds a draft without asking the view, as a process whose view is older.
  package mutating func makeUnchecked(_ draft: Draft) { outbox.append(draft) }

  /// Repeats a refused change under a fresh id.
  ///
  /// The attempts of a change share the stamp of the first one. A clone has lost its id, and with it its stamp, to another draft, so its
  /// retry is a change of its own; so is the retry of a draft whose origin belongs to another principal.
  ///
  /// - Parameters:
  ///   - refused: The id of the refused draft.
  ///   - id: The id of the new one.
  ///   - user: The user that retries the change; nil for the file's principal.
  /// - Returns: The new draft; nil if there is no such refusal, or if the file is locked.
  package mutating func retry(_ refused: EntryID, as id: EntryID, by user: Principal? = nil) -> Draft? {
    guard !isLocked(for: user ?? principal), let place = refusals.firstIndex(where: { $0.draft.id == refused }) else { return nil }
    let (draft, code) = (refusals[place].draft, refusals[place].code)
    refusals.remove(at: place)
    let ownsStamp = code != .clone && code != .foreign && code != .retries
    let new = ownsStamp || !rules.contains(.renewsClones) ? draft.retried(as: id) : draft.repeated(as: id)
    outbox.append(new)
    return new
  }

  /// Gives a refused change up.
  package mutating func dismiss(_ refused: EntryID) { refusals.removeAll { $0.draft.id == refused } }

  /// Continues with a newer app.
  package mutating func upgrade(to schema: Int) {
    self.schema = schema
    mirror?.upgrade(to: schema)
  }

  /// The visible state: the mirror folded, own accepted entries beyond an outdated fold, and the outbox.
  package func view() -> View {
    let (timeline, hidden) = folded()
    return View(state: timeline.state, hidden: hidden)
  }

  private func folded() -> (timeline: Timeline<State>, hidden: [EntryID]) {
    var timeline = mirror?.timeline ?? Timeline(State(initial: initial))
    var drafts: [Draft] = []
    if rules.contains(.showsOwnBeyondFold), let mirror {
      drafts = mirror.unfolded.compactMap { $0.draft }.filter { origins.contains($0.id.origin) }
    }
    var hidden: [EntryID] = []
    for draft in drafts + outbox.drafts {
      do { try timeline.attempt(draft, at: .zero, window: window, isRefused: isRefused) } catch { hidden.append(draft.id) }
    }
    return (timeline, hidden)
  }

  private func isRefused(_ id: EntryID) -> Bool {
    if case .refused = mirror?[id]?.body { return true }
    return refusals.contains { $0.draft.id == id }
  }

  /// The revision of the mirror's floor; 0 before the first contact.
  package var floor: Revision { mirror?.floor.head.revision ?? .zero }

  package var generation: Generation? { lineage?.generation }

  /// Whether the fold has stopped at an entry of a newer schema.
  package var isOutdated: Bool { mirror?.stop != nil }

  // MARK: - The link's part

  /// The drafts to send.
  package func submissions(limits: SyncLimits) -> [Submission] {
    var submissions = outbox.submissions(limit: limits.draftsPerPush, bytes: limits.bytesPerDraft)
    if !rules.contains(.sendsPredictedRefusals) {
      let hidden = Set(view().hidden)
      submissions.removeAll { hidden.contains($0.id) }
    }
    return submissions
  }

  /// The ids whose verdicts a new floor must tell: those of the outbox, own entries of the mirror, which a restore may have lost, and lost
  /// changes, which another restore may have brought back.
  package var questions: [EntryID] { outbox.ids + own.map { $0.id } + refusals.filter { $0.code == .lost }.map { $0.draft.id } }

  /// The newest revision that the server has told. A request names it, so that a process whose view is older reads the database.
  package var newestKnown: Revision { awaited.reduce(outbox.newestVerdict) { max($0, $1.revision) } }

  private var own: [Draft] {
    awaited.map { $0.draft } + (mirror?.entries.compactMap { $0.draft }.filter { origins.contains($0.id.origin) } ?? [])
  }

  /// Absorbs an answer in one transaction.
  ///
  /// - Parameters:
  ///   - answer: The answer to this file's own request.
  ///   - request: The request. If another process of the device has moved the file on since, nothing changes. Nil if no other process can
  ///     have done so.
  ///   - isInterrupted: Whether the process dies during the transaction. Then nothing changes.
  /// - Returns: The event for the engine.
  package mutating func absorb(_ answer: Answer<State>, to request: Request? = nil, isInterrupted: Bool = false) -> Reply {
    if isInterrupted, rules.contains(.oneTransaction) { return .notUnderstood }
    if let request, !isPresent(request) { return .superseded }
    left = [:]
    switch answer {
    case .page(let page): return absorb(page, isInterrupted: isInterrupted)
    case .snapshot(let fetched): return absorb(fetched)
    case .gone: return .gone
    case .diverged(let lineage): return .diverged(isRestart: lineage.generation != generation && !isFormer(lineage.generation))
    case .unauthorised: return .unauthorised
    case .forbidden: return .forbidden
    case .badEnvelope: return .badEnvelope
    case .busy(let seconds): return .busy(seconds)
    case .notUnderstood: return .notUnderstood
    }
  }

  /// Whether the file is where it was when it made a request, except for new drafts. Another process of the device may have talked to the
  /// server meanwhile. Its news make an earlier answer look like one of a server that has lost something.
  private func isPresent(_ request: Request) -> Bool {
    guard rules.contains(.comparesRequests) else { return true }
    return request.generation == generation && request.position == mirror?.head && request.floor == floor && newestKnown <= request.known
  }

  /// Whether a generation is a former one of the mirror's. The operator has not decided then: the database was restored from a backup that is
  /// older than the last decision. Nothing of its answers is absorbed.
  private func isFormer(_ generation: Generation) -> Bool {
    rules.contains(.knowsFormerGenerations) && lineage?.former.contains(generation) ?? false
  }

  /// Whether an answer comes from another journal than the mirror's: a wrong address, or a journal that was created again.
  private func isOther(_ journal: JournalID) -> Bool {
    rules.contains(.comparesJournals) && mirror.map { $0.head.journal != journal } ?? false
  }

  private mutating func enter(_ new: Lineage) {
    if lineage == nil { lineage = new } else { lineage?.follow(new) }
  }

  private mutating func absorb(_ page: Page, isInterrupted: Bool) -> Reply {
    if isFormer(page.lineage.generation) || isOther(page.journal) { return .diverged(isRestart: false) }
    var file = self
    let isNew = file.generation != page.lineage.generation
    file.enter(page.lineage)
    if isNew {
      if rules.contains(.forgetsVerdicts) { file.outbox.forgetVerdicts() }
    }
    for line in page.lines { file.outbox.learn(line) }
    // The server does not have the draft before: a verdict that was told before a restore is no longer true.
    if page.hold?.code == .order { file.outbox.forgetVerdicts() }
    if isInterrupted {
      // The wrong rule: the outbox and the mirror change in two transactions.
      file.outbox.remove(Set(page.lines.map { $0.id }))
      self = file
      return .notUnderstood
    }
    if file.mirror == nil {
      file.mirror = Mirror(
        from: Floor(head: Head(empty: page.journal), state: State(initial: initial)), schema: schema,
        replacesInitial: rules.contains(.replacesInitial))
    }
    var isBroken = false
    do { try file.mirror?.extend(page.entries, rules: rules) } catch { isBroken = true }
    file.cover()
    let isComplete = page.head.map { $0.revision <= file.mirror?.head.revision ?? .zero } ?? false
    if isComplete {
      // All entries of the present generation are here.
      let stops = rules.contains(.noticesLostVerdicts)
      file.endWaiting { $0.generation != page.lineage.generation || !stops ? .lost : nil }
    }
    self = file
    if isBroken { return .brokenPage }
    guard let head = page.head else { return .cut }
    // The server does not have any more what it has told: it was restored, and the operator has not decided. No pull would bring it.
    if isComplete, !awaited.isEmpty || newestKnown > head.revision, rules.contains(.noticesLostVerdicts) {
      return .diverged(isRestart: false)
    }
    return .page(isMore: !isComplete, hold: page.hold)
  }

  private mutating func absorb(_ fetched: Fetched<State>) -> Reply {
    let new = fetched.lineage.generation
    let isRestart = generation != nil && generation != new
    if isFormer(new) { return .diverged(isRestart: false) }
    // Only the operator's command lets devices go on to another journal: it names their generation.
    if isOther(fetched.floor.head.journal), let generation, !fetched.lineage.knows(generation) { return .diverged(isRestart: false) }
    if let mirror, !isRestart, mirror.head.revision > fetched.floor.head.revision,
      floor <= fetched.floor.head.revision
    {
      return .adopted
    }
    var lines: [EntryID: VerdictLine] = [:]
    for line in fetched.lines { lines[line.id] = line }
    // The server has lost own entries, and the operator has not decided yet. The new floor would forget them without a word.
    if !isRestart, rules.contains(.asksForOwnEntries), own.contains(where: { lines[$0.id]?.hash != $0.hash }) {
      return .diverged(isRestart: false)
    }
    refusals.removeAll { refused in
      guard refused.code == .lost, let line = lines[refused.draft.id], line.hash == refused.draft.hash else { return false }
      guard case .accepted(let revision) = line.verdict else { return false }
      return revision <= fetched.floor.head.revision
    }
    if isRestart {
      outbox.forgetVerdicts()
      let earlier = own
      awaited = []
      for draft in earlier {
        // Another draft under the id, of a live copy, says nothing about this one.
        let line = lines[draft.id].flatMap { $0.hash == draft.hash ? $0 : nil }
        switch line?.verdict {
        case .accepted(let revision):
          guard revision > fetched.floor.head.revision, rules.contains(.awaitsEntries) else { continue }
          awaited.append(Awaited(draft: draft, revision: revision, generation: new))
        case .refused(let code, _): refuse(draft, code)
        case nil:
          if rules.contains(.losesOnRestart) { refuse(draft, .lost) } else { outbox.append(draft) }
        }
      }
    }
    enter(fetched.lineage)
    mirror = Mirror(from: fetched.floor, schema: schema)
    for draft in outbox.drafts {
      guard let line = lines[draft.id] else { continue }
      outbox.learn(
        line.hash == draft.hash
          ? line : VerdictLine(id: draft.id, hash: draft.hash, verdict: .refused(.clone, at: line.verdict.revision)))
    }
    cover()
    return .adopted
  }

  /// Removes the drafts whose verdicts the mirror covers.
  private mutating func cover() {
    guard let mirror else { return }
    var leaving: Set<EntryID> = []
    for draft in outbox.drafts {
      guard let verdict = covered(draft, by: mirror) else { continue }
      leaving.insert(draft.id)
      left[draft.id] = verdict
      if case .refused(let code, _) = verdict, code.isListed { refuse(draft, code) }
    }
    outbox.remove(leaving)
    // A copy of this file has sent an awaited change to a journal without it, and it was refused there.
    endWaiting { change in
      guard case .refused(_, let hash, let code) = mirror[change.draft.id]?.body, hash == change.draft.hash else { return nil }
      return code
    }
    awaited.removeAll { mirror[$0.draft.id]?.hash == $0.draft.hash || $0.revision <= mirror.floor.head.revision }
    // A copy of this file may have sent a lost change again.
    refusals.removeAll { refused in
      if case .draft(let draft) = mirror[refused.draft.id]?.body { return draft.hash == refused.draft.hash }
      return false
    }
  }

  /// The verdict with which a draft leaves the outbox; nil if it stays.
  private mutating func covered(_ draft: Draft, by mirror: Mirror<State>) -> Verdict? {
    // `clone` is no entry: the id is there with another hash.
    if let entry = mirror[draft.id] { return entry.hash == draft.hash ? entry.verdict : .refused(.clone, at: entry.revision) }
    guard let verdict = outbox.known[draft.id] else { return nil }
    guard let revision = verdict.revision, rules.contains(.waitsForMirror) else { return verdict }
    if revision <= mirror.floor.head.revision { return rules.contains(.leavesAtFloor) ? verdict : nil }
    // The mirror has another entry there: the server was restored after it had told the verdict.
    if revision <= mirror.head.revision { outbox.forgetVerdict(of: draft.id) }
    return nil
  }

  /// Lists the awaited changes for which there is a code.
  private mutating func endWaiting(_ code: (Awaited) -> RefusalCode?) {
    let waiting = awaited
    awaited = waiting.filter { code($0) == nil }
    for change in waiting { if let code = code(change) { refuse(change.draft, code) } }
  }

  private mutating func refuse(_ draft: Draft, _ code: RefusalCode) {
    guard rules.contains(.keepsRefused), !refusals.contains(where: { $0.draft.id == draft.id && $0.draft.hash == draft.hash }) else {
      return
    }
    refusals.append(Refused(draft: draft, code: code))
  }
}
