/// A random number generator that gives the same numbers for the same seed on every machine, so that a failing run can be repeated.
///
/// ```swift
/// var random = SeededGenerator(seed: 42)
/// Int.random(in: 0..<10, using: &random)
/// random.pick(["a", "b", "c"])
/// ```
///
/// Source: Guy L. Steele Jr., Doug Lea and Christine H. Flood, "Fast Splittable Pseudorandom Number Generators" (2014). Do not use it for
/// secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed.
  public init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// Returns a random whole number from 0 up to, but not including, a bound.
  ///
  /// - Parameter bound: The bound, at least 1.
  public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// Returns a random element.
  ///
  /// - Parameter elements: The elements, at least one.
  /// - Complexity: O(1) for a random-access collection; O(n) for any other.
  public mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  /// Returns true with a probability of 1 in `chances`, which must be at least 1.
  package mutating func oneIn(_ chances: Int) -> Bool { below(chances) == 0 }
}
