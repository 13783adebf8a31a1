#if Postgres
  import AlterCore
  import AlterJournal

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// The rows of a journal's snapshots.
  enum SnapshotRow {
    /// Returns the parameters of ``Statements/keeping``.
    static func parameters(_ snapshot: Snapshot, number: Int64) -> Parameters {
      Parameters(
        .number(number), .number(snapshot.head.revision.number), .bytes(snapshot.head.checksum.bytes),
        .number(snapshot.base.revision.number), .bytes(snapshot.base.checksum.bytes), .number(Int64(snapshot.schema)),
        .number(snapshot.form),
        .number(snapshot.written), .bytes(snapshot.checksum.bytes), .bytes(snapshot.payload))
    }

    /// Reads a row of ``Statements/snapshots``; nil if it is invalid, because a snapshot is only a cache.
    static func place(_ answer: ServerAnswer, _ row: Int) -> Snapshot.Place? {
      guard let revision = answer.number(row, 0), let base = answer.number(row, 1), let schema = answer.number(row, 2),
        let written = answer.number(row, 3), let size = answer.number(row, 4), let form = answer.number(row, 5), revision > 0
      else { return nil }
      return Snapshot.Place(
        revision: Revision(revision), base: Revision(base), schema: Int(schema), form: form, written: written, size: Int(size))
    }

    /// Reads the row of ``Statements/snapshot``; nil if it is invalid.
    static func snapshot(_ answer: ServerAnswer, at revision: Revision) -> Snapshot? {
      func checksum(_ column: Int) -> Checksum? { answer.data(0, column).flatMap(Checksum.init(bytes:)) }
      guard let id = answer.uuid(0, 0).map({ JournalID($0) }), let headChecksum = checksum(1), let base = answer.number(0, 2),
        let baseChecksum = checksum(3), let schema = answer.number(0, 4), let written = answer.number(0, 5), let own = checksum(6),
        let form = answer.number(0, 8)
      else { return nil }
      return Snapshot(
        head: Head(journal: id, revision: revision, checksum: headChecksum),
        base: Head(journal: id, revision: Revision(base), checksum: baseChecksum), schema: Int(schema), form: form, written: written,
        payload: answer.data(0, 7) ?? Data(), checksum: own)
    }
  }
#endif
