import AlterCore
import AlterJournal

/// The mirror as the rules of a device's file see it: in memory, or the tables of a file in the present transaction.
package protocol MirrorStorage {
  /// The error of a storage that can fail.
  associatedtype Failure: Error

  /// The entry before the first one of the mirror; nil before the first contact.
  var start: Head? { get }
  /// The last entry of the mirror; nil before the first contact.
  var head: Head? { get }

  /// The entry of an id.
  mutating func entry(_ id: EntryID) throws(Failure) -> SyncEntry?
  /// The accepted drafts of some origins, in order.
  func drafts(of origins: Set<Origin>) throws(Failure) -> [SyncDraft]
  /// Adds entries after the head. Before the first contact the mirror begins at the journal's beginning.
  ///
  /// - Returns: Whether each entry follows the one before it. The entries before a broken one are added.
  mutating func extend(_ entries: [SyncEntry], of journal: JournalID) throws(Failure) -> Bool
}

/// The identity of a draft: in a copied file, another draft may have the same id.
package struct DraftKey: Sendable, Hashable {
  package let id: EntryID
  package let hash: Checksum

  package init(_ id: EntryID, _ hash: Checksum) { (self.id, self.hash) = (id, hash) }
}

/// The durable part of a device apart from its mirror: its outbox, its refusals, and the rules by which an answer changes them.
package struct DeviceContents: Sendable {
  /// A refused change, which the user can read, retry or dismiss.
  package struct Refused: Sendable, Hashable, Keyed {
    package let draft: SyncDraft
    package let code: RefusalCode
    /// The server's explanation for people; nil if it has told none.
    package let reason: String?

    package var key: DraftKey { DraftKey(draft.id, draft.hash) }

    package init(draft: SyncDraft, code: RefusalCode, reason: String? = nil) {
      self.draft = draft
      self.code = code
      self.reason = reason
    }
  }

  /// An accepted change that the mirror does not have yet.
  package struct Awaited: Sendable, Hashable, Keyed {
    package let draft: SyncDraft
    /// The revision that the server has told.
    package let revision: Revision
    /// The generation in which the server has told it.
    package let generation: Generation

    package var key: DraftKey { DraftKey(draft.id, draft.hash) }

    package init(draft: SyncDraft, revision: Revision, generation: Generation) {
      self.draft = draft
      self.revision = revision
      self.generation = generation
    }
  }

  /// The principal that the file belongs to.
  package internal(set) var principal: Principal
  /// The generation of the mirror and all former ones in the file; nil before the first contact.
  package internal(set) var lineage: Lineage?
  package internal(set) var outbox = Outbox()
  /// The drafts that have left the outbox in the last transaction that absorbed an answer, with their verdicts.
  package internal(set) var left: [EntryID: Verdict] = [:]
  /// The own changes of the mirror that the last transaction has replaced by the state at a floor of a restarted journal, with their verdicts there.
  package private(set) var folded: [EntryID: Verdict] = [:]
  /// The refused changes, in order, until they are retried or dismissed.
  package private(set) var refused = KeyedList<Refused>()
  /// Own changes of the mirror before a restart that the new journal also has, until the new mirror has them. They are kept in case another
  /// restore loses them first.
  package private(set) var awaiting = KeyedList<Awaited>()
  /// Whether the lists come from a file, and were not compared with the mirror yet.
  private var isFresh = false
  /// The origins that this file has used.
  package internal(set) var origins: Set<Origin> = []

  package init(_ principal: Principal) { self.principal = principal }

  /// Creates contents as a file holds them.
  package init(
    _ principal: Principal, lineage: Lineage?, outbox: Outbox, refusals: [Refused], awaited: [Awaited], origins: Set<Origin>
  ) {
    self.init(principal)
    (self.lineage, self.outbox, self.origins) = (lineage, outbox, origins)
    for change in refusals { refused.append(change) }
    for change in awaited { awaiting.append(change) }
    isFresh = true
  }

  package var generation: Generation? { lineage?.generation }
  package var refusals: [Refused] { refused.elements }
  package var awaited: [Awaited] { awaiting.elements }

  /// Notes which drafts an earlier value has compared with the mirror, after the file was read again.
  package mutating func keepComparisons(of earlier: DeviceContents) { outbox.keepComparisons(of: earlier.outbox) }

  /// Begins a transaction. From now on the lists and ``left`` record its changes.
  package mutating func beginTransaction() {
    (left, folded) = ([:], [:])
    outbox.beginTransaction()
    refused.beginTransaction()
    awaiting.beginTransaction()
  }

  // MARK: - The user's part

  /// Registers the origin of a handle.
  package mutating func open(as origin: Origin) { origins.insert(origin) }

  /// Corrects the principal, until the first contact.
  ///
  /// - Returns: Whether that was possible.
  package mutating func correct(_ principal: Principal) -> Bool {
    guard generation == nil else { return false }
    self.principal = principal
    return true
  }

  /// Adds a draft.
  package mutating func append(_ draft: SyncDraft) { outbox.append(draft) }

  /// Gives refused changes up.
  package mutating func dismiss(_ ids: Set<EntryID>) { refused.removeAll { ids.contains($0.draft.id) } }

  // MARK: - The link's part

  /// The ids whose verdicts a new floor must tell: those of the outbox, own entries of the mirror, which a restore may have lost, and lost
  /// changes, which another restore may have brought back.
  package func questions<Storage: MirrorStorage>(for mirror: Storage) throws(Storage.Failure) -> [EntryID] {
    outbox.ids + (try own(in: mirror)).map { $0.id } + refusals.filter { $0.code == .lost }.map { $0.draft.id }
  }

  /// The newest revision that the server has told. A request names it, so that a process whose view is older reads the database.
  package var newestKnown: Revision {
    awaiting.isEmpty ? outbox.newestVerdict : awaited.reduce(outbox.newestVerdict) { max($0, $1.revision) }
  }

  private func own<Storage: MirrorStorage>(in mirror: Storage) throws(Storage.Failure) -> [SyncDraft] {
    awaited.map { $0.draft } + (try mirror.drafts(of: origins))
  }

  /// Reads an answer that is neither a page nor a snapshot. It changes nothing.
  ///
  /// - Returns: The event for the engine.
  package func reply(to answer: Answer) -> Reply? {
    switch answer {
    case .page, .snapshot: nil
    // A journal that was there has been removed, or the address is wrong.
    case .absent: generation == nil ? .page(isMore: false, hold: nil) : .diverged(isRestart: false)
    case .gone: .gone
    case .diverged(let lineage): .diverged(isRestart: lineage.generation != generation && !isFormer(lineage.generation))
    case .unauthorised: .unauthorised
    case .forbidden: .forbidden
    case .badEnvelope: .badEnvelope
    case .busy(let seconds): .busy(seconds)
    case .notUnderstood: .notUnderstood
    }
  }

  /// Whether the file is where it was when it made a request, except for new drafts. Another process of the device may have talked to the
  /// server meanwhile. Its news make an earlier answer look like one of a server that has lost something.
  package func isPresent(_ request: Request, at mirror: some MirrorStorage) -> Bool {
    request.generation == generation && request.position == mirror.head && request.floor == mirror.start?.revision ?? .zero
      && newestKnown <= request.known
  }

  /// Whether a generation is a former one of the mirror's. The operator has not decided then: the database was restored from a backup that is
  /// older than the last decision. Nothing of its answers is absorbed.
  private func isFormer(_ generation: Generation) -> Bool {
    lineage?.former.contains(generation) ?? false
  }

  /// Whether an answer comes from another journal than the mirror's: a wrong address, or a journal that was created again.
  private func isOther(_ journal: JournalID, than head: Head?) -> Bool {
    head.map { $0.journal != journal } ?? false
  }

  private mutating func enter(_ new: Lineage) {
    if lineage == nil { lineage = new } else { lineage?.follow(new) }
  }

  /// Reads a page that brings nothing to a device without drafts: its mirror is where the page says.
  ///
  /// - Returns: The event for the engine, which ``absorb(_:into:)`` would return as well; nil if that may change something.
  package func reply(to page: Page, at mirror: some MirrorStorage) -> Reply? {
    guard page.lines.isEmpty, page.entries.isEmpty, page.hold == nil, page.lineage == lineage, outbox.isEmpty, awaiting.isEmpty,
      refused.isEmpty || !isFresh,
      let head = mirror.head, page.journal == head.journal, page.head == head, newestKnown <= head.revision
    else { return nil }
    return .page(isMore: false, hold: nil)
  }

  /// Applies a page. After a failure this value and the storage differ; the caller discards both.
  ///
  /// - Parameters:
  ///   - page: The answer.
  ///   - mirror: The mirror.
  /// - Returns: The event for the engine.
  package mutating func absorb<Storage: MirrorStorage>(_ page: Page, into mirror: inout Storage) throws(Storage.Failure) -> Reply {
    beginTransaction()
    if isFormer(page.lineage.generation) || isOther(page.journal, than: mirror.head) { return .diverged(isRestart: false) }
    let isNew = generation != page.lineage.generation
    enter(page.lineage)
    if isNew { outbox.forgetVerdicts() }
    for line in page.lines { outbox.learn(line) }
    // The server does not have the draft before: a verdict that was told before a restore is no longer true.
    if page.hold?.code == .order { outbox.forgetVerdicts() }
    let isBroken = !(try mirror.extend(page.entries, of: page.journal))
    try cover(&mirror, page)
    let isComplete = page.head.map { $0.revision <= mirror.head?.revision ?? .zero } ?? false
    if isComplete {
      // All entries of the present generation are here.
      for change in awaited where change.generation != page.lineage.generation { endWaiting(for: change.key, .lost) }
    }
    if isBroken { return .brokenPage }
    guard let head = page.head else { return .cut }
    // The server does not have any more what it has told: it was restored, and the operator has not decided. No pull would bring it.
    if isComplete, !awaiting.isEmpty || newestKnown > head.revision { return .diverged(isRestart: false) }
    return .page(isMore: !isComplete, hold: page.hold)
  }

  /// Applies a new start of the mirror. After a failure this value and the storage differ; the caller discards both.
  ///
  /// - Parameters:
  ///   - lineage: The lineage of the answer.
  ///   - floor: The last entry that the new mirror does not have.
  ///   - verdicts: The verdicts of the answer.
  ///   - isAnew: Whether the mirror begins again also at an earlier floor than its own.
  ///   - mirror: The mirror.
  ///   - begin: Begins the mirror at the floor.
  /// - Returns: The event for the engine.
  package mutating func absorb<Storage: MirrorStorage>(
    _ lineage: Lineage, floor: Head, _ verdicts: [VerdictLine], anew isAnew: Bool = false, into mirror: inout Storage,
    begin: (inout Storage) throws(Storage.Failure) -> Void
  ) throws(Storage.Failure) -> Reply {
    beginTransaction()
    let new = lineage.generation
    let isRestart = generation != nil && generation != new
    if isFormer(new) { return .diverged(isRestart: false) }
    // Only the operator's command lets devices go on to another journal: it names their generation.
    if isOther(floor.journal, than: mirror.head), let generation, !lineage.knows(generation) { return .diverged(isRestart: false) }
    let isOtherStart = isRestart || isAnew
    if let head = mirror.head, let start = mirror.start, !isOtherStart, head.revision > floor.revision, start.revision <= floor.revision {
      return .adopted
    }
    var lines: [EntryID: VerdictLine] = [:]
    for line in verdicts { lines[line.id] = line }
    let own = try own(in: mirror)
    // The server has lost own entries, and the operator has not decided yet. The new floor would forget them without a word.
    if !isRestart, own.contains(where: { lines[$0.id]?.hash != $0.hash }) { return .diverged(isRestart: false) }
    refused.removeAll { refused in
      guard refused.code == .lost, let line = lines[refused.draft.id], line.hash == refused.draft.hash else { return false }
      guard case .accepted(let revision) = line.verdict else { return false }
      return revision <= floor.revision
    }
    if isRestart {
      outbox.forgetVerdicts()
      let earlier = own
      awaiting.removeAll { _ in true }
      for draft in earlier {
        // Another draft under the id, of a live copy, says nothing about this one.
        let line = lines[draft.id].flatMap { $0.hash == draft.hash ? $0 : nil }
        switch line?.verdict {
        case .accepted(let revision):
          if revision <= floor.revision { folded[draft.id] = .accepted(revision) }
          guard revision > floor.revision else { continue }
          awaiting.append(Awaited(draft: draft, revision: revision, generation: new))
        case .refused(let code, _): refuse(draft, code)
        case nil: refuse(draft, .lost)
        }
      }
    }
    // The floor lies before the device's own one, or the app does not read the state at that one: the own entries between come again.
    if !isRestart {
      for draft in own {
        guard let line = lines[draft.id], line.hash == draft.hash, case .accepted(let revision) = line.verdict else { continue }
        if revision > floor.revision { awaiting.append(Awaited(draft: draft, revision: revision, generation: new)) }
      }
    }
    enter(lineage)
    try begin(&mirror)
    for draft in outbox.drafts {
      guard let line = lines[draft.id] else { continue }
      outbox.learn(
        line.hash == draft.hash
          ? line : VerdictLine(id: draft.id, hash: draft.hash, verdict: .refused(.clone, at: line.verdict.revision)))
    }
    awaiting.removeAll { $0.revision <= floor.revision }
    try cover(&mirror, outbox.drafts)
    return .adopted
  }

  /// Moves the start of the mirror forward, without the server: the device gives up its oldest copies of entries.
  ///
  /// Only a floor that the server has sent decides drafts; the device's own floor only says which entries the state contains. The device
  /// therefore reads the verdicts of these entries before it removes them: their drafts leave the outbox, and a known verdict at a revision
  /// where the mirror has another entry is forgotten. Afterwards no known verdict lies at or below the new floor. Awaited changes stay,
  /// because none of the removed entries is theirs.
  ///
  /// After a failure this value and the storage differ; the caller discards both.
  ///
  /// - Parameters:
  ///   - floor: The last entry to remove: an entry of the mirror whose state the caller has.
  ///   - mirror: The mirror.
  ///   - move: Removes the entries up to the floor.
  /// - Returns: Whether the mirror begins at the floor now; false if it begins there or later already, or ends before.
  /// - Complexity: O(drafts that may be covered + awaited changes + refusals), and that of the move.
  package mutating func compact<Storage: MirrorStorage>(
    to floor: Head, in mirror: inout Storage, move: (inout Storage) throws(Storage.Failure) -> Void
  ) throws(Storage.Failure) -> Bool {
    beginTransaction()
    guard lineage != nil, let start = mirror.start, let head = mirror.head, floor.journal == head.journal else { return false }
    guard floor.revision > start.revision, floor.revision <= head.revision else { return false }
    try cover(&mirror, outbox.candidates(head: head.revision, named: []))
    try cover(&mirror, listed: awaited.map { $0.draft.id } + refusals.filter { $0.code == .lost }.map { $0.draft.id })
    try move(&mirror)
    return true
  }

  /// Removes the drafts whose verdicts the mirror covers, after a page.
  ///
  /// - Complexity: O(page), however many drafts wait, apart from those that were never looked up.
  private mutating func cover<Storage: MirrorStorage>(_ mirror: inout Storage, _ page: Page) throws(Storage.Failure) {
    guard let head = mirror.head else { return }
    let named = page.entries.lazy.map { $0.id }
    try cover(&mirror, outbox.candidates(head: head.revision, named: Array(named) + page.lines.map { $0.id }), page.reasons)
    guard !awaiting.isEmpty || !refused.isEmpty else { return }
    // The lists are short: awaited changes wait for entries of the next pages, and few changes are ever lost.
    let listed = isFresh ? awaited.map { $0.draft.id } + refusals.filter { $0.code == .lost }.map { $0.draft.id } : []
    isFresh = false
    try cover(&mirror, listed: Array(named) + listed)
  }

  /// Removes those of some changes from the lists whose entries the mirror has.
  private mutating func cover<Storage: MirrorStorage>(_ mirror: inout Storage, listed ids: [EntryID]) throws(Storage.Failure) {
    for id in ids {
      guard let entry = try mirror.entry(id), let hash = entry.hash else { continue }
      let key = DraftKey(id, hash)
      switch entry.body {
      // A copy of this file has sent an awaited change to a journal without it, and it was refused there.
      case .refused(_, _, let code): endWaiting(for: key, code)
      case .draft:
        awaiting.remove(key)
        // A copy of this file may have sent a lost change again.
        refused.remove(key)
      case .initial: break
      }
    }
  }

  /// Removes those of some drafts whose verdicts the mirror covers.
  private mutating func cover<Storage: MirrorStorage>(
    _ mirror: inout Storage, _ drafts: [SyncDraft], _ reasons: [EntryID: String] = [:]
  ) throws(Storage.Failure) {
    guard let start = mirror.start, let head = mirror.head else { return }
    var leaving: [EntryID] = []
    var undone: Set<EntryID>?
    for draft in drafts {
      guard let verdict = covered(draft, by: try mirror.entry(draft.id), start, head) else { continue }
      leaving.append(draft.id)
      left[draft.id] = verdict
      guard case .refused(let code, _) = verdict, code.isListed else { continue }
      // The user has taken it back already: there is nothing to tell.
      let takenBack = undone ?? outbox.takenBack
      undone = takenBack
      if !takenBack.contains(draft.id) { refuse(draft, code, because: reasons[draft.id]) }
    }
    outbox.endComparison()
    outbox.remove(leaving)
  }

  /// The verdict with which a draft leaves the outbox; nil if it stays.
  private mutating func covered(_ draft: SyncDraft, by entry: SyncEntry?, _ start: Head, _ head: Head) -> Verdict? {
    // `clone` is no entry: the id is there with another hash.
    if let entry { return entry.hash == draft.hash ? entry.verdict : .refused(.clone, at: entry.revision) }
    guard let verdict = outbox.known[draft.id] else { return nil }
    guard let revision = verdict.revision else { return verdict }
    if revision <= start.revision { return verdict }
    // The mirror has another entry there: the server was restored after it had told the verdict.
    if revision <= head.revision { outbox.forgetVerdict(of: draft.id) }
    return nil
  }

  /// Lists an awaited change as refused.
  private mutating func endWaiting(for key: DraftKey, _ code: RefusalCode) {
    if let change = awaiting.remove(key) { refuse(change.draft, code) }
  }

  private mutating func refuse(_ draft: SyncDraft, _ code: RefusalCode, because reason: String? = nil) {
    refused.append(Refused(draft: draft, code: code, reason: reason))
  }
}
