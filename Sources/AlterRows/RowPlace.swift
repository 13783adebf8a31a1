import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The place that rows belong to. Two places are equal if their rows are.
struct RowPlace: Sendable, Equatable {
  /// The changes of a synced journal that rows show beyond the confirmed entries.
  struct Drafts: Sendable, Equatable {
    /// The last transaction of the device's file that the store had read. A later one knows more, and its rows may be the same.
    let transaction: Int64
    /// The hash of the ids of the changes, in order; nil if there are none.
    let hash: Checksum?

    static func == (left: Drafts, right: Drafts) -> Bool { left.hash == right.hash }
  }

  /// The confirmed place.
  let head: Head
  /// Nil for a plain journal and in memory: rows show the confirmed state.
  let drafts: Drafts?

  init(_ head: Head, drafts: (transaction: Int64, pending: [EntryID])?) {
    self.head = head
    self.drafts = drafts.map { Drafts(transaction: $0.transaction, hash: Self.hash(of: $0.pending)) }
  }

  private static func hash(of ids: [EntryID]) -> Checksum? {
    guard !ids.isEmpty else { return nil }
    var hash = SipHash128(key0: 0, key1: UInt64(ids.count))
    for id in ids {
      let origin = id.origin.uuid.halves
      for word in [origin.high, origin.low, UInt64(bitPattern: id.sequence)] { hash.combine(word) }
    }
    let (high, low) = hash.finalize()
    return Checksum(high: high, low: low)
  }

  /// Whether a store that has read this much of the device's file has read less than the writer of the other place.
  func isBehind(_ other: RowPlace) -> Bool { drafts?.transaction ?? 0 < other.drafts?.transaction ?? 0 }

  // MARK: - The columns

  /// Reads the columns `journal`, `revision`, `checksum` and `pending`; nil if they are no place.
  init?(columns: ArraySlice<RowValue>) {
    let columns = Array(columns)
    guard columns.count == 4, case .data(let bytes) = columns[0], let journal = Checksum(bytes: bytes),
      case .integer(let revision) = columns[1],
      case .data(let checksum) = columns[2], let checksum = Checksum(bytes: checksum)
    else { return nil }
    head = Head(journal: JournalID(UUID(high: journal.high, low: journal.low)), revision: Revision(revision), checksum: checksum)
    switch columns[3] {
    case .null: drafts = nil
    case .data(let bytes) where bytes.count == 8 || bytes.count == 24:
      let transaction = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
      drafts = Drafts(transaction: Int64(bitPattern: transaction), hash: Checksum(bytes: Data(bytes.dropFirst(8))))
    default: return nil
    }
  }

  /// The columns `journal`, `revision`, `checksum` and `pending`: 8 bytes of the transaction, then the 16 of the hash.
  var columns: [RowValue] {
    let pending = drafts.map { drafts in
      withUnsafeBytes(of: drafts.transaction.bigEndian) { Data($0) } + (drafts.hash?.bytes ?? Data())
    }
    return [
      .data(Checksum(start: head.journal).bytes), .integer(head.revision.number), .data(head.checksum.bytes),
      pending.map { .data($0) } ?? .null,
    ]
  }
}
