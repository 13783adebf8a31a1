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
    var position = 0
    while bytes.count - position >= 8 {
      combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      position += 8
    }
    while position < bytes.count { addByte(bytes[position]); position += 1 }
  }

  private mutating func addByte(_ byte: UInt8) {
    tail |= UInt64(byte) << (8 * (byteCount & 7))
    byteCount &+= 1
    if byteCount & 7 == 0 {
      compress(tail)
      tail = 0
    }
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
