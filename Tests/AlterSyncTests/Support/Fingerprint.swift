/// A hash of 64 bits that is the same in every process, so that an exploration can be continued by another one.
///
/// Each word passes through the finaliser of SplitMix64 (Steele, Lea and Flood, 2014), which maps no two states to one.
struct Fingerprint {
  private(set) var bits: UInt64 = 0x9e37_79b9_7f4a_7c15

  mutating func combine(_ word: UInt64) {
    var mixed = (bits &+ 0x9e37_79b9_7f4a_7c15) ^ word
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    bits = mixed ^ (mixed >> 31)
  }

  mutating func combine(_ number: Int) { combine(UInt64(bitPattern: Int64(number))) }

  mutating func combine(_ flag: Bool) { combine(flag ? 1 : 2) }

  /// Combines the case of an enum without payloads, which is one byte.
  mutating func combine<Case: CaseIterable>(case value: Case) {
    combine(withUnsafeBytes(of: value) { $0.reduce(0) { $0 << 8 | UInt64($1) } })
  }
}
