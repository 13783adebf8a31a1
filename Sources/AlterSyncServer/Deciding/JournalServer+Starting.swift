import AlterCore
import AlterJournal
import AlterStore
import AlterSyncCore

// The snapshots at which mirrors may begin.
//
//   1 … entries … base ──────── at least a window ──────── head of the journal
//                   │ └ no undo or redo names an entry up to the base
//                   └ the state with which the mirror begins: its floor
//
// The state of a snapshot is that of the entries up to its base which are active at the snapshot's head. If no later entry names one of them, this
// is the state at the base. If a window of entries follows, no later one ever will: the decision refuses undos of older entries. The fold of the
// entries after the base then equals that of the whole journal.

/// The results of checks whether an entry of the journal names one below a place.
struct MirrorStartChecks: Sendable {
  /// The entries after a place that were read.
  struct Stretch: Sendable {
    /// The last one.
    var end: Head
    /// The number of those among them that are no refusals.
    var records = 0
    /// Whether one of them undoes or redoes an entry up to the place.
    var isCrossed = false
  }

  /// The stretches that were read after the bases of snapshots. Entries are only appended, so a stretch is continued where it ends.
  private(set) var bases: [Head: Stretch] = [:]
  /// The ends of the windows after the floors of devices: no undo from there on reaches below the floor.
  private(set) var floors: [Revision: Head] = [:]

  /// The number of remembered places of a kind.
  private static var capacity: Int { 1_024 }

  mutating func note(_ stretch: Stretch, after base: Head) {
    if bases.count >= Self.capacity, let one = bases.keys.first { bases[one] = nil }
    bases[base] = stretch
  }

  mutating func note(_ end: Head, after floor: Revision) {
    if floors.count >= Self.capacity, let one = floors.keys.first { floors[one] = nil }
    floors[floor] = end
  }
}

extension JournalServer {
  /// The number of snapshots that one fetch examines.
  private static var candidates: Int { 16 }
  /// The largest state that a device begins at, in bytes. Devices read answers of four times this size.
  private static var largestState: Int { 64 << 20 }

  /// Whether the journal may have a snapshot at which a mirror can begin. A fetch examines it.
  func mayBegin(after start: Revision, at position: ServerPosition) async throws(JournalError) -> Bool {
    if position.floor.revision > .zero { return true }
    guard position.head.revision - start > options.undoWindow else { return false }
    return try await journal.snapshots(upTo: position.head.revision, limit: Self.candidates).contains {
      $0.base > start && position.head.revision - $0.base >= options.undoWindow
    }
  }

  /// Returns the newest snapshot at which a mirror can begin; nil if there is none.
  ///
  /// - Parameters:
  ///   - schemas: The schemas that the device reads.
  ///   - limit: The revision below which the mirror must begin.
  ///   - position: The end of the journal.
  /// - Complexity: O(entries after the base) the first time, then O(new entries).
  func newestFloor(
    in schemas: ClosedRange<Int>, below limit: Revision, at position: ServerPosition
  ) async throws(JournalError) -> Floor? {
    let (start, head) = (start(of: position), position.head)
    guard head.revision - start > options.undoWindow else { return nil }
    for place in try await journal.snapshots(upTo: head.revision, limit: Self.candidates) {
      guard schemas.contains(place.schema), place.base > start, place.base < limit, head.revision - place.base >= options.undoWindow else {
        continue
      }
      // The state of another build of the app may lack values.
      guard place.schema != State.schema.version || place.isComplete(for: State.form) else { continue }
      guard place.size <= Self.largestState, let base = try await journal.head(at: place.base, of: head.journal) else { continue }
      guard try await isCrossed(base, at: head) == false else { continue }
      guard let snapshot = try await journal.snapshot(at: place.revision), snapshot.isSound, snapshot.place == place else { continue }
      // A snapshot of another history may be left from before a restore.
      guard snapshot.base == base, try await isHere(snapshot.head) else { continue }
      // A device could not open its file with a state that the app cannot read.
      if snapshot.schema <= State.schema.version, (try? State.decoding(snapshot.payload, schema: snapshot.schema)) == nil { continue }
      return Floor(head: snapshot.base, state: StateBytes(snapshot.payload, schema: snapshot.schema))
    }
    return nil
  }

  /// Whether no undo, present or future, reaches below the floor of a device whose head the journal has.
  ///
  /// - Complexity: O(undo window) the first time.
  func isSettled(_ floor: Revision, at position: ServerPosition) async throws(JournalError) -> Bool {
    guard floor > start(of: position) else { return true }
    guard floor <= position.head.revision else { return false }
    if let end = starts.floors[floor], end.revision <= position.head.revision, try await isHere(end) { return true }
    guard let base = try await journal.head(at: floor, of: position.head.journal) else { return false }
    var stretch = MirrorStartChecks.Stretch(end: base)
    try await read(&stretch, after: base, through: position.head, records: options.undoWindow)
    guard !stretch.isCrossed, stretch.records >= options.undoWindow else { return false }
    starts.note(stretch.end, after: floor)
    return true
  }

  /// Whether an undo reaches below a base; nil if less than a window of entries follows it.
  private func isCrossed(_ base: Head, at head: Head) async throws(JournalError) -> Bool? {
    var stretch = MirrorStartChecks.Stretch(end: base)
    if let known = starts.bases[base], known.end.revision <= head.revision, try await isHere(known.end) { stretch = known }
    try await read(&stretch, after: base, through: head)
    starts.note(stretch, after: base)
    return stretch.isCrossed ? true : stretch.records >= options.undoWindow ? false : nil
  }

  /// Continues a stretch, until it has enough records, ends at a head, or is crossed.
  private func read(
    _ stretch: inout MirrorStartChecks.Stretch, after base: Head, through head: Head, records: Int = .max
  ) async throws(JournalError) {
    while stretch.end.revision < head.revision, stretch.records < records, !stretch.isCrossed {
      let entries = try await journal.entries(after: stretch.end.revision, limit: min(1_000, head.revision - stretch.end.revision))
      guard !entries.isEmpty else { return }
      var targets = ServerQuestions()
      for entry in entries where entry.kind == .undo || entry.kind == .redo {
        do {
          let named: Entry.Targets = try JournalCoding.decode(from: entry.payload)
          targets.ids.formUnion(named.targets)
        } catch {
          throw .damaged(journal.name, at: entry.revision, "it is not what its kind requires: \(JournalCoding.explain(error))")
        }
      }
      if !targets.ids.isEmpty {
        let standings = try await journal.facts(about: targets).standings
        stretch.isCrossed = targets.ids.contains { id in standings[id].map { $0.revision <= base.revision } ?? true }
      }
      for entry in entries {
        stretch.end = Head(journal: head.journal, revision: entry.revision, checksum: entry.checksum)
        if entry.kind != .refused { stretch.records += 1 }
        guard stretch.records < records else { break }
      }
    }
  }

  private func isHere(_ head: Head) async throws(JournalError) -> Bool {
    do throws(JournalError) { return try await journal.head(at: head.revision, of: head.journal) == head } catch {
      guard error.code == .noSuchRevision else { throw error }
      return false
    }
  }
}
