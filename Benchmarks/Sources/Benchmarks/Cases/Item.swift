/// A realistic element of 56 bytes. The title is short enough to be stored inline, so that copying an element retains nothing. This is the
/// best case for contenders that copy whole arrays.
struct Item: Identifiable, Hashable, Sendable {
  let id: Int
  var title: String
  var completed = false
  var due: Double?
  var priority = 0

  init(_ number: Int) {
    id = Item.id(number)
    title = "Item \(number)"
  }

  /// Ids without an order from which a hash table or a tree could benefit.
  static func id(_ number: Int) -> Int { number &* 0x1e37_79b9_7f4a_7c15 }
}

/// Numbers without a pattern. Each takes about a nanosecond, which is negligible.
///
/// Source: George Marsaglia, "Xorshift RNGs" (2003).
struct Random {
  private var word: UInt64 = 0x2545_f491_4f6c_dd1d

  /// A number from 0 up to but not including `bound`.
  mutating func next(_ bound: Int) -> Int {
    word ^= word << 13
    word ^= word >> 7
    word ^= word << 17
    return Int(truncatingIfNeeded: ((word >> 32) &* UInt64(bound)) >> 32)
  }
}
