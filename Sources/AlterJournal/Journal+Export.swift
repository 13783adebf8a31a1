import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// A journal as JSON lines, for archiving, for moving, and for other tools. `Design/0009-export-format.md` specifies the format.
extension Journal {
  /// Writes the journal as JSON lines, up to its present head: a header, then one line for each entry.
  ///
  /// The export of a compacted journal has the state at its ``floor()`` before the entries.
  ///
  /// - Parameter write: Receives one line, including its line feed.
  /// - Returns: The head that was exported.
  /// - Throws: ``JournalError`` `damaged` at the first entry that is wrong or missing; `noSuchRevision` if the journal is a device's copy that
  ///   begins after a floor, or is compacted meanwhile; any error of `write`.
  /// - Complexity: O(bytes of the journal) in time, one page in memory.
  @discardableResult
  public func export(_ write: (Data) throws -> Void) async throws -> Head {
    let floor = try await exportedFloor()
    let head = try await head()
    try write(ExportLine.line(ExportLine.header(head, floor: floor?.head)))
    if let floor { try write(ExportLine.line(ExportLine.object(floor))) }
    var failure: (any Error)?
    let (end, _) = try await readVerified(after: floor?.head, through: head.revision) { entry throws(JournalError) in
      guard failure == nil else { return }
      do { try write(ExportLine.line(ExportLine.object(entry))) } catch { failure = error }
    }
    if let failure { throw failure }
    guard end == head else { throw JournalError.diverged(name, at: head.revision, head: end.revision) }
    return head
  }

  /// Fills this empty journal with an export that ``export(_:)`` has written.
  ///
  /// The whole export is checked before anything is written: each line, the chain of checksums, and that no line is missing at the end.
  /// This journal keeps its own id, so the checksums of its entries differ from those in the export.
  ///
  /// The export of a synced journal becomes a journal that is not synced: receipts and refused drafts, which change no state, are left out.
  /// Its revisions may then be lower than in the export. Of every other entry the draft stays the same, byte for byte, under the same id.
  ///
  /// The export of a compacted journal becomes a journal that begins with the state at the floor, as its first entry. It doesn't know the ids
  /// of the entries that the compaction removed.
  ///
  /// - Parameters:
  ///   - lines: The export. A mapped file (`Data(contentsOf:options:)`) is read on demand.
  ///   - source: The name of the export in errors, such as the file's name.
  /// - Returns: The new head of this journal.
  /// - Throws: ``JournalError``: `damaged` or `newerFormat` with the number of the line; `conflict` if this journal is not empty; any error
  ///   of an append. After a failed append some entries may have been written, and the journal should be deleted.
  /// - Complexity: O(bytes of the export).
  @discardableResult
  public func `import`(_ lines: Data, from source: String = "the export") async throws(JournalError) -> Head {
    var check = ExportReader(lines, source: source)
    while try check.next() != nil {}
    var reader = ExportReader(lines, source: source)
    return try await fill(from: try reader.floor()) { () throws(JournalError) in try reader.next() }
  }

  /// Copies every entry to another, empty journal. Leases and snapshots are not copied.
  ///
  /// The copy of a synced journal is not synced, and that of a compacted one begins with the state at its floor, as after an import. To start again from the present state, without its history, see
  /// `Store.copy(to:squashing:)`.
  ///
  /// - Parameter target: An empty journal. It keeps its own id.
  /// - Returns: The head of the copy.
  /// - Throws: ``JournalError``: `damaged` at the first entry that is wrong or missing; `noSuchRevision` if this journal is a device's copy that
  ///   begins after a ``floor()``, or is compacted meanwhile; `conflict` if the target is not empty; any error of an append. After a failed
  ///   append some entries may have been written, and the target should be deleted.
  /// - Complexity: O(bytes of the journal).
  @discardableResult
  public func copy(to target: any Journal) async throws(JournalError) -> Head {
    let floor = try await exportedFloor()
    let end = try await head()
    var position = floor?.head ?? Head(empty: end.journal)
    var page: ArraySlice<Entry> = []
    return try await target.fill(from: floor) { () async throws(JournalError) in
      if page.isEmpty, position.revision < end.revision {
        var read: [Entry] = []
        position = try await readVerified(
          after: position.revision == .zero ? nil : position, through: min(end.revision, position.revision + 1_000), bytes: 4 << 20
        ) { entry throws(JournalError) in read.append(entry) }.head
        page = read[...]
      }
      return page.popFirst()
    }
  }

  /// Returns the state at which an export or a copy begins; nil for a journal that begins with revision 1.
  ///
  /// - Throws: ``JournalError``: `noSuchRevision` for a device's copy that begins after a floor, because an export would lack its outbox and
  ///   the server's journal is whole; `damaged` if the state can't be read.
  package func exportedFloor() async throws(JournalError) -> Snapshot? {
    guard let floor = try await floor() else { return nil }
    guard try await role() != .mirror else {
      throw JournalError(
        .noSuchRevision, journal: name, revision: floor.revision,
        message: """
          can't be exported or copied: it is a device's copy of a server's journal, and begins after its floor, revision \(floor.revision). \
          Nothing was written. Back up the file instead (SQLiteJournal.backup(to:)), which keeps the state at the floor, the outbox and the \
          refusals; or export the server's journal.
          """)
    }
    guard let state = try await snapshot(at: floor.revision), state.isSound, state.head == floor else {
      if let moved = try await self.floor(), moved != floor {
        throw JournalError(
          .noSuchRevision, journal: name, revision: moved.revision,
          message: "was compacted up to revision \(moved.revision) while it was read. Nothing was written. Export or copy it again.")
      }
      throw .damaged(name, at: floor.revision, "the state at its floor is missing")
    }
    // The size of the entries below is of no use in another journal.
    return Snapshot(head: floor, base: floor, schema: state.schema, written: 0, payload: state.payload)
  }

  /// Appends entries to this empty journal in one turn, in batches of up to 1,000 entries or about 4 MiB.
  ///
  /// - Parameters:
  ///   - floor: The state at which the journal begins; nil if the first entry is its beginning.
  ///   - next: Returns the next entry; nil at the end.
  private func fill(from floor: Snapshot?, _ next: () async throws(JournalError) -> Entry?) async throws(JournalError) -> Head {
    let turn = try await takeTurn()
    defer { turn.end() }
    var head = try await head()
    guard head.revision == .zero else {
      throw JournalError(
        .conflict, journal: name, revision: head.revision,
        message: "is not empty: it has \(head.revision) entries. Nothing was written. Choose a new journal.")
    }
    var drafts: [Entry.Draft] = []
    var bytes: Int64 = 0
    var beginning = floor
    while true {
      var entry = try await next()
      while let skipped = entry, skipped.kind.isSkipped { entry = try await next() }
      if let state = beginning {
        // The floor has no time of its own: its entry was removed.
        let draft = Entry.Draft(
          kind: .initial, id: EntryID(origin: .random(), sequence: 1), time: entry?.time ?? 0, schema: state.schema, payload: state.payload)
        head = try await append([draft], after: head, in: turn, under: []).head
        beginning = nil
      }
      // One append takes consecutive drafts of one origin.
      let follows = entry.map { entry in
        drafts.last.map { $0.id.origin == entry.id.origin && entry.id.sequence.saturatingSubtracting($0.id.sequence) == 1 } ?? true
      }
      if !drafts.isEmpty, follows != true || drafts.count == 1_000 || bytes > 4 << 20 {
        head = try await append(drafts, after: head, in: turn, under: []).head
        drafts = []
        bytes = 0
      }
      guard let entry else { return head }
      drafts.append(entry.draft)
      bytes += entry.size
    }
  }
}

extension Entry {
  /// Parses the payload as JSON, without the types of the app.
  ///
  /// - Throws: ``JSONValue/ParsingError`` if the payload is not JSON.
  /// - Complexity: O(bytes).
  package func json() throws(JSONValue.ParsingError) -> JSONValue { try JSONValue(parsing: payload) }

  /// The whole entry as one object, as in a line of an export.
  ///
  /// - Complexity: O(bytes).
  package var wholeJSON: JSONValue { ExportLine.object(self) }
}
