/// Elements in the order of revisions, with additions at both ends.
struct TwoEnded<Element: Sendable>: Sendable {
  /// The elements added at the older end, newest first.
  private(set) var older: [Element] = []
  /// The elements added at the newer end, oldest first.
  private(set) var newer: [Element] = []

  var count: Int { older.count + newer.count }

  mutating func putBefore(_ element: Element) { older.append(element) }

  mutating func putAfter(_ element: Element) { newer.append(element) }

  /// Lets a closure extend the element that was last added at the older end.
  mutating func changeOldest(_ body: (inout Element) -> Bool) -> Bool { older.isEmpty ? false : body(&older[older.count - 1]) }

  mutating func changeNewest(_ body: (inout Element) -> Bool) -> Bool { newer.isEmpty ? false : body(&newer[newer.count - 1]) }

  /// Returns the last element that satisfies a condition. All older elements must satisfy it, too.
  ///
  /// - Complexity: O(log n).
  func last(where isBefore: (Element) -> Bool) -> Element? {
    if let index = Self.partition(newer, where: { !isBefore($0) }), index > 0 { return newer[index - 1] }
    guard let index = Self.partition(older, where: isBefore), index < older.count else { return nil }
    return older[index]
  }

  /// Returns the first index whose element satisfies the condition. All later elements must satisfy it, too.
  private static func partition(_ elements: [Element], where condition: (Element) -> Bool) -> Int? {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if condition(elements[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// All elements, newest first.
  var newestFirst: some Sequence<Element> { [newer.reversed(), older].joined() }
}
