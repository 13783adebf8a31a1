package import AlterCore

/// The facts about a journal that decide where it can begin.
package struct CompactionSurvey: Sendable {
  /// The present floor; revision 0 for a whole journal.
  package let start: Head
  /// The head up to which the journal was read.
  package fileprivate(set) var head: Head
  /// The last revision that may go.
  package fileprivate(set) var limit: Revision = .zero
  /// The stored snapshots above the floor, by their bases; of several with one base, that of the newest schema,
  /// and of the stored form with the most names.
  package let candidates: [Revision: Snapshot.Place]
  /// The checksum at each candidate, and the bytes of the entries from the floor up to it.
  package private(set) var bases: [Revision: (checksum: Checksum, bytes: Int64)] = [:]
  /// The undos and redos, each with an entry that it names, or 0 if it can't be read: both must lie on the same side of the floor.
  private var spans: [Span] = []
  /// The newest schema of the entries, the snapshots and the state at the floor.
  package private(set) var schema: Int
  /// The snapshot of the newest schema, and among these, of the stored form with the most names; nil if there is none.
  package let newer: Snapshot.Place?
  /// The description of the place where that schema was found.
  package private(set) var newest: String

  /// An undo or a redo, and an entry that it names.
  package struct Span: Sendable {
    /// The revision of the entry; 0 if the undo can't be read.
    package let oldest: Revision
    /// The revision of the undo.
    package let mark: Revision

    /// The reason for which the journal can't begin between them.
    package var limitation: String {
      oldest > .zero
        ? "the undo at revision \(mark) names revision \(oldest), so the journal can't begin between them"
        : "the undo at revision \(mark) can't be read, so the journal can't begin before it"
    }
  }

  fileprivate var marks: [(revision: Revision, targets: [EntryID])] = []
  private let range: CompactionRange
  /// The number of records, entries that are no refusals, that must stay.
  private let window: Int
  /// The revisions of the last records, at least a window of them if there are as many.
  private var records: [Revision] = []
  private var bytes: Int64 = 0
  private var firstToKeep: Revision?

  fileprivate init(_ candidates: [Revision: Snapshot.Place], newest: Snapshot.Place?, start: Head, range: CompactionRange, window: Int) {
    (self.candidates, self.start, self.range, self.window) = (candidates, start, range, window)
    head = start
    newer = newest
    schema = newest?.schema ?? 0
    self.newest = newest.map { $0.revision == start.revision ? "a state at its floor" : "a snapshot at revision \($0.revision)" } ?? "none"
  }

  fileprivate mutating func see(_ entry: Entry) {
    bytes = bytes.saturatingAdding(entry.size)
    if candidates[entry.revision] != nil { bases[entry.revision] = (entry.checksum, bytes) }
    if case .since(let time) = range, firstToKeep == nil, entry.time >= time { firstToKeep = entry.revision }
    if let targets = entry.draft.targets {
      marks.append((entry.revision, targets))
    } else if entry.kind == .undo || entry.kind == .redo {
      // It may name any entry.
      spans.append(Span(oldest: .zero, mark: entry.revision))
    }
    if window > 0, entry.kind != .refused {
      records.append(entry.revision)
      if records.count - window >= max(window, 64) { records.removeFirst(records.count - window) }
    }
    if entry.schema > schema { (schema, newest) = (entry.schema, "an entry at revision \(entry.revision)") }
    head = head.advanced(by: entry)
  }

  fileprivate mutating func add(_ span: Span) { spans.append(span) }

  /// Returns an undo or redo above a revision that names an entry at or below it; nil if there is none.
  package func span(across base: Revision) -> Span? { spans.first { $0.oldest <= base && $0.mark > base } }

  /// Finds the last revision that may go.
  fileprivate mutating func end() {
    let end = head.revision
    let limit =
      switch range {
      case .last(let count): end.number > Int64(max(count, 0)) ? end + -max(count, 0) : .zero
      case .from(let revision): revision > .zero ? revision.previous : .zero
      case .since: firstToKeep?.previous ?? end
      }
    self.limit = min(limit, end)
    guard window > 0 else { return }
    self.limit = min(self.limit, records.count >= window ? records[records.count - window].previous : .zero)
  }
}

extension Journal {
  /// Reads and verifies the journal, and collects the facts about its possible beginnings.
  ///
  /// - Parameters:
  ///   - range: The entries that must stay.
  ///   - window: The number of newest entries, without refusals, that must stay in any case.
  ///   - isMirror: Whether the journal is a device's copy of a server's, which only a store of a synced journal compacts.
  /// - Throws: ``JournalError``: `damaged` at the first entry that is wrong; `failed` or `readOnly` if the journal can't be compacted.
  /// - Complexity: O(bytes of the journal) in time, one page in memory.
  package func surveyed(
    keeping range: CompactionRange, leaving window: Int = 0, ofMirror isMirror: Bool = false
  ) async throws(JournalError) -> CompactionSurvey {
    if !isMirror { _ = try await compactable() }
    return try await whileFloorStays { bottom throws(JournalError) in try await survey(from: bottom, keeping: range, leaving: window) }
  }

  private func survey(
    from bottom: Head?, keeping range: CompactionRange, leaving window: Int
  ) async throws(JournalError) -> CompactionSurvey {
    let end = try await head()
    let start = bottom ?? Head(empty: end.journal)
    var candidates: [Revision: Snapshot.Place] = [:]
    var schema: Snapshot.Place?
    var newest = end.revision
    while newest > .zero {
      let places = try await snapshots(upTo: newest, limit: 64)
      guard let oldest = places.last else { break }
      for place in places {
        if schema.map({ ($0.schema, $0.form) < (place.schema, place.form) }) ?? true { schema = place }
        guard place.base > start.revision, place.base <= place.revision else { continue }
        if let known = candidates[place.base], (known.schema, known.form) >= (place.schema, place.form) { continue }
        candidates[place.base] = place
      }
      newest = oldest.revision.previous
    }
    var survey = CompactionSurvey(candidates, newest: schema, start: start, range: range, window: window)
    try await readVerified(after: bottom, through: end.revision) { entry throws(JournalError) in survey.see(entry) }
    survey.end()
    for mark in survey.marks {
      for target in mark.targets {
        guard let entry = try await entry(target), entry.revision < mark.revision else { continue }
        survey.add(CompactionSurvey.Span(oldest: entry.revision, mark: mark.revision))
      }
    }
    return survey
  }
}

extension Entry.Draft {
  /// The ids that an undo or a redo names; nil for another kind, or if its payload is not valid.
  package var targets: [EntryID]? {
    guard kind == .undo || kind == .redo else { return nil }
    return (try? JournalCoding.decode(Entry.Targets.self, from: payload))?.targets
  }
}
