import AlterCore
import AlterJournal
import AlterSyncCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The durable part of a device: its mirror, its outbox and its refusals. Each mutating method is one transaction.
package struct DeviceFile<State: SyncState>: Sendable {
  package typealias Refused = DeviceContents.Refused
  package typealias Awaited = DeviceContents.Awaited

  /// The visible state.
  package struct View: Sendable {
    package let state: State
    /// The drafts that the present state refuses. They are hidden and marked, and still sent.
    package let hidden: [EntryID]
  }

  package private(set) var contents: DeviceContents
  /// The mirror; nil before the first contact.
  package var mirror: Mirror<State>? { storage.mirror }
  private var storage: MirrorInMemory<State>
  package let rules: ModelRules
  /// The state that the app has passed when it opened the file. It stands at revision 0 until the first contact, and is never sent.
  package let initial: Data
  /// The newest schema that the app knows. Its drafts are written in it.
  package var schema: Int { storage.schema }
  /// The undo window of the journal.
  package let window: Int

  package init(_ principal: Principal, initial: Data, schema: Int = 1, window: Int, rules: ModelRules = .all) {
    contents = DeviceContents(principal)
    self.rules = rules
    storage = MirrorInMemory(initial: initial, schema: schema, rules: rules)
    self.initial = initial
    self.window = window
  }

  package var principal: Principal { contents.principal }
  package var lineage: Lineage? { contents.lineage }
  package var outbox: Outbox { contents.outbox }
  package var left: [EntryID: Verdict] { contents.left }
  package var refusals: [Refused] { contents.refusals }
  package var awaited: [Awaited] { contents.awaited }
  package var origins: Set<Origin> { contents.origins }

  // MARK: - The user's part

  package mutating func open(as origin: Origin) {
    contents.open(as: origin)
    guard !rules.contains(.keepsIDs) else { return }
    // The wrong rule: a new process takes the drafts over under its own origin.
    let renamed = outbox.drafts.enumerated().map { place, draft in
      SyncDraft(
        id: EntryID(origin: origin, sequence: Int64(place + 1)), time: draft.time, scope: draft.scope, schema: draft.schema,
        content: draft.content, cause: draft.cause)
    }
    reread(Outbox(renamed, known: [:]))
  }

  package mutating func correct(_ principal: Principal) -> Bool { contents.correct(principal) }

  /// Whether the file is locked for a user, as ``/AlterSync/DeviceStorage`` says.
  package func isLocked(for user: Principal) -> Bool { principal.locks(user) && rules.contains(.locks) }

  /// Repeats a refused change under a fresh id, as a store does.
  ///
  /// - Parameters:
  ///   - refused: The id of the refused draft.
  ///   - id: The id of the new one.
  ///   - user: The user that retries the change; nil for the file's principal.
  /// - Returns: The new draft; nil if there is no such refusal, or if the file is locked.
  package mutating func retry(_ refused: EntryID, as id: EntryID, by user: Principal? = nil) -> SyncDraft? {
    guard !isLocked(for: user ?? principal), let place = refusals.firstIndex(where: { $0.draft.id == refused }) else { return nil }
    var refusals = refusals
    let old = refusals.remove(at: place)
    let new = old.code.keepsStamp || !rules.contains(.renewsClones) ? old.draft.retried(as: id) : old.draft.repeated(as: id)
    reread(Outbox(outbox.drafts + [new], known: outbox.known), refusals)
    return new
  }

  package mutating func dismiss(_ refused: EntryID) { contents.dismiss([refused]) }

  /// Replaces the contents by those that a file has after a user's transaction. A process reads them again, as after each transaction that has
  /// not gone through its own copy.
  private mutating func reread(_ outbox: Outbox, _ refusals: [Refused]? = nil, lineage: Lineage? = nil) {
    var new = DeviceContents(
      principal, lineage: lineage ?? contents.lineage, outbox: outbox, refusals: refusals ?? self.refusals, awaited: awaited,
      origins: origins)
    new.keepComparisons(of: contents)
    contents = new
  }

  /// Adds a draft that the view accepts.
  ///
  /// - Parameters:
  ///   - draft: The draft.
  ///   - user: The user that makes the change; nil for the file's principal.
  /// - Returns: Whether the view accepts it. A refused change is not made, nor is one in a locked file.
  package mutating func make(_ draft: SyncDraft, by user: Principal? = nil) -> Bool {
    if isLocked(for: user ?? principal) { return false }
    var view = folded().timeline
    do { try view.attempt(draft, at: .zero, window: window, isRefused: isRefused) } catch { return false }
    makeUnchecked(draft)
    return true
  }

  /// Adds a draft without asking the view, as a process whose view is older.
  package mutating func makeUnchecked(_ draft: SyncDraft) { contents.append(draft) }

  /// Continues with a newer app.
  package mutating func upgrade(to schema: Int) { storage.upgrade(to: schema) }

  /// The visible state: the mirror folded, own accepted entries beyond an outdated fold, and the outbox.
  package func view() -> View {
    let (timeline, hidden) = folded()
    return View(state: timeline.state, hidden: hidden)
  }

  private func folded() -> (timeline: Timeline<State>, hidden: [EntryID]) {
    var timeline = mirror?.timeline ?? Timeline(State(initial: initial))
    var drafts: [SyncDraft] = []
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

  /// Gives up the entries of the mirror up to a revision, in one transaction, without the server.
  ///
  /// - Parameter revision: The last entry to go.
  /// - Returns: Whether the mirror begins there now; otherwise nothing has changed.
  package mutating func compact(to revision: Revision) -> Bool {
    guard var moved = mirror, let floor = moved.head(at: revision), moved.compact(to: revision, window: window, rules: rules) else {
      return false
    }
    return contents.compact(to: floor, in: &storage) { $0.replace(by: moved) }
  }

  // MARK: - The link's part

  /// Whether the file is where it was when it made a request, except for new drafts.
  package func isPresent(_ request: Request) -> Bool {
    contents.isPresent(request, at: storage) || !rules.contains(.comparesRequests)
  }

  /// The drafts to send.
  package func submissions(limits: SyncLimits) -> [Submission] {
    var submissions = outbox.submissions(limit: limits.draftsPerPush, bytes: limits.bytesPerDraft)
    if !rules.contains(.sendsPredictedRefusals) {
      let hidden = Set(view().hidden)
      submissions.removeAll { hidden.contains($0.id) }
    }
    return submissions
  }

  /// The ids whose verdicts a new floor must tell.
  package var questions: [EntryID] { contents.questions(for: storage) }

  /// The newest revision that the server has told.
  package var newestKnown: Revision { contents.newestKnown }

  /// Absorbs an answer in one transaction.
  ///
  /// - Parameters:
  ///   - answer: The answer to this file's own request.
  ///   - request: The request. If another process of the device has moved the file on since, nothing changes. Nil if no other process can
  ///     have done so.
  ///   - isInterrupted: Whether the process dies during the transaction. Then nothing changes.
  /// - Returns: The event for the engine.
  package mutating func absorb(_ answer: Answer, to request: Request? = nil, isInterrupted: Bool = false) -> Reply {
    if isInterrupted {
      // The wrong rule: the outbox and the mirror change in two transactions, and the process dies between them.
      if !rules.contains(.oneTransaction), case .page(let page) = answer {
        let told = Set(page.lines.map { $0.id })
        reread(Outbox(outbox.drafts.filter { !told.contains($0.id) }, known: outbox.known))
      }
      return .notUnderstood
    }
    if let request, !isPresent(request) { return .superseded }
    // The wrong rule: the file forgets the generations that it has left.
    if !rules.contains(.knowsFormerGenerations), let generation { reread(outbox, lineage: Lineage(generation)) }
    switch answer {
    case .page(let page): return contents.absorb(page, into: &storage)
    case .snapshot(let fetched):
      return contents.absorb(fetched.lineage, floor: fetched.floor.head, fetched.lines, into: &storage) {
        $0.begin(at: Base(fetched.floor))
      }
    default: return contents.reply(to: answer) ?? .notUnderstood
    }
  }
}

/// A mirror in memory, with its fold.
struct MirrorInMemory<State: SyncState>: MirrorStorage, Sendable {
  private(set) var mirror: Mirror<State>?
  private let initial: Data
  private(set) var schema: Int
  private let rules: ModelRules

  init(initial: Data, schema: Int, rules: ModelRules) {
    self.initial = initial
    self.schema = schema
    self.rules = rules
  }

  var start: Head? { mirror?.floor.head }
  var head: Head? { mirror?.head }

  func entry(_ id: EntryID) -> SyncEntry? { mirror?[id] }

  func drafts(of origins: Set<Origin>) -> [SyncDraft] {
    mirror?.entries.compactMap { $0.draft }.filter { origins.contains($0.id.origin) } ?? []
  }

  mutating func extend(_ entries: [SyncEntry], of journal: JournalID) -> Bool {
    let rules = rules
    if mirror == nil {
      let floor = Base(head: Head(empty: journal), state: State(initial: initial))
      mirror = Mirror(from: floor, schema: schema, replacesInitial: rules.contains(.replacesInitial))
    }
    do {
      try mirror?.extend(entries, rules: rules)
      return true
    } catch { return false }
  }

  mutating func replace(by mirror: Mirror<State>) { self.mirror = mirror }

  mutating func begin(at floor: Base<State>) { mirror = Mirror(from: floor, schema: schema) }

  mutating func upgrade(to schema: Int) {
    self.schema = schema
    mirror?.upgrade(to: schema)
  }
}
