#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows of a journal's entries below its floor: first the entries themselves, which no reader is shown, and once they are removed,
  /// their ids as runs of consecutive sequences with consecutive revisions (the table `verdicts`).
  enum CompactedRow {
    /// The number of rows that one transaction removes at most.
    static let rows = 256
    /// The bytes after which a transaction removes no further row.
    static let bytes: Int64 = 1 << 20

    /// Returns the floor's revision.
    static func floor(_ journal: Int64, in database: Database) throws -> Revision {
      Revision(try database.number("SELECT floor FROM journals WHERE number = ?", journal) ?? 0)
    }

    /// Moves the floor. The caller has checked the plan.
    static func move(to pinned: Snapshot, journal: Int64, in database: Database) throws {
      try database.run(
        "UPDATE journals SET floor = ?, floor_checksum = ?, floor_state = ? WHERE number = ?", pinned.head.revision, pinned.head.checksum,
        pinned.checksum, journal)
      try database.run("DELETE FROM floors WHERE journal = ?", journal)
      try FloorRow.keep(pinned, journal: journal, in: database)
    }

    /// Checks that no newer version of the app has written an entry after a revision, or any snapshot: it may be unable to read the state.
    /// The same holds for a build of the same schema version whose stored form has more names.
    static func checkSchema(
      _ pinned: Snapshot, after seen: Revision, head: Revision, journal: Int64, in database: Database, name: String
    ) throws {
      let newest = try database.number(
        """
        SELECT max(
          coalesce((SELECT max(schema) FROM entries WHERE journal = ?1 AND revision > ?2), 0),
          coalesce((SELECT max(schema) FROM snapshots WHERE journal = ?1), 0))
        """, journal, seen)
      if let newest, newest > Int64(pinned.schema) {
        throw JournalError.planHasOldSchema(name, pinned.schema, newest: Int(clamping: newest), at: head)
      }
      let form = try database.number(
        """
        SELECT max(form) FROM (SELECT schema, form, journal FROM snapshots UNION ALL SELECT schema, form, journal FROM floors)
        WHERE journal = ? AND schema = ?
        """, journal, pinned.schema)
      guard pinned.hasAllNames(of: form ?? 0) else { throw JournalError.planHasFewerNames(name, at: head) }
    }

    /// Checks that the undos and redos after a revision name no entry below a future floor.
    static func checkMarks(
      after seen: Revision, floor: Revision, journal: Int64, in database: Database, name: String
    ) throws {
      try database.forEachRow(
        """
        SELECT revision, payload FROM entries WHERE journal = ? AND revision > ? AND kind IN ('undo', 'redo') ORDER BY revision
        """, journal, max(seen, floor)
      ) { row in
        let revision = row.number(0) ?? 0
        let targets = row.data(1).flatMap { try? JournalCoding.decode(Entry.Targets.self, from: $0).targets } ?? []
        for target in targets {
          guard let entry = try EntryRow.find(target, journal: journal, in: database, name: name), entry.revision <= floor else { continue }
          throw JournalError.planIsOutdated(
            name, "the undo at revision \(revision) names revision \(entry.revision)", at: Revision(revision))
        }
        return true
      }
    }

    /// Returns the revision of an id whose entry is or was at or below the floor; nil for any other id.
    static func revision(of id: EntryID, floor: Revision, journal: Int64, in database: Database) throws -> Revision? {
      try revision(ofAnyIn: id.origin, id.sequence...id.sequence, floor: floor, journal: journal, in: database)
    }

    /// Returns the revision of one of the ids of an origin whose entries are or were at or below the floor; nil if there is none.
    static func revision(
      ofAnyIn origin: Origin, _ sequences: ClosedRange<Int64>, floor: Revision, journal: Int64, in database: Database
    ) throws -> Revision? {
      guard floor > .zero else { return nil }
      let run = try database.first(
        "SELECT first, last, revision FROM verdicts WHERE journal = ? AND origin = ? AND first <= ? ORDER BY first DESC LIMIT 1", journal,
        origin, sequences.upperBound
      ) { row -> Revision? in
        guard let first = row.number(0), let last = row.number(1), let revision = row.number(2), last >= sequences.lowerBound else {
          return nil
        }
        return Revision(revision.saturatingAdding(max(sequences.lowerBound, first).saturatingSubtracting(first)))
      }
      if let run { return run }
      return try database.number(
        "SELECT revision FROM entries WHERE journal = ? AND origin = ? AND sequence BETWEEN ? AND ? AND revision <= ? LIMIT 1", journal,
        origin, sequences.lowerBound, sequences.upperBound, floor
      ).map { Revision($0) }
    }

    /// Removes the oldest rows below the floor, and keeps their ids.
    ///
    /// - Returns: Whether there may be more.
    static func removeSome(journal: Int64, in database: Database) throws -> Bool {
      let floor = try floor(journal, in: database)
      guard floor > .zero else { return false }
      var last: Int64?
      var size: Int64 = 0
      var runs: [Run] = []
      try database.forEachRow(
        """
        SELECT revision, origin, sequence, length(CAST(payload AS BLOB)) + ifnull(length(CAST(cause AS BLOB)), 0) FROM entries
        WHERE journal = ? AND revision <= ? ORDER BY revision LIMIT ?
        """, journal, floor, rows
      ) { row in
        guard let revision = row.number(0), let origin = row.origin(1), let sequence = row.number(2) else { return false }
        if runs.last?.isFollowed(by: origin, sequence, revision) == true {
          runs[runs.count - 1].last = sequence
        } else {
          runs.append(Run(origin: origin, first: sequence, last: sequence, revision: revision))
        }
        size += row.number(3) ?? 0
        last = revision
        return size < bytes
      }
      guard let last else { return try removeSnapshot(below: floor, journal: journal, in: database) }
      for run in runs { try keep(run, journal: journal, in: database) }
      try database.run("DELETE FROM entries WHERE journal = ? AND revision <= ?", journal, last)
      return true
    }

    /// Consecutive sequences of one origin whose entries have consecutive revisions.
    private struct Run {
      let origin: Origin
      let first: Int64
      var last: Int64
      /// Of the first entry.
      let revision: Int64

      func isFollowed(by origin: Origin, _ sequence: Int64, _ revision: Int64) -> Bool {
        origin == self.origin && sequence.saturatingSubtracting(last) == 1
          && revision.saturatingSubtracting(self.revision) == sequence.saturatingSubtracting(first)
      }
    }

    /// Stores a run, as a part of the one before it if it continues that one.
    private static func keep(_ run: Run, journal: Int64, in database: Database) throws {
      try database.run(
        """
        UPDATE verdicts SET last = ?1 WHERE journal = ?2 AND origin = ?3 AND last = ?4 AND revision + last - first + 1 = ?5
          AND first = (SELECT max(first) FROM verdicts WHERE journal = ?2 AND origin = ?3 AND first < ?6)
        """, run.last, journal, run.origin, run.first.saturatingSubtracting(1), run.revision, run.first)
      guard database.changesCount == 0 else { return }
      try database.run(
        "INSERT INTO verdicts (journal, origin, first, last, verdict, revision, number) VALUES (?, ?, ?, ?, 'accepted', ?, 0)", journal,
        run.origin, run.first, run.last, run.revision)
    }

    /// Removes one of the snapshots whose base lies below the floor: no reader can continue from it.
    static func removeSnapshot(below floor: Revision, journal: Int64, in database: Database) throws -> Bool {
      let revision = try database.number("SELECT revision FROM snapshots WHERE journal = ? AND base < ? LIMIT 1", journal, floor)
      guard let revision else { return false }
      try SnapshotRow.remove(Revision(revision), journal: journal, in: database)
      return true
    }

    // MARK: Checking

    /// Checks the runs of a journal that stores write: they and the rows that are not removed yet must have each revision up to the floor once,
    /// and no id twice. Exactly-once depends on them.
    ///
    /// - Throws: `damaged` with the first run that is wrong.
    /// - Complexity: O(runs × log(entries) + rows below the floor).
    static func check(_ journal: Int64, floor: Revision, in database: Database, name: String) throws {
      try checkRevisions(journal, floor: floor, in: database, name: name)
      try checkIDs(journal, in: database, name: name)
    }

    /// The rows are removed from the oldest on, so the runs have the revisions from 1 on, without a gap.
    private static func checkRevisions(_ journal: Int64, floor: Revision, in database: Database, name: String) throws {
      var end: Int64 = 0
      try database.forEachRow("SELECT \(StoredRun.columns) FROM verdicts WHERE journal = ? ORDER BY revision", journal) { row in
        let run = StoredRun(row)
        guard let run, run.verdict == "accepted", run.first <= run.last else {
          throw JournalError.damagedRuns(name, "a row with removed ids, after revision \(end), is invalid")
        }
        guard run.revision == end.saturatingAdding(1) else {
          throw JournalError.damagedRuns(
            name,
            run.revision > end
              ? "the ids of the removed entries \(end.saturatingAdding(1)) to \(run.revision.saturatingSubtracting(1)) are missing"
              : "\(run) begins at revision \(run.revision), which another id has, too")
        }
        end = run.end
        guard end <= floor.number else {
          throw JournalError.damagedRuns(name, "\(run) ends at revision \(end), but the floor is revision \(floor)")
        }
        return true
      }
      let rest = try database.number(
        "SELECT count(*) FROM entries WHERE journal = ? AND revision > ? AND revision <= ?", journal, end, floor)
      let double = try database.number("SELECT revision FROM entries WHERE journal = ? AND revision <= ? LIMIT 1", journal, end)
      if let double { throw JournalError.damagedRuns(name, "revision \(double) is among the removed entries, but its row is there") }
      guard rest ?? 0 == floor.number - end else {
        throw JournalError.damagedRuns(
          name,
          "of the entries \(end + 1) to \(floor), which a compaction is to remove, \(rest ?? 0) are left, and the ids of the others are missing"
        )
      }
    }

    private static func checkIDs(_ journal: Int64, in database: Database, name: String) throws {
      var previous: StoredRun?
      try database.forEachRow("SELECT \(StoredRun.columns) FROM verdicts WHERE journal = ? ORDER BY origin, first", journal) { row in
        guard let run = StoredRun(row) else { return true }
        if let previous, previous.origin == run.origin, previous.last >= run.first {
          throw JournalError.damagedRuns(name, "\(previous) and \(run) have the same ids")
        }
        let there = try database.number(
          "SELECT revision FROM entries WHERE journal = ? AND origin = ? AND sequence BETWEEN ? AND ? LIMIT 1", journal, run.origin,
          run.first,
          run.last)
        if let there {
          throw JournalError.damagedRuns(name, "revision \(there) has an id of \(run)")
        }
        previous = run
        return true
      }
    }

    /// A run as it is stored.
    private struct StoredRun: CustomStringConvertible {
      static let columns = "origin, first, last, revision, verdict"

      let origin: Origin
      let first: Int64
      let last: Int64
      let revision: Int64
      let verdict: String

      /// The revision of its last entry.
      var end: Int64 { revision.saturatingAdding(last.saturatingSubtracting(first)) }

      /// Reads a run; nil if a value is missing or of another type.
      init?(_ row: PreparedStatement) {
        guard let origin = row.origin(0), let first = row.number(1), let last = row.number(2), let revision = row.number(3),
          let verdict = row.text(4)
        else { return nil }
        (self.origin, self.first, self.last, self.revision, self.verdict) = (origin, first, last, revision, verdict)
      }

      var description: String { "the run of the removed ids \(origin)#\(first) to #\(last)" }
    }
  }

  extension JournalError {
    /// The ids of removed entries are not what they were.
    fileprivate static func damagedRuns(_ name: String, _ why: String) -> JournalError {
      JournalError(
        .damaged, journal: name,
        message: """
          is damaged: \(why). The entries above the floor are unharmed. But a change that was sent before the compaction, and whose answer was lost, \
          could be written twice, or never. Nothing was changed. Close all stores that have changes to resume, keep a copy of the file, and restore \
          a backup.
          """)
    }
  }
#endif
