#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // Verdicts without entries: a mirror that begins at a floor has no entries of the drafts that were decided below it.
  //
  // They are kept for good, because a draft may be put into the outbox again after a crash. A row is a run of consecutive sequences of one
  // origin whose entries have consecutive revisions, so that a drained outbox is a few rows.
  extension MirrorTables {
    /// The verdict with which a draft has left the outbox.
    package struct Settled: Sendable, Hashable {
      package let id: EntryID
      /// 'accepted' or the code of the refusal.
      package let verdict: String
      /// The revision of the verdict's entry.
      package let revision: Revision?

      package init(_ id: EntryID, _ verdict: String, at revision: Revision?) {
        (self.id, self.verdict, self.revision) = (id, verdict, revision)
      }
    }

    /// The longest run. Without it a damaged row would be a loop of days.
    private static let longest: Int64 = 1 << 24

    /// A row.
    private struct Run {
      static let columns = "origin, first, last, verdict, revision, number"

      var origin: Origin
      var sequences: ClosedRange<Int64>
      var verdict: String
      /// The revision of the first one.
      var revision: Revision?

      func revision(of sequence: Int64) -> Revision? { revision.map { Revision($0.number + (sequence - sequences.lowerBound)) } }

      /// Whether a verdict continues the run.
      func isContinued(by next: Settled) -> Bool {
        let (upper, isOver) = sequences.upperBound.addingReportingOverflow(1)
        guard !isOver, sequences.count < MirrorTables.longest, next.id.origin == origin, next.id.sequence == upper, next.verdict == verdict
        else { return false }
        // The server names the revision: the sum may be too large.
        guard let revision else { return next.revision == nil }
        let (number, isTooLarge) = revision.number.addingReportingOverflow(upper - sequences.lowerBound)
        return !isTooLarge && next.revision == Revision(number)
      }

      /// The part of the run in a range; nil if there is none.
      func part(_ range: ClosedRange<Int64>) -> Run? {
        guard range.overlaps(sequences) else { return nil }
        var part = self
        part.sequences = range.clamped(to: sequences)
        part.revision = revision(of: part.sequences.lowerBound)
        return part
      }
    }

    /// Records the verdicts with which drafts leave the outbox in a transaction, if the mirror has no entries of them. A later verdict on an
    /// id replaces an earlier one.
    ///
    /// - Complexity: O(verdicts · log(rows)).
    package func settle(_ verdicts: [Settled], in transaction: Int64) throws {
      let sorted = verdicts.sorted {
        ($0.id.origin.uuid.halves.high, $0.id.origin.uuid.halves.low, $0.id.sequence)
          < ($1.id.origin.uuid.halves.high, $1.id.origin.uuid.halves.low, $1.id.sequence)
      }
      var run: Run?
      for verdict in sorted {
        if run?.isContinued(by: verdict) == true, let known = run {
          run?.sequences = known.sequences.lowerBound...verdict.id.sequence
        } else {
          if let run { try replace(with: run, in: transaction) }
          let sequence = verdict.id.sequence
          run = Run(origin: verdict.id.origin, sequences: sequence...sequence, verdict: verdict.verdict, revision: verdict.revision)
        }
      }
      if let run { try replace(with: run, in: transaction) }
    }

    /// The verdicts with which drafts have left the outbox without an entry since a transaction.
    ///
    /// - Complexity: O(verdicts since).
    package func settled(after transaction: Int64) throws -> [EntryID: (verdict: String, revision: Revision?)] {
      var verdicts: [EntryID: (verdict: String, revision: Revision?)] = [:]
      try database.forEachRow("SELECT \(Run.columns) FROM verdicts WHERE journal = ? AND number > ?", journal, transaction) { row in
        let run = try self.run(row).run
        for sequence in run.sequences {
          verdicts[EntryID(origin: run.origin, sequence: sequence)] = (run.verdict, run.revision(of: sequence))
        }
        return true
      }
      return verdicts
    }

    /// The verdict with which a draft has left the outbox without an entry; nil if there is none.
    ///
    /// - Complexity: O(log(rows)).
    package func settled(_ id: EntryID) throws -> (verdict: String, revision: Revision?)? {
      guard let run = try runs(of: id.origin, overlapping: id.sequence...id.sequence).first?.run else { return nil }
      return (run.verdict, run.revision(of: id.sequence))
    }

    /// Whether a draft has left the outbox without an entry. A verdict that a compaction has kept of an entry does not count: its hash is not known.
    ///
    /// - Complexity: O(log(rows)).
    package func hasLeft(_ id: EntryID) throws -> Bool {
      try runs(of: id.origin, overlapping: id.sequence...id.sequence).first.map { $0.number > 0 } ?? false
    }

    /// The verdicts on own drafts whose entries a compaction has removed, or is about to remove.
    ///
    /// - Parameters:
    ///   - origin: The origin of the drafts.
    ///   - revision: The revision after which the entries were.
    /// - Complexity: O(runs of the origin + verdicts + its rows to be removed).
    package func compacted(of origin: Origin, after revision: Revision) throws -> [EntryID: (verdict: String, revision: Revision?)] {
      var verdicts: [EntryID: (verdict: String, revision: Revision?)] = [:]
      for (run, number) in try runs(of: origin, overlapping: Int64.min...Int64.max) where number == 0 {
        for sequence in run.sequences {
          guard let place = run.revision(of: sequence), place > revision else { continue }
          verdicts[EntryID(origin: origin, sequence: sequence)] = (run.verdict, place)
        }
      }
      try forEachBelowFloor(of: origin, after: revision) { entry in
        if let standing = entry.standing { verdicts[entry.id] = (standing.code ?? "accepted", entry.revision) }
      }
      return verdicts
    }

    /// The verdict on an own draft whose entry a compaction has removed, or is about to remove; nil if there is none.
    ///
    /// - Complexity: O(log(rows)).
    package func compacted(_ id: EntryID) throws -> (verdict: String, revision: Revision?)? {
      if let known = try settled(id) { return known }
      guard let entry = try entry(id), let standing = entry.standing, try isOwn(id.origin),
        entry.revision <= (try CompactedRow.floor(journal, in: database))
      else { return nil }
      return (standing.code ?? "accepted", entry.revision)
    }

    /// The number of rows, for tests.
    package func settledRuns() throws -> Int {
      Int(clamping: try database.number("SELECT count(*) FROM verdicts WHERE journal = ?", journal) ?? 0)
    }

    /// Reads the runs, by origin and sequence.
    ///
    /// - Throws: `damaged` if a row is invalid.
    func ranges(skipping offset: Int = 0, limit: Int = .max) throws -> [VerdictRange] {
      try database.all(
        "SELECT \(Run.columns) FROM verdicts WHERE journal = ? ORDER BY origin, first LIMIT ? OFFSET ?", journal, limit, offset
      ) { row in
        let run = try self.run(row).run
        return VerdictRange(origin: run.origin, sequences: run.sequences, verdict: run.verdict, revision: run.revision)
      }
    }

    /// Writes a run in the place of all verdicts on its sequences.
    private func replace(with run: Run, in transaction: Int64) throws {
      for (old, number) in try runs(of: run.origin, overlapping: run.sequences) {
        try database.run(
          "DELETE FROM verdicts WHERE journal = ? AND origin = ? AND first = ?", journal, old.origin, old.sequences.lowerBound)
        if run.sequences.lowerBound > old.sequences.lowerBound, let before = old.part(Int64.min...(run.sequences.lowerBound - 1)) {
          try insert(before, in: number)
        }
        if run.sequences.upperBound < old.sequences.upperBound, let after = old.part((run.sequences.upperBound + 1)...Int64.max) {
          try insert(after, in: number)
        }
      }
      try insert(run, in: transaction)
    }

    private func insert(_ run: Run, in transaction: Int64) throws {
      try database.run(
        "INSERT INTO verdicts (journal, origin, first, last, verdict, revision, number) VALUES (?, ?, ?, ?, ?, ?, ?)", journal, run.origin,
        run.sequences.lowerBound, run.sequences.upperBound, run.verdict, run.revision, transaction)
    }

    /// The runs of an origin that overlap a range, with their transactions. Runs never overlap each other.
    private func runs(of origin: Origin, overlapping range: ClosedRange<Int64>) throws -> [(run: Run, number: Int64)] {
      // From the last run that begins at or before the range.
      return try database.all(
        """
        SELECT \(Run.columns) FROM verdicts WHERE journal = ?1 AND origin = ?2 AND first <= ?4 AND first >=
          coalesce((SELECT max(first) FROM verdicts WHERE journal = ?1 AND origin = ?2 AND first <= ?3), ?3)
        ORDER BY first
        """, journal, origin, range.lowerBound, range.upperBound, read: run
      ).filter { $0.run.sequences.overlaps(range) }
    }

    private func run(_ row: PreparedStatement) throws -> (run: Run, number: Int64) {
      guard let origin = row.origin(0), let first = row.number(1), let last = row.number(2), first <= last,
        case let (length, isHuge) = last.subtractingReportingOverflow(first), !isHuge, length < Self.longest, let verdict = row.text(3),
        let number = row.number(5)
      else { throw JournalError.damagedDevice(name, "a range of its verdicts is invalid") }
      let revision = row.number(4).map { Revision($0) }
      guard revision?.number.addingReportingOverflow(length).overflow != true else {
        throw JournalError.damagedDevice(name, "a range of its verdicts is invalid")
      }
      return (Run(origin: origin, sequences: first...last, verdict: verdict, revision: revision), number)
    }
  }
#endif
