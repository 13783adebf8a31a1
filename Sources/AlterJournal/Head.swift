public import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The end of a journal: the token that an append must present.
///
/// A head identifies the whole history, not only its length: two journals of 40 entries that differ in one byte have different heads.
public struct Head: Sendable, Hashable, CustomStringConvertible {
  /// The id of the journal.
  public let journal: JournalID
  /// The revision of the last entry; 0 if the journal is empty.
  public let revision: Revision
  /// The checksum of the last entry; derived from the journal's id if the journal is empty.
  public let checksum: Checksum

  /// Creates a head with the given parts.
  public init(journal: JournalID, revision: Revision, checksum: Checksum) {
    self.journal = journal
    self.revision = revision
    self.checksum = checksum
  }

  /// Creates the head of an empty journal.
  public init(empty journal: JournalID) {
    self.init(journal: journal, revision: .zero, checksum: Checksum(start: journal))
  }

  /// Returns the head after an entry has been appended here. The entry is not verified.
  public func advanced(by entry: Entry) -> Head {
    Head(journal: journal, revision: entry.revision, checksum: entry.checksum)
  }

  /// Verifies that an entry is undamaged and follows this head, then advances the head to it.
  ///
  /// - Parameters:
  ///   - entry: The next entry, as read.
  ///   - name: The name of the journal, for errors.
  /// - Throws: ``JournalError`` `damaged` with the revision and the problem. The head is not advanced then.
  /// - Complexity: O(bytes of the entry).
  package mutating func verify(_ entry: Entry, in name: String) throws(JournalError) {
    guard entry.revision == revision.next else {
      throw .damaged(
        name, at: revision.next, "the entry is missing: revision \(revision) is followed by revision \(entry.revision)")
    }
    guard checksum.next(revision: entry.revision, draft: entry.draft, receipt: entry.receipt) == entry.checksum else {
      throw .damaged(name, at: entry.revision, "its checksum does not match its content and the entry before it")
    }
    self = advanced(by: entry)
  }

  /// Verifies entries in order, without copies of them, and advances the head to the last one before the first damage.
  ///
  /// - Returns: The number of entries before the damage, their sizes together, and the damage; nil if there is none.
  mutating func verify(_ entries: ArraySlice<Entry>, in name: String) -> (count: Int, size: Int64, damage: JournalError?) {
    entries.withUnsafeBufferPointer { entries in
      var size: Int64 = 0
      for place in entries.indices {
        do throws(JournalError) { try verify(entries[place], in: name) } catch { return (place, size, error) }
        size = size.saturatingAdding(entries[place].size)
      }
      return (entries.count, size, nil)
    }
  }

  /// The revision and the first eight digits of the checksum, as in `revision 42 (9f2c61d0)`.
  public var description: String { "revision \(revision) (\(checksum.description.prefix(8)))" }
}

/// The id of a journal. It is random, is created with the journal, and is kept by its backups.
public struct JournalID: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The 128 random bits.
  public let uuid: UUID

  /// Creates a journal id with the given bits.
  public init(_ uuid: UUID) { self.uuid = uuid }

  /// Returns a fresh id, for a new journal.
  public static func random() -> JournalID { JournalID(UUID()) }

  /// The UUID as lowercase text.
  public var description: String { uuid.uuidString.lowercased() }
}

/// The checksum of a journal's last entry: 128 bits that depend on every byte of every entry so far, in order.
public struct Checksum: Sendable, Hashable, CustomStringConvertible {
  /// The first 8 bytes, big-endian.
  package let high: UInt64
  /// The last 8 bytes, big-endian.
  package let low: UInt64

  /// Creates a checksum with the given bits.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates the checksum that precedes a journal's first entry: the bits of the journal's id.
  package init(start journal: JournalID) {
    (high, low) = journal.uuid.halves
  }

  /// Creates a checksum from its 16 bytes; nil for any other number of bytes.
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

  /// Creates a checksum from its 32 hexadecimal digits; nil for any other text.
  package init?(hexadecimal text: String) {
    var text = text
    guard let checksum = text.withUTF8({ Checksum(digits: $0) }) else { return nil }
    self = checksum
  }

  /// 32 lowercase hexadecimal digits.
  public var description: String { HexadecimalDigits.text(high, low) }

  /// Returns the checksum of the entry that follows: SipHash-2-4-128 over every stored field, keyed by this checksum.
  ///
  /// Each field of variable length is preceded by its length, so a byte cannot move to the neighbouring field unnoticed. The layout is part
  /// of the file format; see `Design/0003-journal-format.md`.
  ///
  /// - Parameters:
  ///   - revision: The revision of the entry that follows.
  ///   - draft: Its content.
  ///   - receipt: The server's note on it. Nil for an entry of a journal that no server decides.
  /// - Complexity: O(bytes of the payload, the cause and the scope).
  package func next(revision: Revision, draft: Entry.Draft, receipt: Receipt? = nil) -> Checksum {
    var hash = SipHash128(key0: high, key1: low)
    let origin = draft.id.origin
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
    if let receipt {
      hash.combine(1)
      hash.combine(receipt.author.bits)
      hash.combine(UInt64(bitPattern: receipt.arrival))
    }
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
