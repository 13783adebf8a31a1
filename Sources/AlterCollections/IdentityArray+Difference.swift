extension IdentityArray {
  /// What turns one version of an identity array into another, element by element.
  ///
  /// It tells identities apart, so an element that changed is one ``Step/updated(from:to:)``, not a removal and an insertion.
  public struct Difference: Sendable {
    /// One thing that happened to one element.
    ///
    /// As in the standard library's differences, positions of what is taken away are those in the older version, and positions
    /// of what is put are those in the newer one. So each step can be understood without the others.
    public enum Step: Sendable {
      /// An identity that was in the older version and isn't in the newer.
      case removed(Element, from: Int)
      /// An identity that wasn't in the older version: its value, and where it is in the newer.
      case inserted(Element, at: Int)
      /// An identity that left its place among the others: where it was in the older version, and where it is in the newer.
      /// Elements that were only pushed aside by insertions, removals and other moves don't count as moved.
      case moved(Element.ID, from: Int, to: Int)
      /// An identity whose value is another; it may have moved as well, which is a step of its own.
      case updated(from: Element, to: Element)
    }

    /// The steps: removals in the order of the older version, then everything else in the order of the newer one.
    public let steps: [Step]

    /// A difference of the given steps.
    ///
    /// - Parameter steps: In the order that ``steps`` describes.
    @inlinable
    public init(steps: [Step]) { self.steps = steps }

    /// Whether both versions are equal.
    @inlinable
    public var isEmpty: Bool { steps.isEmpty }
  }
}

extension IdentityArray.Difference: Equatable where Element: Equatable {}
extension IdentityArray.Difference: Hashable where Element: Hashable {}
extension IdentityArray.Difference.Step: Equatable where Element: Equatable {}
extension IdentityArray.Difference.Step: Hashable where Element: Hashable {}

extension IdentityArray where Element: Equatable {
  /// What happened since an older version.
  ///
  /// ```swift
  /// for step in items.changes(from: before).steps {
  ///   if case .updated(let old, let new) = step { … }
  /// }
  /// ```
  ///
  /// - Parameter older: The version to start from; any two will do.
  /// - Returns: The steps that turn `older` into this one, with as few moves as possible.
  /// - Complexity: O(n), and O(m log m) for m elements between the first and the last whose order differs.
  public func changes(from older: IdentityArray) -> Difference {
    var steps: [Difference.Step] = []
    // What both have, in the older order, as positions in this one.
    var common: [Int] = []
    for (position, element) in older.elements.enumerated() {
      if let now = positions[element.id] { common.append(now) } else { steps.append(.removed(element, from: position)) }
    }
    let unmoved = Self.longestIncreasing(common)
    var next = unmoved.startIndex
    for (position, element) in elements.enumerated() {
      guard let before = older.positions[element.id] else {
        steps.append(.inserted(element, at: position))
        continue
      }
      if next < unmoved.endIndex, unmoved[next] == position {
        next += 1
      } else {
        steps.append(.moved(element.id, from: before, to: position))
      }
      let old = older.elements[before]
      if old != element { steps.append(.updated(from: old, to: element)) }
    }
    return Difference(steps: steps)
  }

  /// This version with a difference made to it.
  ///
  /// `older.applying(newer.changes(from: older)) == newer`, always.
  ///
  /// - Parameter difference: Taken from this version.
  /// - Returns: The newer version, or nil when the difference was taken from another version than this one.
  /// - Complexity: O(n).
  public func applying(_ difference: Difference) -> IdentityArray? {
    var leaving: Set<Element.ID> = []
    var arriving: [(element: Element, position: Int)] = []
    var updates: [Element.ID: Element] = [:]
    for step in difference.steps {
      guard case .updated(let old, let new) = step else { continue }
      guard self[id: old.id] == old, new.id == old.id else { return nil }
      updates[old.id] = new
    }
    for step in difference.steps {
      switch step {
      case .updated: break
      case .removed(let element, let position):
        guard index(of: element.id) == position, elements[position] == element, leaving.insert(element.id).inserted else { return nil }
      case .moved(let id, let old, let new):
        guard index(of: id) == old, leaving.insert(id).inserted else { return nil }
        arriving.append((updates[id] ?? elements[old], new))
      case .inserted(let element, let position):
        guard !contains(id: element.id) else { return nil }
        arriving.append((element, position))
      }
    }
    var staying = elements.lazy.filter { !leaving.contains($0.id) }.makeIterator()
    var result = IdentityArray()
    func stay(until end: Int) {
      while result.count < end, let element = staying.next() { result.add(updates[element.id] ?? element) }
    }
    for (element, position) in arriving {
      stay(until: position)
      guard result.count == position, result.add(element) == nil else { return nil }
    }
    stay(until: .max)
    return result
  }

  /// A longest strictly increasing selection of numbers that are all different, in order.
  ///
  /// Source: patience sorting, as in M. L. Fredman, "On computing the length of longest increasing subsequences" (1975).
  ///
  /// - Complexity: O(n) when they increase already, O(n log n) otherwise.
  private static func longestIncreasing(_ numbers: [Int]) -> [Int] {
    if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) { return numbers }
    // `tails[k]` is the place of the smallest number that ends an increasing selection of k + 1; `previous` leads back.
    var tails: [Int] = []
    var previous = Array(repeating: -1, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[place] = tails[low - 1] }
      if low == tails.count { tails.append(place) } else { tails[low] = place }
    }
    var selection: [Int] = []
    var place = tails.last ?? -1
    while place >= 0 {
      selection.append(numbers[place])
      place = previous[place]
    }
    return selection.reversed()
  }
}
