#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The seed of an index's hash function: two random words per index, so that an attacker cannot choose ids that collide.
///
/// Integers and UUIDs, the usual types of ids, take one multiplication, a fifth of the cost of `Hasher`. The product of two words, folded,
/// is the mixing step of wyhash (Wang Yi, public domain). All other types are hashed by `Hasher`.
@usableFromInline
struct Seed: Sendable {
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  @inlinable
  init(_ first: UInt64, _ second: UInt64) {
    self.first = first
    self.second = second
  }

  static func random() -> Seed { Seed(.random(in: 0...UInt64.max), .random(in: 0...UInt64.max)) }

  // The comparison of types is decided when the code is specialised.
  @inlinable
  func hash<ID: Hashable>(of id: ID) -> UInt64 {
    if ID.self == Int.self { return mixed(UInt64(truncatingIfNeeded: unsafeBitCast(id, to: Int.self)), 0) }
    if ID.self == UInt64.self { return mixed(unsafeBitCast(id, to: UInt64.self), 0) }
    if ID.self == Int64.self { return mixed(UInt64(bitPattern: unsafeBitCast(id, to: Int64.self)), 0) }
    if ID.self == UUID.self {
      let (low, high) = unsafeBitCast(id, to: (UInt64, UInt64).self)
      return mixed(low, high)
    }
    return UInt64(truncatingIfNeeded: id.hashValue)
  }

  @inlinable
  func mixed(_ low: UInt64, _ high: UInt64) -> UInt64 {
    let product = (low ^ first).multipliedFullWidth(by: high ^ second)
    return product.high ^ product.low
  }
}
