/// The name of a principal in receipts: a keyed hash, so that a journal does not contain the name itself.
public struct Pseudonym: Sendable, Hashable, CustomStringConvertible {
  /// The bits of the hash.
  package let bits: UInt64

  /// Creates a pseudonym with the given bits.
  package init(bits: UInt64) { self.bits = bits }

  /// Creates a pseudonym from its 16 hexadecimal digits; nil for any other text.
  package init?(hexadecimal text: String) {
    var text = text
    guard text.utf8.count == 16, let bits = text.withUTF8({ HexadecimalDigits.number($0[...]) }) else { return nil }
    self.init(bits: bits)
  }

  /// 16 lowercase hexadecimal digits.
  public var description: String { HexadecimalDigits.text(bits) }
}

/// The server's note on an entry of a synced journal: the author and the time of arrival.
///
/// The chain of checksums covers it. It is not part of the draft, which a device has made before the server knew of it.
public struct Receipt: Sendable, Hashable {
  /// The principal that has sent the draft.
  public let author: Pseudonym
  /// The time at which the draft arrived: microseconds since 1970-01-01 00:00 UTC, by the server's clock.
  public let arrival: Int64

  /// Creates a receipt.
  package init(author: Pseudonym, arrival: Int64) {
    self.author = author
    self.arrival = arrival
  }
}
