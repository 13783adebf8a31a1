import AlterCore
import Testing

@Suite("SipHash-2-4 with 128 bits of output")
struct SipHash128Tests {
  // Key 00 01 … 0f, input 00 01 … of the given length. The first two vectors and the one of length 15 are in the authors' reference
  // implementation (vectors_sip128). OpenSSL's SIPHASH gives the same result for all of them.
  private static let vectors: [(length: Int, output: String)] = [
    (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"), (2, "8177228da4a45dc7fca38bdef60affe4"),
    (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
    (16, "6ee2a4ca67b054bbfd3315bf85230577"), (31, "2939b0183223fafc1723de4f52c43d35"), (62, "5853542321f567a005d547a4f04759bd"),
    (63, "5150d1772f50834a503e069a973fbd7c"),
  ]

  private func hash() -> SipHash128 { SipHash128(key0: 0x0706_0504_0302_0100, key1: 0x0f0e_0d0c_0b0a_0908) }

  private func hex(_ output: (UInt64, UInt64)) -> String {
    withUnsafeBytes(of: (output.0.littleEndian, output.1.littleEndian)) { bytes in
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  @Test("gives the output of the reference implementation", arguments: vectors)
  func reference(_ length: Int, _ output: String) {
    var hash = hash()
    let input = (0..<length).map { UInt8($0) }
    input.withUnsafeBytes { hash.combine(bytes: $0) }
    #expect(hex(hash.finalize()) == output)
  }

  @Test("gives the same output in whatever pieces the input comes", arguments: vectors)
  func pieces(_ length: Int, _ output: String) {
    let input = (0..<length).map { UInt8($0) }
    for size in 1...9 {
      var hash = hash()
      var rest = input[...]
      while !rest.isEmpty {
        rest.prefix(size).withUnsafeBytes { hash.combine(bytes: $0) }
        rest = rest.dropFirst(size)
      }
      #expect(hex(hash.finalize()) == output)
    }
  }

  @Test("takes a number as its eight bytes, lowest first")
  func numbers() {
    var hash = hash()
    hash.combine(0x0706_0504_0302_0100)
    #expect(hex(hash.finalize()) == "3b62a9ba6258f5610f83e264f31497b4")
  }
}
