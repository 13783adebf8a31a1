import AlterCore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SipHash128 {
  /// A UUID that depends only on the seed.
  static func uuid(seed: UInt64) -> UUID {
    let (high, low) = SipHash128(key0: seed, key1: 0).finalize()
    return UUID(high: high, low: low)
  }

  /// The n-th number of a seeded sequence.
  static func number(_ n: UInt64, seed: UInt64) -> UInt64 { SipHash128(key0: seed, key1: n).finalize().0 }
}

@Suite("SipHash-2-4-128")
struct SipHash128Tests {
  // The authors' reference vectors: the key is the bytes 0 to 15, the input the bytes 0 to n - 1.
  static let vectors: [(Int, String)] = [
    (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"), (7, "a1f1ebbed8dbc153c0b84aa61ff08239"),
    (8, "3b62a9ba6258f5610f83e264f31497b4"), (9, "264499060ad9baabc47f8b02bb6d71ed"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
    (16, "6ee2a4ca67b054bbfd3315bf85230577"), (63, "5150d1772f50834a503e069a973fbd7c"),
  ]

  @Test("gives the reference vectors", arguments: vectors)
  func reference(count: Int, expected: String) {
    #expect(hex(hash(Array(0..<UInt8(count)), pieces: [count])) == expected)
  }

  @Test(
    "does not depend on how the input is cut into pieces",
    arguments: [[1, 62], [3, 5, 8, 47], [8, 8, 8, 39], [0, 7, 1, 0, 55], [60, 1, 1, 1]])
  func pieces(_ pieces: [Int]) {
    #expect(hex(hash(Array(0..<63), pieces: pieces)) == Self.vectors.last!.1)
  }

  @Test("takes a number as its eight bytes, lowest first, wherever it stands")
  func words() {
    var words = SipHash128(key0: 1, key1: 2)
    words.combine(0x0807_0605_0403_0201)
    words.combine(bytes: [9])
    words.combine(0x1110_0f0e_0d0c_0b0a)
    var bytes = SipHash128(key0: 1, key1: 2)
    bytes.combine(bytes: Array(1...17))
    #expect(words.finalize() == bytes.finalize())
  }

  @Test("keyed by a UUID, takes its bytes as the key")
  func uuidKey() {
    let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    #expect(hex(SipHash128(key: uuid).finalize()) == Self.vectors[0].1)
  }

  private func hash(_ input: [UInt8], pieces: [Int]) -> (UInt64, UInt64) {
    var hash = SipHash128(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908)
    var rest = input[...]
    for piece in pieces {
      hash.combine(bytes: Array(rest.prefix(piece)))
      rest = rest.dropFirst(piece)
    }
    return hash.finalize()
  }

  private func hex(_ words: (UInt64, UInt64)) -> String {
    var text = ""
    for word in [words.0, words.1] {
      for place in 0..<8 {
        let byte = UInt8(truncatingIfNeeded: word >> (8 * UInt64(place)))
        text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return text
  }
}

extension SipHash128 {
  fileprivate mutating func combine(bytes: [UInt8]) { bytes.withUnsafeBytes { combine(bytes: $0) } }
}
