/// Random numbers that are the same for the same seed, on every machine, so that a failing run can be repeated.
///
/// ```swift
/// var random = SeededGenerator(seed: 42)
/// Int.random(in: 0..<10, using: &random)
/// random.pick(["a", "b", "c"])
/// ```
///
/// Source: Guy L. Steele Jr., Doug Lea and Christine H. Flood, "Fast Splittable Pseudorandom Number Generators" (2014). No secret comes
/// from it.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator that gives the numbers of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }

  /// A whole number from 0 up to, not including, a bound.
  ///
  /// - Parameter bound: At least 1.
  public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// One of the elements.
  ///
  /// - Parameter elements: At least one.
  public mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  /// True with a chance of one in so many.
  public mutating func oneIn(_ chances: Int) -> Bool { below(chances) == 0 }
}
