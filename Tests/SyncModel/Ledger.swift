import AlterCore
import AlterJournal
import AlterSyncCore

/// A ``/AlterSyncCore/Floor`` with its state as a value.
package struct Base<State: SyncState>: Sendable {
  package let head: Head
  package let state: State

  package init(head: Head, state: State) {
    self.head = head
    self.state = state
  }

  /// Reads the start that an answer carries.
  package init(_ floor: Floor) { self.init(head: floor.head, state: State(floor.state)) }

  /// The start as an answer carries it.
  package var floor: Floor { Floor(head: head, state: state.bytes) }
}

/// A server's journal as one value: entries from the floor on, all verdicts, the origins, and the fold. The database holds one, and each
/// server process keeps an earlier one as its view.
package struct Ledger<State: SyncState>: Sendable {
  /// The relation of a device's head to the ledger.
  package enum Position: Sendable, Hashable {
    /// The device may continue from here.
    case known
    /// Entries after it are compacted.
    case belowFloor
    /// The ledger does not have it.
    case unknown
  }

  package private(set) var lineage: Lineage
  package private(set) var floor: Base<State>
  /// The entries after the floor.
  package private(set) var entries: [SyncEntry] = []
  package private(set) var head: Head
  /// All decided drafts, also those below the floor.
  package private(set) var standings: [EntryID: Standing] = [:]
  package private(set) var origins: [Origin: OriginStanding] = [:]
  /// The accepted attempt of each change, by its first attempt.
  package private(set) var attempts: [EntryID: EntryID] = [:]
  /// The reasons of refusals, beside the chain.
  package private(set) var reasons: [EntryID: String] = [:]
  package private(set) var timeline: Timeline<State>
  /// The newest schema that the operator has enabled.
  package var schema: Int
  /// The undo window, a property of the journal.
  package let window: Int
  /// Whether refusals count for the undo window: the wrong rule.
  private let countsRefusals: Bool

  /// Creates a journal with its initial entry.
  package init(
    _ journal: JournalID, lineage: Lineage, initial: SyncEntry.Body, window: Int, schema: Int = 1,
    rules: ModelRules = .all
  ) {
    self.lineage = lineage
    self.window = window
    self.schema = schema
    countsRefusals = !rules.contains(.windowSkipsRefusals)
    guard case .initial(_, let payload) = initial else { preconditionFailure("A journal begins with its initial state.") }
    head = Head(empty: journal)
    let state = State(initial: payload)
    floor = Base(head: head, state: state)
    timeline = Timeline(state)
    timeline.undoesAnswers = rules.contains(.undoesAnswers)
    append(initial, by: nil, receipt: nil)
  }

  /// Adds an entry.
  package mutating func append(_ body: SyncEntry.Body, by principal: Principal?, receipt: Receipt?, reason: String? = nil) {
    append(SyncEntry(body, receipt: receipt, after: head), by: principal, reason: reason)
  }

  /// Adds an entry that follows the head.
  mutating func append(_ entry: SyncEntry, by principal: Principal?, reason: String? = nil) {
    entries.append(entry)
    head = Head(journal: head.journal, revision: entry.revision, checksum: entry.checksum)
    timeline.append(entry)
    guard let hash = entry.hash else { return }
    standings[entry.id] = Standing(hash: hash, verdict: entry.verdict)
    if let reason { reasons[entry.id] = reason }
    if let principal { use(entry.id, by: principal) }
    guard let draft = entry.draft else { return }
    attempts[draft.family] = draft.id
    if let first = draft.retries, let principal { bind(first.origin, to: principal) }
  }

  private mutating func use(_ id: EntryID, by principal: Principal) {
    bind(id.origin, to: principal)
    let last = origins[id.origin]?.last ?? 0
    origins[id.origin]?.last = max(last, id.sequence)
  }

  private mutating func bind(_ origin: Origin, to principal: Principal) {
    if origins[origin] == nil { origins[origin] = OriginStanding(principal: principal.name, last: 0) }
  }

  package var generation: Generation { lineage.generation }

  /// The floor for a mirror that begins now. No undo reaches the initial entry, so a whole journal begins after it.
  package var start: Base<State> { floor.head.revision > .zero ? floor : Base(head: head(at: Revision(1)), state: floor.state) }

  /// Whether the ledger contains a head. A device without a mirror has none, and stands before the first entry.
  package func position(of head: Head?) -> Position {
    let revision = head?.revision ?? .zero
    guard revision >= floor.head.revision else { return .belowFloor }
    guard revision <= self.head.revision else { return .unknown }
    guard let head else { return .known }
    return self.head(at: revision) == head ? .known : .unknown
  }

  /// The head at a revision from the floor on.
  package func head(at revision: Revision) -> Head {
    let place = revision - floor.head.revision
    guard place > 0 else { return floor.head }
    return Head(journal: head.journal, revision: revision, checksum: entries[place - 1].checksum)
  }

  /// At most `limit` entries after a revision from the floor on.
  package func entries(after revision: Revision, limit: Int) -> [SyncEntry] {
    Array(entries[max(0, revision - floor.head.revision)...].prefix(limit))
  }

  /// Removes the entries up to a base, if no remaining entry names one of them and the base lies before the undo window.
  ///
  /// - Returns: Whether the ledger has changed.
  package mutating func compact(to base: Revision, rules: ModelRules = .all) -> Bool {
    guard base > floor.head.revision, base <= head.revision else { return false }
    guard timeline.items.count(where: { $0.revision > base }) >= min(window, timeline.items.count) else { return false }
    guard let state = timeline.settled(at: base) else { return false }
    let newFloor = Base(head: head(at: base), state: state)
    let removed = entries.prefix { $0.revision <= base }
    entries.removeFirst(removed.count)
    floor = newFloor
    timeline.compact(to: base, state: state)
    if !rules.contains(.keepsVerdicts) {
      for entry in removed {
        standings[entry.id] = nil
        origins[entry.id.origin] = nil
      }
    }
    return true
  }

  /// Whether no undo, present or future, reaches below the floor of a device whose head the ledger has.
  package func isSettled(at floor: Revision) -> Bool {
    floor <= start.head.revision || floor <= head.revision && timeline.isSettled(at: floor, window: window)
  }

  /// Appends the tail of a mirror verbatim: the operator's `recover`, after a restore.
  ///
  /// - Parameters:
  ///   - tail: The entries after the head.
  ///   - lineage: That of the mirror. Other devices of its generation then continue.
  ///   - author: The principal of a pseudonym, as the operator's server knows it.
  /// - Returns: False if the tail does not follow the head; then nothing has changed.
  package mutating func recover(_ tail: [SyncEntry], of lineage: Lineage, author: (Pseudonym) -> Principal?) -> Bool {
    var recovered = self
    for entry in tail {
      guard entry.follows(recovered.head) else { return false }
      recovered.append(entry, by: entry.receipt.flatMap { author($0.author) })
    }
    recovered.lineage.learn(lineage)
    self = recovered
    return true
  }

  /// Begins a new generation, by the operator's command.
  ///
  /// - Parameters:
  ///   - generation: The new generation.
  ///   - replaced: The lineage of the database that was replaced, or of a device that has stopped, if the operator has one. Otherwise devices
  ///     that join later do not know these generations as former ones.
  package mutating func begin(_ generation: Generation, after replaced: Lineage? = nil) {
    if let replaced { lineage.learn(replaced) }
    lineage.begin(generation)
  }
}

// The ground of the simulation's decisions.
extension Ledger: DecisionGround {
  package func standing(of id: EntryID) -> Standing? { standings[id] }
  package func standing(of origin: Origin) -> OriginStanding? { origins[origin] }
  package func notedAttempt(of family: EntryID) -> EntryID? { attempts[family] }

  package func obstacle(to draft: SyncDraft) -> Obstacle? {
    var timeline = timeline
    // The wrong rule: refusals push changes out of the window.
    let window = countsRefusals ? window - entries.count { if case .refused = $0.body { true } else { false } } : window
    do throws(Obstacle) {
      try timeline.attempt(draft, at: head.revision.next, window: window, isRefused: isRefused)
      return nil
    } catch {
      return error
    }
  }
}
