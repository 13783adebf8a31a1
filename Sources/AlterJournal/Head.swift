public import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The id of a journal: random, made with it, and kept by its backups.
public struct JournalID: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The 128 random bits.
  public let uuid: UUID

  /// A journal id with the given bits.
  public init(_ uuid: UUID) { self.uuid = uuid }

  /// A fresh id, for a journal that is being made.
  public static func random() -> JournalID { JournalID(UUID()) }

  /// The UUID's text, lowercase.
  public var description: String { uuid.uuidString.lowercased() }
}

/// The last link of a journal's chain: 128 bits that depend on every byte of every entry so far, in order.
public struct Checksum: Sendable, Hashable, CustomStringConvertible {
  /// The first half.
  public let high: UInt64
  /// The second half.
  public let low: UInt64

  /// A checksum with the given bits.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// What a journal's chain begins with, before its first entry.
  public init(start journal: JournalID) {
    (high, low) = journal.uuid.halves
  }

  /// A checksum from its 16 bytes, or nil when there are more or fewer.
  public init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    let words = bytes.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    self.init(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
  }

  /// The 16 bytes, big-endian.
  public var bytes: Data {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
  }

  /// 32 lowercase hexadecimal digits.
  public var description: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// The checksum of the entry that follows: SipHash-2-4-128, keyed by this one, over every stored field.
  ///
  /// Variable fields are preceded by their length, so that no byte can move from one field to its neighbour unnoticed.
  /// The layout is part of the file format: see `Design/0003-journal-format.md`.
  ///
  /// - Complexity: O(bytes of the payload).
  public func next(revision: Revision, draft: Entry.Draft) -> Checksum {
    var hash = SipHash128(key0: high, key1: low)
    let origin = draft.id.origin.uuid.halves
    hash.combine(UInt64(bitPattern: revision.number))
    hash.combine(UInt64(bitPattern: draft.time))
    hash.combine(origin.high)
    hash.combine(origin.low)
    hash.combine(UInt64(bitPattern: draft.id.sequence))
    hash.combine(UInt64(bitPattern: Int64(draft.schema)))
    hash.combine(field: draft.kind.rawValue)
    hash.combine(field: draft.scope.rawValue)
    hash.combine(field: draft.payload)
    hash.combine(draft.cause == nil ? 0 : 1)
    if let cause = draft.cause { hash.combine(field: cause) }
    let (high, low) = hash.finalize()
    return Checksum(high: high, low: low)
  }
}

extension SipHash128 {
  fileprivate mutating func combine(field bytes: Data) {
    combine(UInt64(bytes.count))
    bytes.withUnsafeBytes { combine(bytes: $0) }
  }

  fileprivate mutating func combine(field text: String) {
    var text = text
    text.withUTF8 {
      combine(UInt64($0.count))
      combine(bytes: UnsafeRawBufferPointer($0))
    }
  }
}

/// Where a journal ends: a token that an append must present.
///
/// It names a history, not merely a length: two journals of 40 entries that differ in one byte have different heads.
public struct Head: Sendable, Hashable, CustomStringConvertible {
  /// Which journal.
  public let journal: JournalID
  /// The revision of its last entry; 0 when it is empty.
  public let revision: Revision
  /// The checksum of its last entry.
  public let checksum: Checksum

  /// A head with the given parts.
  public init(journal: JournalID, revision: Revision, checksum: Checksum) {
    self.journal = journal
    self.revision = revision
    self.checksum = checksum
  }

  /// The head of an empty journal.
  public init(empty journal: JournalID) {
    self.init(journal: journal, revision: .zero, checksum: Checksum(start: journal))
  }

  /// The head once the entry is appended here.
  public func advanced(by entry: Entry) -> Head {
    Head(journal: journal, revision: entry.revision, checksum: entry.checksum)
  }

  /// Checks that an entry is the one that follows here, unharmed, and moves on to it.
  ///
  /// - Parameters:
  ///   - entry: The next entry as read.
  ///   - name: The journal's name, for the error.
  /// - Throws: ``JournalError`` with the code `damaged`, naming the revision and what is wrong with it.
  /// - Complexity: O(bytes of the entry).
  public mutating func verify(_ entry: Entry, in name: String) throws(JournalError) {
    guard entry.revision == revision.next else {
      throw .damaged(
        name, at: revision.next, "the entry is missing: what is stored after revision \(revision) is revision \(entry.revision)")
    }
    guard checksum.next(revision: entry.revision, draft: entry.draft) == entry.checksum else {
      throw .damaged(name, at: entry.revision, "its checksum does not match its content and the entry before it")
    }
    self = advanced(by: entry)
  }

  /// As in `revision 42 (9f2c…)`.
  public var description: String { "revision \(revision) (\(checksum.description.prefix(8)))" }
}
