#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// SipHash-2-4 with 128 bits of output: a keyed hash that is fast, small and well studied.
///
/// Alter uses it for fresh ids and for the journal's checksum chain. It detects accidents and distinguishes forked histories. It is no
/// defence against an attacker who can rewrite the journal.
///
/// Source: Jean-Philippe Aumasson and Daniel J. Bernstein, "SipHash: a fast short-input PRF" (2012), with the 128-bit output of the
/// authors' reference implementation, whose test vectors are in the tests. Swift's `Hasher` is seeded for each process and therefore
/// unsuitable.
package struct SipHash128 {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64
  /// Bytes that do not fill a word yet, lowest first.
  private var tail: UInt64 = 0
  private var byteCount: UInt64 = 0

  /// Creates a hash with a 128-bit key.
  package init(key0: UInt64, key1: UInt64) {
    v0 = key0 ^ 0x736f_6d65_7073_6575
    v1 = key1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
    v2 = key0 ^ 0x6c79_6765_6e65_7261
    v3 = key1 ^ 0x7465_6462_7974_6573
  }

  /// Creates a hash keyed by the bytes of a UUID.
  package init(key: UUID) {
    let halves = key.halves
    self.init(key0: halves.high.byteSwapped, key1: halves.low.byteSwapped)
  }

  @inline(__always)
  private mutating func round() {
    v0 &+= v1
    v1 = (v1 << 13 | v1 >> 51) ^ v0
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v3
    v3 = (v3 << 16 | v3 >> 48) ^ v2
    v0 &+= v3
    v3 = (v3 << 21 | v3 >> 43) ^ v0
    v2 &+= v1
    v1 = (v1 << 17 | v1 >> 47) ^ v2
    v2 = v2 << 32 | v2 >> 32
  }

  @inline(__always)
  private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  /// Adds the eight bytes of a number, lowest first.
  package mutating func combine(_ word: UInt64) {
    // The number of bits in the word that earlier bytes have begun.
    let begun = 8 * (byteCount & 7)
    compress(tail | word &<< begun)
    tail = begun == 0 ? 0 : word &>> (64 - begun)
    byteCount &+= 8
  }

  /// Adds bytes.
  package mutating func combine(bytes: UnsafeRawBufferPointer) {
    // A copy, which stays in registers.
    var hash = self
    // The number of bits in the word that earlier bytes have begun. Whole words do not change it.
    let begun = 8 * (byteCount & 7)
    var position = 0
    while bytes.count - position >= 8 {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      hash.compress(hash.tail | word &<< begun)
      hash.tail = begun == 0 ? 0 : word &>> (64 - begun)
      position += 8
    }
    var rest: UInt64 = 0
    for place in position..<bytes.count { rest |= UInt64(bytes[place]) &<< UInt64(8 * (place - position)) }
    hash.tail |= rest &<< begun
    if begun + 8 * UInt64(bytes.count - position) >= 64 {
      hash.compress(hash.tail)
      // Seven bytes at most complete a word, so an earlier byte has begun it.
      hash.tail = rest &>> (64 - begun)
    }
    hash.byteCount &+= UInt64(bytes.count)
    self = hash
  }

  /// Returns the 128 bits. The hash cannot be used afterwards.
  package consuming func finalize() -> (UInt64, UInt64) {
    compress(tail | byteCount << 56)
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let first = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return (first, v0 ^ v1 ^ v2 ^ v3)
  }
}
