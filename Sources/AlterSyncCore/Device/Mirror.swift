import AlterCore
import AlterJournal

/// A device's copy of a contiguous stretch of the server's journal: the floor, the entries after it, and the fold.
///
/// Invariants: each entry follows the one before it in the chain; the fold ends at the head, or before the first entry of a newer schema.
package struct Mirror<State: SyncState>: Sendable {
  package enum Problem: Error, Hashable {
    /// The entries do not follow the head: damaged, or of another history.
    case brokenChain(at: Revision)
  }

  package let floor: Floor<State>
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
  package init(from floor: Floor<State>, schema: Int, replacesInitial: Bool = true) {
    self.floor = floor
    self.replacesInitial = replacesInitial
    self.schema = schema
    head = floor.head
    timeline = Timeline(floor.state)
  }

  /// Adds entries. Those up to the head are skipped: an answer may arrive twice.
  ///
  /// - Throws: ``Problem``; the entries before the broken one are added.
  package mutating func extend(_ new: [SyncEntry], rules: SyncRules = .all) throws(Problem) {
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

  /// The entry with an id.
  package subscript(id: EntryID) -> SyncEntry? { places[id].map { entries[$0] } }

  /// The entries that are not folded.
  package var unfolded: ArraySlice<SyncEntry> {
    guard let stop else { return [] }
    return entries[(stop - floor.head.revision - 1)...]
  }
}
