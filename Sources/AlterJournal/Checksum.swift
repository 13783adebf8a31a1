import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
