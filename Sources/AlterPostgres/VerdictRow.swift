#if Postgres
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A row of `verdict`: the drafts of consecutive sequences whose entries compaction has removed.
  struct VerdictRow: Sendable {
    let origin: Origin
    let first: Int64
    var last: Int64
    /// 'accepted', or the code of the refusals.
    let verdict: String
    /// The revision of the first one.
    let revision: Int64
    /// The hashes of the drafts, 16 bytes each; nil if stores have written the entries.
    var hashes: Data?

    /// Creates the row of a run of a served journal.
    init(_ run: VerdictRun) {
      (origin, first, last, verdict) = (run.origin, run.first, run.last, run.verdict)
      (revision, hashes) = (run.revision.number, run.bytes)
    }

    /// Creates the row of an entry that a store has written.
    init(plain entry: Entry) {
      (origin, first, last, verdict) = (entry.id.origin, entry.id.sequence, entry.id.sequence, "accepted")
      (revision, hashes) = (entry.revision.number, nil)
    }

    /// Reads the run of ``Statements/facts``; nil if it is invalid.
    init?(_ answer: ServerAnswer, _ row: Int) {
      guard let origin = answer.uuid(row, .origin), let first = answer.number(row, .sequence), let last = answer.number(row, .schema),
        first <= last, let verdict = answer.text(row, .kind), let revision = answer.number(row, .revision), revision > 0
      else { return nil }
      (self.origin, self.first, self.last) = (Origin(origin), first, last)
      (self.verdict, self.revision, hashes) = (verdict, revision, answer.data(row, .scope))
    }

    /// Reads the run of ``Statements/runBefore``; nil if there is none.
    init?(before answer: ServerAnswer, of origin: Origin) {
      guard answer.rowCount == 1, let first = answer.number(0, 0), let last = answer.number(0, 1), first <= last,
        let verdict = answer.text(0, 2), let revision = answer.number(0, 3), revision > 0
      else { return nil }
      (self.origin, self.first, self.last) = (origin, first, last)
      (self.verdict, self.revision, hashes) = (verdict, revision, answer.data(0, 4))
    }

    private var run: VerdictRun? {
      hashes.flatMap {
        VerdictRun(origin: origin, sequences: first...last, verdict: verdict, revision: Revision(revision), bytes: $0)
      }
    }

    /// Returns the verdict on one of the drafts.
    func standing(of sequence: Int64, in name: String) throws(JournalError) -> DecidedStanding {
      guard hashes != nil else { return .removed(at: Revision(revision.saturatingAdding(sequence.saturatingSubtracting(first)))) }
      guard let standing = run?.standing(of: sequence) else {
        throw .damaged(name, "the run of its verdicts from \(origin)#\(first) is invalid")
      }
      return standing
    }

    /// Adds the row that follows this one.
    ///
    /// - Returns: True if `next` follows and was added; false if it does not follow, and nothing has changed.
    mutating func extend(by next: VerdictRow) -> Bool {
      guard let nextHashes = next.hashes else {
        guard hashes == nil, next.origin == origin, next.first.saturatingSubtracting(last) == 1,
          next.revision.saturatingSubtracting(revision) == next.first.saturatingSubtracting(first)
        else { return false }
        last = next.last
        return true
      }
      guard var known = run, let other = next.run, known.extend(by: other), let hashes else { return false }
      (last, self.hashes) = (next.last, hashes + nextHashes)
      return true
    }

    /// Returns the rows of entries, which are in order of revision.
    static func rows(of entries: [Entry], isServed: Bool, in name: String) throws(JournalError) -> [VerdictRow] {
      guard !isServed else { return try VerdictRun.runs(of: entries, in: name).map { VerdictRow($0) } }
      var rows: [VerdictRow] = []
      for entry in entries {
        let row = VerdictRow(plain: entry)
        let isContinued = rows.isEmpty ? false : rows[rows.count - 1].extend(by: row)
        if !isContinued { rows.append(row) }
      }
      return rows
    }
  }
#endif
