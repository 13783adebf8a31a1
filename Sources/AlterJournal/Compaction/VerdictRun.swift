import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The verdicts of a server on consecutive drafts of one origin, after a compaction has removed their entries: equal verdicts, whose entries had
/// consecutive revisions.
///
/// The hash of each draft is kept, because a draft that is sent again has its verdict only if it is the same draft. Thereby every look-up has the
/// answer that it had before the compaction.
package struct VerdictRun: Sendable, Hashable {
  /// The largest number of drafts of a run. Extending one writes all of its hashes again.
  package static var longest: Int { 64 }

  /// The origin of the drafts.
  package let origin: Origin
  /// The sequence of the first draft.
  package let first: Int64
  /// The code of the refusals; nil if the drafts were accepted.
  package let code: String?
  /// The revision of the first entry; those of the others follow it.
  package let revision: Revision
  /// The hashes of the drafts, in order.
  package private(set) var hashes: [Checksum]

  /// Creates the run of one entry; nil if the entry is a refusal that cannot be read.
  package init?(_ entry: Entry) {
    guard let standing = entry.standing else { return nil }
    (origin, first) = (entry.id.origin, entry.id.sequence)
    (code, revision, hashes) = (standing.code, standing.revision, [standing.hash])
  }

  /// Reads a run as it is stored; nil if it is invalid.
  ///
  /// - Parameter bytes: The hashes, 16 bytes each.
  package init?(origin: Origin, sequences: ClosedRange<Int64>, verdict: String, revision: Revision, bytes: Data) {
    let (length, isHuge) = sequences.upperBound.subtractingReportingOverflow(sequences.lowerBound)
    guard !isHuge, length < Self.longest, bytes.count == 16 * (length + 1), revision > .zero,
      !revision.number.addingReportingOverflow(length).overflow
    else { return nil }
    (self.origin, first, self.revision) = (origin, sequences.lowerBound, revision)
    code = verdict == Self.accepted ? nil : verdict
    hashes = stride(from: bytes.startIndex, to: bytes.endIndex, by: 16).compactMap { Checksum(bytes: Data(bytes[$0..<$0 + 16])) }
  }

  private static var accepted: String { "accepted" }

  /// The verdict as it is stored: 'accepted', or the code of the refusals.
  package var verdict: String { code ?? Self.accepted }

  /// The sequence of the last draft.
  package var last: Int64 { first + Int64(hashes.count - 1) }

  /// The revision of the last entry.
  package var end: Revision { revision + (hashes.count - 1) }

  /// The hashes as they are stored.
  package var bytes: Data { hashes.reduce(into: Data()) { $0.append($1.bytes) } }

  /// Adds the run that follows this one.
  ///
  /// - Returns: True if `next` follows and was added; false if it does not follow, and nothing has changed.
  package mutating func extend(by next: VerdictRun) -> Bool {
    guard next.origin == origin, next.code == code, next.revision == end.next, !last.addingReportingOverflow(1).overflow,
      next.first == last + 1, hashes.count + next.hashes.count <= Self.longest
    else { return false }
    hashes += next.hashes
    return true
  }

  /// Returns the verdict on a draft of the origin; nil for another sequence.
  package func standing(of sequence: Int64) -> DecidedStanding? {
    guard sequence >= first, sequence <= last else { return nil }
    let offset = Int(sequence - first)
    return DecidedStanding(hash: hashes[offset], code: code, revision: revision + offset)
  }

  /// Returns the runs of entries, which are in order of revision.
  ///
  /// - Throws: ``JournalError`` `damaged` if an entry is a refusal that cannot be read.
  package static func runs(of entries: [Entry], in name: String) throws(JournalError) -> [VerdictRun] {
    var runs: [VerdictRun] = []
    for entry in entries {
      guard let run = VerdictRun(entry) else { throw .damaged(name, at: entry.revision, "its payload is not a refusal") }
      let isContinued = runs.isEmpty ? false : runs[runs.count - 1].extend(by: run)
      if !isContinued { runs.append(run) }
    }
    return runs
  }
}

extension DecidedStanding {
  /// The standing of an entry that a store has written, and that was removed before a server decided the journal: no hash was kept. Such an id
  /// belongs to no device, so a draft under it has other content. No draft is expected to have the hash 0.
  package static func removed(at revision: Revision) -> DecidedStanding {
    DecidedStanding(hash: Checksum(high: 0, low: 0), code: nil, revision: revision)
  }
}
