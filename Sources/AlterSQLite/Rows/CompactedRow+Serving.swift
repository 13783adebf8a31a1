#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // The entries below the floor of a journal that a server decides: their verdicts stay, with the hashes of the drafts.
  extension CompactedRow {
    private static let columns = "origin, first, last, verdict, revision, hashes"

    /// Returns the verdict on a draft whose entry was removed; nil if there is none.
    ///
    /// - Throws: `damaged` if the row is invalid.
    static func standing(
      of id: EntryID, floor: Revision, journal: Int64, in database: Database, name: String
    ) throws -> DecidedStanding? {
      guard floor > .zero else { return nil }
      return try database.first(
        "SELECT \(columns) FROM verdicts WHERE journal = ? AND origin = ? AND first <= ? ORDER BY first DESC LIMIT 1", journal, id.origin,
        id.sequence
      ) { row in
        switch try stored(row, name: name) {
        case .served(let run): return run.standing(of: id.sequence)
        case .plain(let sequences, let revision):
          guard sequences.contains(id.sequence) else { return nil }
          return .removed(at: Revision(revision.number.saturatingAdding(id.sequence.saturatingSubtracting(sequences.lowerBound))))
        }
      }
    }

    /// A row of `verdicts`.
    enum Stored {
      /// Of entries that were removed while a server decided the journal.
      case served(VerdictRun)
      /// Of entries that were removed while stores wrote it.
      case plain(ClosedRange<Int64>, Revision)
    }

    /// Reads a row with its origin, its sequences, its verdict, its revision and its hashes.
    ///
    /// - Throws: `damaged` if the row is invalid.
    static func stored(_ row: PreparedStatement, name: String) throws -> Stored {
      guard let origin = row.origin(0), let first = row.number(1), let last = row.number(2), first <= last, let verdict = row.text(3),
        let revision = row.number(4)
      else { throw JournalError.damaged(name, "a run of its verdicts is invalid") }
      guard let bytes = row.data(5) else { return .plain(first...last, Revision(revision)) }
      guard
        let run = VerdictRun(
          origin: origin, sequences: first...last, verdict: verdict, revision: Revision(revision), bytes: bytes)
      else { throw JournalError.damaged(name, "the run of its verdicts from \(origin)#\(first) is invalid") }
      return .served(run)
    }

    /// The oldest rows up to a floor, as many as one transaction removes.
    ///
    /// - Throws: `damaged` if a row cannot be read.
    static func oldest(upTo floor: Revision, journal: Int64, in database: Database, name: String) throws -> [Entry] {
      let statement = try EntryRow.select("revision <= ? ORDER BY revision LIMIT ?", in: database)
      statement.bind(journal, at: 1)
      statement.bind(floor.number, at: 2)
      statement.bind(Int64(rows), at: 3)
      var entries: [Entry] = []
      var size: Int64 = 0
      try statement.forEachRow { row in
        let entry = try EntryRow.sound(row, name: name)
        entries.append(entry)
        size = size.saturatingAdding(entry.size)
        return size < bytes
      }
      return entries
    }

    /// Removes the oldest rows below the floor of a served journal, and keeps their verdicts.
    ///
    /// - Returns: Whether there may be more.
    /// - Throws: `damaged` if a row cannot be read; then nothing is removed.
    static func removeSomeServed(journal: Int64, in database: Database, name: String) throws -> Bool {
      let floor = try floor(journal, in: database)
      guard floor > .zero else { return false }
      let entries = try oldest(upTo: floor, journal: journal, in: database, name: name)
      guard let last = entries.last?.revision else { return try removeSnapshot(below: floor, journal: journal, in: database) }
      for run in try VerdictRun.runs(of: entries, in: name) { try keep(run, journal: journal, in: database, name: name) }
      for table in ["reasons", "entries"] {
        try database.run("DELETE FROM \(table) WHERE journal = ? AND revision <= ?", journal, last)
      }
      return true
    }

    /// Stores a run, as a part of the one before it if it continues that one.
    private static func keep(_ run: VerdictRun, journal: Int64, in database: Database, name: String) throws {
      let before = try database.first(
        "SELECT \(columns) FROM verdicts WHERE journal = ? AND origin = ? AND first < ? ORDER BY first DESC LIMIT 1", journal, run.origin,
        run.first
      ) { try stored($0, name: name) }
      if case .served(var longer) = before, longer.extend(by: run) {
        return try database.run(
          "UPDATE verdicts SET last = ?, hashes = ? WHERE journal = ? AND origin = ? AND first = ?", longer.last, longer.bytes, journal,
          run.origin, longer.first)
      }
      try database.run(
        "INSERT INTO verdicts (journal, origin, first, last, verdict, revision, number, hashes) VALUES (?, ?, ?, ?, ?, ?, 0, ?)", journal,
        run.origin, run.first, run.last, run.verdict, run.revision, run.bytes)
    }
  }

  extension Writer {
    /// Checks decided drafts against the entries below the floor: their ids must not have been there, and their undos must not name an entry
    /// from there.
    func checkCompacted(_ decided: [DecidedDraft], in journal: OpenJournal, floor: Revision, _ database: Database) throws {
      guard floor > .zero else { return }
      let (number, name) = (journal.number, journal.name)
      for draft in decided.lazy.map(\.draft) {
        if let known = try CompactedRow.standing(of: draft.id, floor: floor, journal: number, in: database, name: name) {
          throw JournalError.originCollision(name, draft.id, at: known.revision)
        }
        for target in draft.targets ?? []
        where try CompactedRow.revision(of: target, floor: floor, journal: number, in: database) != nil {
          throw JournalError.undoBelowFloor(name, target, floor: floor)
        }
      }
    }
  }
#endif
