import AlterCore
import AlterJournal

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
  /// The state that the app has passed when it opened the file. It stands at revision 0 until the first contact, and is never sent.
  package let initial: Data
  /// The newest schema that the app knows. Its drafts are written in it.
  package var schema: Int { storage.schema }
  /// The undo window of the journal.
  package let window: Int

  package init(_ principal: Principal, initial: Data, schema: Int = 1, window: Int, rules: SyncRules = .all) {
    contents = DeviceContents(principal, rules: rules)
    storage = MirrorInMemory(initial: initial, schema: schema, rules: rules)
    self.initial = initial
    self.window = window
  }

  package var rules: SyncRules { contents.rules }
  package var principal: Principal { contents.principal }
  package var lineage: Lineage? { contents.lineage }
  package var outbox: Outbox { contents.outbox }
  package var left: [EntryID: Verdict] { contents.left }
  package var refusals: [Refused] { contents.refusals }
  package var awaited: [Awaited] { contents.awaited }
  package var origins: Set<Origin> { contents.origins }

  // MARK: - The user's part

  package mutating func open(as origin: Origin) { contents.open(as: origin) }
  package mutating func correct(_ principal: Principal) -> Bool { contents.correct(principal) }
  package func isLocked(for user: Principal) -> Bool { contents.isLocked(for: user) }
  package mutating func retry(_ refused: EntryID, as id: EntryID, by user: Principal? = nil) -> Draft? {
    contents.retry(refused, as: id, by: user)
  }
  package mutating func dismiss(_ refused: EntryID) { contents.dismiss([refused]) }

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
    contents.append(draft)
    return true
  }

  /// Adds a draft without asking the view, as a process whose view is older.
  package mutating func makeUnchecked(_ draft: Draft) { contents.append(draft) }

  /// Continues with a newer app.
  package mutating func upgrade(to schema: Int) { storage.upgrade(to: schema) }

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
  package func isPresent(_ request: Request) -> Bool { contents.isPresent(request, at: storage) }

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
  package mutating func absorb(_ answer: Answer<State>, to request: Request? = nil, isInterrupted: Bool = false) -> Reply {
    if isInterrupted, rules.contains(.oneTransaction) { return .notUnderstood }
    if let request, !contents.isPresent(request, at: storage) { return .superseded }
    switch answer {
    case .page(let page): return contents.absorb(page, into: &storage, isInterrupted: isInterrupted)
    case .snapshot(let fetched):
      return contents.absorb(fetched.lineage, floor: fetched.floor.head, fetched.lines, into: &storage) { $0.begin(at: fetched.floor) }
    default: return contents.reply(to: answer) ?? .notUnderstood
    }
  }
}

/// A mirror in memory, with its fold.
struct MirrorInMemory<State: SyncState>: MirrorStorage, Sendable {
  private(set) var mirror: Mirror<State>?
  private let initial: Data
  private(set) var schema: Int
  private let rules: SyncRules

  init(initial: Data, schema: Int, rules: SyncRules) {
    self.initial = initial
    self.schema = schema
    self.rules = rules
  }

  var start: Head? { mirror?.floor.head }
  var head: Head? { mirror?.head }

  func entry(_ id: EntryID) -> SyncEntry? { mirror?[id] }

  func drafts(of origins: Set<Origin>) -> [Draft] {
    mirror?.entries.compactMap { $0.draft }.filter { origins.contains($0.id.origin) } ?? []
  }

  mutating func extend(_ entries: [SyncEntry], of journal: JournalID) -> Bool {
    let rules = rules
    if mirror == nil {
      let floor = Floor(head: Head(empty: journal), state: State(initial: initial))
      mirror = Mirror(from: floor, schema: schema, replacesInitial: rules.contains(.replacesInitial))
    }
    do {
      try mirror?.extend(entries, rules: rules)
      return true
    } catch { return false }
  }

  mutating func replace(by mirror: Mirror<State>) { self.mirror = mirror }

  mutating func begin(at floor: Floor<State>) { mirror = Mirror(from: floor, schema: schema) }

  mutating func upgrade(to schema: Int) {
    self.schema = schema
    mirror?.upgrade(to: schema)
  }
}
