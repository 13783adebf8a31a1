/// The hash of a draft, as `docs/sync.md` specifies it: SipHash-2-4 with 128 bits. Written again here, so that the load generator uses nothing
/// of the library.
///
/// Source: Jean-Philippe Aumasson and Daniel J. Bernstein, "SipHash: a fast short-input PRF" (2012).
struct DraftHash {
  private var (v0, v1, v2, v3): (UInt64, UInt64, UInt64, UInt64)
  private var rest: UInt64 = 0
  private var count = 0

  private init(_ k0: UInt64, _ k1: UInt64) {
    v0 = k0 ^ 0x736f_6d65_7073_6575
    v1 = k1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
    v2 = k0 ^ 0x6c79_6765_6e65_7261
    v3 = k1 ^ 0x7465_6462_7974_6573
  }

  private mutating func round() {
    v0 &+= v1
    v1 = v1 << 13 | v1 >> 51
    v1 ^= v0
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v3
    v3 = v3 << 16 | v3 >> 48
    v3 ^= v2
    v0 &+= v3
    v3 = v3 << 21 | v3 >> 43
    v3 ^= v0
    v2 &+= v1
    v1 = v1 << 17 | v1 >> 47
    v1 ^= v2
    v2 = v2 << 32 | v2 >> 32
  }

  private mutating func word(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  private mutating func byte(_ byte: UInt8) {
    rest |= UInt64(byte) << UInt64(8 * (count & 7))
    count += 1
    if count & 7 == 0 {
      word(rest)
      rest = 0
    }
  }

  private mutating func number(_ number: UInt64) { for place in 0..<8 { byte(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) } }

  private mutating func field(_ bytes: some Collection<UInt8>) {
    number(UInt64(bytes.count))
    for next in bytes { byte(next) }
  }

  private mutating func finish() -> (UInt64, UInt64) {
    word(rest | UInt64(count & 0xff) << 56)
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let first = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return (first, v0 ^ v1 ^ v2 ^ v3)
  }

  /// Returns the hash of a draft of changes as 32 hexadecimal digits.
  static func text(origin: (UInt64, UInt64), sequence: Int, time: Int64, payload: some Collection<UInt8>) -> String {
    var hash = DraftHash(0x0000_0000_416c_7472, 0x0000_0000_4472_6166)
    hash.number(0)  // the revision
    hash.number(UInt64(bitPattern: time))
    hash.number(origin.0)
    hash.number(origin.1)
    hash.number(UInt64(sequence))
    hash.number(1)  // the schema
    hash.field("changes".utf8)
    hash.field("".utf8)  // the scope
    hash.field(payload)
    hash.number(0)  // no cause
    let (first, second) = hash.finish()
    return digits(first) + digits(second)
  }

  static func digits(_ word: UInt64) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
