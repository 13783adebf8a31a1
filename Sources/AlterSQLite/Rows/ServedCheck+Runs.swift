#if SQLite
  import AlterCore
  import AlterJournal
  import GRDB

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  // The verdicts on drafts whose entries a compaction has removed.
  extension ServedCheck {
    /// Checks that each run is valid, lies at or below the floor, and contains no id that another run or an entry has, and that its origin has
    /// used its last sequence.
    ///
    /// - Complexity: O(runs · log(entries)).
    func checkRuns(floor: Revision) throws {
      var before: (origin: Origin?, last: Int64)?
      try database.forEachRow(
        """
        SELECT verdicts.origin, first, verdicts.last, verdict, revision, hashes, origins.last,
          EXISTS (SELECT 1 FROM entries WHERE entries.journal = ?1 AND entries.origin = verdicts.origin
            AND sequence BETWEEN first AND verdicts.last)
        FROM verdicts LEFT JOIN origins ON origins.journal = ?1 AND origins.origin = verdicts.origin
        WHERE verdicts.journal = ?1 ORDER BY verdicts.origin, first
        """, journal
      ) { row in
        let sequences: ClosedRange<Int64>
        let (start, count): (Revision, Int64)
        switch try CompactedRow.stored(row, name: name) {
        case .served(let run): (sequences, start, count) = (run.first...run.last, run.revision, run.last - run.first + 1)
        case .plain(let range, let revision):
          let (length, isHuge) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
          (sequences, start, count) = (range, revision, isHuge ? .max : length.saturatingAdding(1))
        }
        let origin = row.origin(0)
        let place = "from \(origin.map { "\($0)" } ?? "an invalid origin")#\(sequences.lowerBound)"
        guard start > .zero, start.number.saturatingAdding(count - 1) <= floor.number else {
          throw damaged(at: start.number, "the run of verdicts \(place) does not lie at or below the floor, revision \(floor)")
        }
        if let before, before.origin == origin, before.last >= sequences.lowerBound {
          throw damaged(at: start.number, "the run of verdicts \(place) contains a draft of the run before it")
        }
        before = (origin, sequences.upperBound)
        guard row.number(7) == 0 else {
          throw damaged(at: start.number, "the run of verdicts \(place) contains a draft that is an entry")
        }
        // Origins from before the journal was served have no row.
        if let last = row.number(6), last < sequences.upperBound, !row.isNull(5) {
          throw damaged(
            at: start.number,
            "the row of its origin says that the last decided draft is \(last), but the run of verdicts \(place) is longer")
        }
        return true
      }
    }
  }
#endif
