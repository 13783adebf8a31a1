#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // A device gives up the oldest entries of its copy of the journal.
  //
  // As in other journals (`Writer+Compacting`), a small transaction moves the floor, and bounded ones remove the rows: no reader is shown a row
  // at or below the floor. The verdicts on own drafts stay, as runs of transaction 0: a store that has not read the file up to the floor yet learns
  // from them what became of its drafts.
  extension MirrorTables {
    /// Moves the floor to the head of a snapshot, whose base is its head.
    ///
    /// - Parameters:
    ///   - pinned: The state at the new floor.
    ///   - seen: The head up to which the caller has checked that no undo names an entry below the floor. Later entries are checked here.
    ///   - window: The undo window: the number of entries, without refusals, that must follow the floor.
    /// - Throws: `conflict` if the mirror has begun again since the plan, a later undo names an entry below the floor, a later entry has a newer schema,
    ///   or less than a window of entries would stay.
    package func moveFloor(to pinned: Snapshot, seen: Head, leaving window: Int) throws {
      let (start, head) = try ends()
      let checksum = try EntryRow.checksum(at: pinned.head.revision, journal: journal, in: database)
      guard pinned.base == pinned.head, pinned.head.journal == head.journal, pinned.head.revision > start.revision,
        checksum == pinned.head.checksum
      else {
        throw JournalError.planIsOutdated(name, "the device's copy of the journal has begun again", at: head.revision)
      }
      try CompactedRow.checkSchema(pinned, after: seen.revision, head: head.revision, journal: journal, in: database, name: name)
      try CompactedRow.checkMarks(
        after: seen.revision, floor: pinned.head.revision, journal: journal, in: database, name: name)
      let rest = try database.number(
        "SELECT count(*) FROM (SELECT 1 FROM entries WHERE journal = ? AND revision > ? AND kind <> 'refused' LIMIT ?)", journal,
        pinned.head.revision, window)
      guard rest ?? 0 >= window else {
        throw JournalError.planIsOutdated(name, "less than an undo window of entries would stay", at: pinned.head.revision)
      }
      try CompactedRow.move(to: pinned, journal: journal, in: database)
    }

    /// Whether drafts of an origin were made with this file.
    func isOwn(_ origin: Origin) throws -> Bool {
      try database.hasRow("SELECT 1 FROM own WHERE journal = ? AND origin = ?", journal, origin)
    }

    /// The verdict to keep of an own entry that is about to go. A draft that has left the outbox as a clone has its own verdict: the entry is
    /// another draft's.
    private func verdict(of entry: Entry) throws -> Settled? {
      guard let standing = entry.standing, try settled(entry.id) == nil else { return nil }
      return Settled(entry.id, standing.code ?? "accepted", at: entry.revision)
    }

    /// Keeps the verdicts on own drafts whose entries lie at or below a revision, because the mirror is about to begin there.
    ///
    /// - Complexity: O(own entries up to the revision).
    func keepVerdicts(upTo revision: Revision) throws {
      let statement = try EntryRow.select("revision <= ? AND origin IN (SELECT origin FROM own WHERE journal = ?)", in: database)
      statement.bind(journal, at: 1)
      statement.bind(revision.number, at: 2)
      statement.bind(journal, at: 3)
      var verdicts: [Settled] = []
      try statement.forEachRow { row in
        // A damaged row must not keep a device from a new beginning, which removes it.
        if case .success(let entry) = EntryRow.entry(row), let verdict = try verdict(of: entry) { verdicts.append(verdict) }
        return true
      }
      try settle(verdicts, in: 0)
    }

    /// Calls a closure with each row of an origin after a revision, up to the floor: a compaction is about to remove it.
    func forEachBelowFloor(of origin: Origin, after revision: Revision, _ body: (Entry) throws -> Void) throws {
      let floor = try CompactedRow.floor(journal, in: database)
      let statement = try EntryRow.select("origin = ? AND revision > ? AND revision <= ?", in: database)
      statement.bind(journal, at: 1)
      origin.bind(to: statement, at: 2)
      statement.bind(revision.number, at: 3)
      statement.bind(floor.number, at: 4)
      try statement.forEachRow { row in
        try body(try EntryRow.sound(row, name: name))
        return true
      }
    }

    /// Removes the oldest rows at or below the floor, and keeps the verdicts on own drafts.
    ///
    /// - Returns: Whether there may be more.
    /// - Throws: `damaged` if a row cannot be read; then nothing is removed.
    func removeBelowFloor() throws -> Bool {
      let floor = try CompactedRow.floor(journal, in: database)
      guard floor > .zero else { return false }
      let entries = try CompactedRow.oldest(upTo: floor, journal: journal, in: database, name: name)
      guard let last = entries.last?.revision else { return false }
      var own: [Origin: Bool] = [:]
      var verdicts: [Settled] = []
      for entry in entries {
        let isOwn = try own[entry.id.origin] ?? isOwn(entry.id.origin)
        own[entry.id.origin] = isOwn
        if isOwn, let verdict = try verdict(of: entry) { verdicts.append(verdict) }
      }
      try settle(verdicts, in: 0)
      try database.run("DELETE FROM entries WHERE journal = ? AND revision <= ?", journal, last)
      return true
    }
  }
#endif
