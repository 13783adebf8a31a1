import AlterCore
import AlterJournal
import AlterSyncCore

/// A device's copy of a contiguous stretch of the server's journal: the floor, the entries after it, and the fold.
///
/// Invariants: each entry follows the one before it in the chain; the fold ends at the head, or before the first entry of a newer schema.
package struct Mirror<State: SyncState>: Sendable {
  package enum Problem: Error, Hashable {
    /// The entries do not follow the head: damaged, or of another history.
    case brokenChain(at: Revision)
  }

  package private(set) var floor: Base<State>
  package private(set) var entries: [SyncEntry] = []
  package private(set) var head: Head
  /// The fold up to the head, or up to the entry before ``stop``.
  package private(set) var timeline: Timeline<State>
  /// The first entry of a schema that this app does not know; nil if all are folded.
  package private(set) var stop: Revision?
  /// The newest schema that this app knows.
  package private(set) var schema: Int
  private var places: [EntryID: Int] = [:]

  private let replacesInitial: Bool

  /// Creates a mirror without entries.
  ///
  /// - Parameters:
  ///   - floor: The start. Before the first contact its state is the one that the app has passed.
  ///   - schema: The newest schema that the app knows.
  ///   - replacesInitial: Whether the journal's initial state replaces that of the floor.
  package init(from floor: Base<State>, schema: Int, replacesInitial: Bool = true) {
    self.floor = floor
    self.replacesInitial = replacesInitial
    self.schema = schema
    head = floor.head
    timeline = Timeline(floor.state)
  }

  /// Adds entries. Those up to the head are skipped: an answer may arrive twice.
  ///
  /// - Throws: ``Problem``; the entries before the broken one are added.
  package mutating func extend(_ new: [SyncEntry], rules: ModelRules = .all) throws(Problem) {
    for entry in new where entry.revision > head.revision || !rules.contains(.verifiesChain) {
      guard entry.follows(head) || !rules.contains(.verifiesChain) else { throw .brokenChain(at: entry.revision) }
      places[entry.id] = entries.count
      entries.append(entry)
      head = Head(journal: head.journal, revision: entry.revision, checksum: entry.checksum)
      fold(entry)
    }
  }

  private mutating func fold(_ entry: SyncEntry) {
    guard stop == nil else { return }
    if let draft = entry.draft, draft.schema > schema {
      stop = entry.revision
    } else if replacesInitial || entry.revision > 1 {
      timeline.append(entry)
    }
  }

  /// Folds again with a newer app.
  package mutating func upgrade(to schema: Int) {
    self.schema = schema
    guard let stopped = stop else { return }
    stop = nil
    for entry in entries where entry.revision >= stopped { fold(entry) }
  }

  /// The head at a revision from the floor on; nil for another one.
  package func head(at revision: Revision) -> Head? {
    let place = revision - floor.head.revision
    guard place > 0 else { return place == 0 ? floor.head : nil }
    return place <= entries.count ? Head(journal: head.journal, revision: revision, checksum: entries[place - 1].checksum) : nil
  }

  /// Begins at a later entry, with the state there. The entries up to it go.
  ///
  /// The state must be final: an undo window of entries follows the new floor, so that the server refuses every later undo of an entry that
  /// goes, and no undo that is there names one. The server checks the same (``ServerProcess``), because a restore shortens its journal.
  ///
  /// - Parameters:
  ///   - revision: The last entry to go.
  ///   - window: The undo window of the journal.
  /// - Returns: Whether that is possible; otherwise nothing has changed.
  /// - Complexity: O(entries).
  package mutating func compact(to revision: Revision, window: Int, rules: ModelRules = .all) -> Bool {
    guard revision > floor.head.revision, let start = head(at: revision) else { return false }
    guard stop == nil || !rules.contains(.foldsToFloor) else { return false }
    guard timeline.isSettled(at: revision, window: rules.contains(.leavesWindow) ? window : 0) else { return false }
    guard let state = timeline.settled(at: revision) else { return false }
    let rest = entries[(revision - floor.head.revision)...]
    let (schema, replacesInitial) = (schema, replacesInitial)
    self = Mirror(from: Base(head: start, state: state), schema: schema, replacesInitial: replacesInitial)
    for entry in rest {
      places[entry.id] = entries.count
      entries.append(entry)
      head = Head(journal: head.journal, revision: entry.revision, checksum: entry.checksum)
      fold(entry)
    }
    return true
  }

  /// The entry with an id.
  package subscript(id: EntryID) -> SyncEntry? { places[id].map { entries[$0] } }

  /// The entries that are not folded.
  package var unfolded: ArraySlice<SyncEntry> {
    guard let stop else { return [] }
    return entries[(stop - floor.head.revision - 1)...]
  }
}
