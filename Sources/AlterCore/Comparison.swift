/// A difference between two values that keeps the contents themselves. ``Difference`` is its text.
package struct PartDifference {
  /// The kind of the difference.
  package enum Kind {
    /// The content has changed, appeared or disappeared.
    case content
    /// An element with an identity has appeared, at this position of the new collection.
    case insertion(at: Int)
    /// An element with an identity has moved, counted among the elements that both collections contain.
    case move(from: Int, to: Int)
  }

  /// A part of the new value that contains the difference.
  package struct Part {
    /// The steps of its path.
    package let steps: [String]
    /// Its old content.
    package let old: Any
    /// Its new content.
    package let new: Any
  }

  /// The steps of the path, such as `items`, `[2]` and `.completed`; joined, they are the path.
  package let steps: [String]
  /// The old content; nil if the path did not exist.
  package let old: Any?
  /// The new content; nil if the path no longer exists.
  package let new: Any?
  /// The kind of the difference.
  package let kind: Kind
  /// The part that describes the difference better than its own path: the set of an element, or an array whose positions have shifted. Nil
  /// if there is none.
  package let whole: Part?

  /// Creates a difference.
  package init(steps: [String], old: Any?, new: Any?, kind: Kind, whole: Part?) {
    (self.steps, self.old, self.new, self.kind, self.whole) = (steps, old, new, kind, whole)
  }

  /// The path, as in `items[2].completed`.
  package var path: String { steps.joined() }

  /// Whether a path is this difference's or the one of a part that contains it.
  ///
  /// - Complexity: O(length of the path).
  package func isAt(orBelow path: String) -> Bool {
    guard !path.isEmpty else { return true }
    var prefix = ""
    for step in steps where prefix.utf8.count < path.utf8.count {
      prefix += step
      if prefix == path { return true }
    }
    return false
  }
}

/// Returns the differences between two values, with the contents of the differing parts; see ``differences(from:to:limit:)``.
///
/// With unique paths, a collection is one part if only one of both values of it has unique ids: otherwise its elements' paths would be ids in
/// one and positions in the other.
package func partDifferences<Value>(
  from old: Value, to new: Value, limit: Int = .max, hasUniquePaths: Bool = false
) -> [PartDifference] {
  var comparison = Comparison(limit: limit, hasUniquePaths: hasUniquePaths)
  comparison.compare(old, new, at: [], depth: 0)
  return comparison.found
}

/// The traversal of two values.
struct Comparison {
  let limit: Int
  /// Whether a path must not be an id in one value and a position in the other.
  let hasUniquePaths: Bool
  private(set) var found: [PartDifference] = []
  /// The outermost part around the present one that describes a difference better than its own path.
  private var whole: PartDifference.Part?
  /// The maximum depth. Values nested deeper are compared as a whole, so that no value can overflow the stack.
  private static let depth = 48

  init(limit: Int, hasUniquePaths: Bool = false) { (self.limit, self.hasUniquePaths) = (limit, hasUniquePaths) }

  private mutating func add(_ path: [String], old: Any?, new: Any?, _ kind: PartDifference.Kind = .content) {
    guard found.count < limit else { return }
    found.append(PartDifference(steps: path, old: old, new: new, kind: kind, whole: whole))
  }

  mutating func compare(_ old: Any, _ new: Any, at path: [String], depth: Int) {
    guard found.count < limit else { return }
    if let equal = Self.areEqual(old, new) {
      if equal { return }
    }
    let (left, right) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard type(of: old) == type(of: new), depth < Self.depth else {
      if type(of: old) != type(of: new) || Self.differ(old, new) { add(path, old: old, new: new) }
      return
    }
    switch left.displayStyle {
    case .optional: compareOptional(old, new, left, right, at: path, depth: depth)
    case .enum: compareEnum(old, new, left, right, at: path, depth: depth)
    case .set: compareSets(old, new, left, right, at: path)
    case .dictionary: compareDictionaries(left, right, at: path, depth: depth)
    default:
      if let before = Self.elements(old, left), let after = Self.elements(new, right) {
        compareElements(old, new, before, after, at: path, depth: depth)
      } else if left.children.isEmpty || left.children.count != right.children.count || Description.isLeaf(old) {
        if Self.differ(old, new) { add(path, old: old, new: new) }
      } else {
        compareMembers(old, new, left, right, at: path, depth: depth)
      }
    }
  }

  private mutating func compareMembers(_ old: Any, _ new: Any, _ left: Mirror, _ right: Mirror, at path: [String], depth: Int) {
    let before = found.count
    for (old, new) in zip(left.children, right.children) {
      compare(old.value, new.value, at: Self.path(to: old.label, below: path, in: left), depth: depth + 1)
    }
    // What differs may lie where a mirror does not show it.
    if found.count == before, Self.areEqual(old, new) == false { add(path, old: old, new: new) }
  }

  private mutating func compareOptional(_ old: Any, _ new: Any, _ left: Mirror, _ right: Mirror, at path: [String], depth: Int) {
    switch (left.children.first?.value, right.children.first?.value) {
    case (let old?, let new?): compare(old, new, at: path, depth: depth + 1)
    case (nil, nil): return
    default: add(path, old: old, new: new)
    }
  }

  private mutating func compareEnum(_ old: Any, _ new: Any, _ left: Mirror, _ right: Mirror, at path: [String], depth: Int) {
    guard let (from, to) = left.children.first.flatMap({ from in right.children.first.map { (from, $0) } }), let label = from.label,
      label == to.label
    else {
      if Self.differ(old, new) { add(path, old: old, new: new) }
      return
    }
    compare(from.value, to.value, at: Self.path(to: label, below: path, in: left), depth: depth + 1)
  }

  private mutating func compareSets(_ oldSet: Any, _ newSet: Any, _ left: Mirror, _ right: Mirror, at path: [String]) {
    let outer = whole
    defer { whole = outer }
    whole = outer ?? PartDifference.Part(steps: path, old: oldSet, new: newSet)
    let (old, new) = (Self.hashables(left), Self.hashables(right))
    for element in Description.sorted(old.subtracting(new)) { add(path, old: element.base, new: nil) }
    for element in Description.sorted(new.subtracting(old)) { add(path, old: nil, new: element.base) }
  }

  private static func hashables(_ mirror: Mirror) -> Set<AnyHashable> {
    Set(mirror.children.compactMap { $0.value as? AnyHashable })
  }

  private mutating func compareDictionaries(_ left: Mirror, _ right: Mirror, at path: [String], depth: Int) {
    let (old, new) = (Self.pairs(left), Self.pairs(right))
    for key in Description.sorted(Set(old.keys).union(new.keys)) {
      compareSlots(old[key], new[key], at: path + [Self.step(to: key)], depth: depth)
    }
  }

  private mutating func compareSlots(
    _ old: Any?, _ new: Any?, at path: [String], depth: Int, _ kind: PartDifference.Kind = .content
  ) {
    switch (old, new) {
    case (let old?, let new?): compare(old, new, at: path, depth: depth + 1)
    case (let old?, nil): add(path, old: old, new: nil)
    case (nil, let new?): add(path, old: nil, new: new, kind)
    case (nil, nil): break
    }
  }

  private mutating func compareElements(
    _ oldCollection: Any, _ newCollection: Any, _ old: [Any], _ new: [Any], at path: [String], depth: Int
  ) {
    let (oldIDs, newIDs) = (Self.identities(old), Self.identities(new))
    // The paths of one would be ids, and those of the other positions: `[2]` would be two different elements.
    if hasUniquePaths, (oldIDs == nil) != (newIDs == nil), !old.isEmpty, !new.isEmpty {
      if Self.differ(oldCollection, newCollection) { add(path, old: oldCollection, new: newCollection) }
      return
    }
    guard let oldIDs, let newIDs else {
      let outer = whole
      defer { whole = outer }
      if old.count != new.count { whole = outer ?? PartDifference.Part(steps: path, old: oldCollection, new: newCollection) }
      for index in 0..<max(old.count, new.count) {
        compareSlots(
          index < old.count ? old[index] : nil, index < new.count ? new[index] : nil, at: path + ["[\(index)]"],
          depth: depth)
      }
      return
    }
    let places = Dictionary(zip(newIDs, new.indices)) { first, _ in first }
    let known = Set(oldIDs)
    for (id, element) in zip(oldIDs, old) {
      compareSlots(element, places[id].map { new[$0] }, at: path + [Self.step(to: id)], depth: depth)
    }
    for (index, id) in newIDs.enumerated() where !known.contains(id) {
      compareSlots(nil, new[index], at: path + [Self.step(to: id)], depth: depth, .insertion(at: index))
    }
    compareOrder(oldIDs.filter { places[$0] != nil }, newIDs.filter { known.contains($0) }, at: path)
  }

  /// Reports the common elements outside the longest run that has kept its order: the minimum that can have moved.
  private mutating func compareOrder(_ old: [AnyHashable], _ new: [AnyHashable], at path: [String]) {
    guard old != new else { return }
    let places = Dictionary(zip(old, old.indices)) { first, _ in first }
    let order = new.compactMap { places[$0] }
    // Longest increasing subsequence by patience sorting: `ends[n]` is where the best run of n + 1 ends.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: order.count)
    for index in order.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if order[ends[middle]] < order[index] { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var kept: Set<Int> = []
    var next = ends.last
    while let index = next {
      kept.insert(index)
      next = previous[index]
    }
    for index in order.indices where !kept.contains(index) {
      add(path + [Self.step(to: new[index])], old: nil, new: nil, .move(from: order[index], to: index))
    }
  }

  // MARK: - Parts of one value

  /// The path to a member or the payload of a case. A member without a label has the path of its container.
  static func path(to label: String?, below path: [String], in mirror: Mirror) -> [String] {
    guard let label, !label.isEmpty else { return path }
    if mirror.displayStyle == .tuple, label.hasPrefix(".") { return path + [label] }
    return path + [path.isEmpty ? label : ".\(label)"]
  }

  /// The step to an element by its identity, or to a value by its key.
  static func step(to key: AnyHashable) -> String { "[\(Description.of(key.base))]" }

  /// The contents of a dictionary.
  static func pairs(_ mirror: Mirror) -> [AnyHashable: Any] {
    var pairs: [AnyHashable: Any] = [:]
    for child in mirror.children {
      let pair = Array(Mirror(reflecting: child.value).children)
      if pair.count == 2, let key = pair[0].value as? AnyHashable { pairs[key] = pair[1].value }
    }
    return pairs
  }

  /// The identities of elements; nil if an element has none or shares its identity with another one.
  static func identities(_ elements: [Any]) -> [AnyHashable]? {
    var ids: [AnyHashable] = []
    for element in elements {
      guard let element = element as? any Identifiable else { return nil }
      ids.append(AnyHashable(id(of: element)))
    }
    return Set(ids).count == ids.count ? ids : nil
  }

  static func id<Element: Identifiable>(of element: Element) -> Element.ID { element.id }

  /// The elements of a collection; nil for anything else. A string is a value, not a collection of characters, and a range is its bounds: it may
  /// have more elements than the memory holds.
  static func elements(_ value: Any, _ mirror: Mirror) -> [Any]? {
    if value is any StringProtocol || value is any RangeExpression { return nil }
    if mirror.displayStyle == .collection { return mirror.children.map(\.value) }
    if let collection = value as? any RandomAccessCollection, !Description.isLeaf(value) { return collection.map { $0 as Any } }
    return nil
  }

  // MARK: - Equality

  /// Whether two values that are compared as a whole differ: by `==` if their type has it, otherwise by their full texts.
  private static func differ(_ old: Any, _ new: Any) -> Bool {
    if let equal = areEqual(old, new) { return !equal }
    return Description.full(old) != Description.full(new)
  }

  /// Whether both are equal; nil if their type has no `==`.
  static func areEqual(_ old: Any, _ new: Any) -> Bool? {
    func compare<Value: Equatable>(_ old: Value) -> Bool? { (new as? Value).map { $0 == old } }
    guard let old = old as? any Equatable else { return nil }
    return compare(old)
  }
}
