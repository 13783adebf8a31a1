/// One place at which two values differ: where, and what stands there before and after.
///
/// ```swift
/// for difference in differences(from: old, to: new) { print(difference) }
/// // items[2].completed: false → true
/// // items[5]: removed TodoItem(id: 5, text: "Pay rent", …)
/// ```
public struct Difference: Sendable, Hashable, CustomStringConvertible {
  /// From the value down, as in `items[2].completed`; empty for the value itself. An element with an identity is named by its id,
  /// another by its place or its key.
  public let path: String
  /// What was there; nil when there was nothing.
  public let old: String?
  /// What is there now; nil when there is nothing.
  public let new: String?
  /// Where the element has moved from and to, among those that both values have; then `old` and `new` are places.
  public let isMove: Bool

  /// A difference.
  init(_ path: String, old: String?, new: String?, isMove: Bool = false) {
    self.path = path
    self.old = old
    self.new = new
    self.isMove = isMove
  }

  /// In one line.
  public var description: String {
    let place = path.isEmpty ? "" : "\(path): "
    switch (old, new) {
    case (let old?, let new?): return isMove ? "\(place)moved from place \(old) to \(new)" : "\(place)\(old) → \(new)"
    case (let old?, nil): return "\(place)removed \(old)"
    case (nil, let new?): return "\(place)added \(new)"
    case (nil, nil): return "\(place)no difference"
    }
  }
}

/// What differs between two values of any type, place by place, in the order of the type's properties.
///
/// It looks at the values themselves, as `Mirror` shows them, so any type will do. The elements of a collection are matched by their
/// identity where they have one, so that a removal is one difference and not as many as there are elements after it; those of a set or a
/// dictionary by themselves or their keys.
///
/// - Parameters:
///   - old: The value before.
///   - new: The value after.
///   - limit: How many differences at most.
/// - Returns: What differs; empty when nothing does.
/// - Complexity: O(size of the values); what is equal by `==` is passed over.
public func differences<Value>(from old: Value, to new: Value, limit: Int = 1_000) -> [Difference] {
  var comparison = Comparison(limit: limit)
  comparison.compare(old, new, at: "", depth: 0)
  return comparison.found
}

/// The differences of two values as text, one a line.
///
/// - Parameters:
///   - old: The value before.
///   - new: The value after.
///   - limit: How many lines at most; a last line tells when there are more.
/// - Returns: The lines; "No difference." when there is none.
public func describeDifferences<Value>(from old: Value, to new: Value, limit: Int = 100) -> String {
  let found = differences(from: old, to: new, limit: limit + 1)
  guard !found.isEmpty else { return "No difference." }
  let lines = found.prefix(limit).map(\.description) + (found.count > limit ? ["… and more."] : [])
  return lines.joined(separator: "\n")
}

/// The walk through two values.
private struct Comparison {
  let limit: Int
  var found: [Difference] = []
  /// Values nested deeper are compared as a whole, so that no value can overflow a stack.
  private static let depth = 48

  init(limit: Int) { self.limit = limit }

  private mutating func add(_ path: String, old: Any?, new: Any?) {
    guard found.count < limit else { return }
    found.append(Difference(path, old: old.map { Description.of($0) }, new: new.map { Description.of($0) }))
  }

  mutating func compare(_ old: Any, _ new: Any, at path: String, depth: Int) {
    guard found.count < limit else { return }
    if let equal = Self.areEqual(old, new) {
      if equal { return }
    }
    let (left, right) = (Mirror(reflecting: old), Mirror(reflecting: new))
    guard type(of: old) == type(of: new), depth < Self.depth else {
      if Description.of(old) != Description.of(new) || Self.areEqual(old, new) == false { add(path, old: old, new: new) }
      return
    }
    switch left.displayStyle {
    case .optional: compareOptional(old, new, left, right, at: path, depth: depth)
    case .enum: compareEnum(old, new, left, right, at: path, depth: depth)
    case .set: compareSets(left, right, at: path)
    case .dictionary: compareDictionaries(left, right, at: path, depth: depth)
    default:
      if let (left, right) = Self.elements(old, new, left, right) {
        compareElements(left, right, at: path, depth: depth)
      } else if left.children.isEmpty || Description.isLeaf(old) {
        if Self.areEqual(old, new) == false || Description.of(old) != Description.of(new) { add(path, old: old, new: new) }
      } else {
        compareMembers(old, new, left, right, at: path, depth: depth)
      }
    }
  }

  private mutating func compareMembers(_ old: Any, _ new: Any, _ left: Mirror, _ right: Mirror, at path: String, depth: Int) {
    let before = found.count
    for (old, new) in zip(left.children, right.children) {
      let label = old.label ?? ""
      let isNumbered = left.displayStyle == .tuple && label.hasPrefix(".")
      compare(
        old.value, new.value, at: label.isEmpty ? path : isNumbered ? path + label : path.isEmpty ? label : "\(path).\(label)",
        depth: depth + 1)
    }
    // What differs may lie where a mirror does not show it.
    if found.count == before, Self.areEqual(old, new) == false { add(path, old: old, new: new) }
  }

  private mutating func compareOptional(_ old: Any, _ new: Any, _ left: Mirror, _ right: Mirror, at path: String, depth: Int) {
    switch (left.children.first?.value, right.children.first?.value) {
    case (let old?, let new?): compare(old, new, at: path, depth: depth + 1)
    case (nil, nil): return
    default: add(path, old: old, new: new)
    }
  }

  private mutating func compareEnum(_ old: Any, _ new: Any, _ left: Mirror, _ right: Mirror, at path: String, depth: Int) {
    guard let (from, to) = left.children.first.flatMap({ from in right.children.first.map { (from, $0) } }), let label = from.label,
      label == to.label
    else {
      if Self.areEqual(old, new) == false || Description.of(old) != Description.of(new) { add(path, old: old, new: new) }
      return
    }
    compare(from.value, to.value, at: path.isEmpty ? label : "\(path).\(label)", depth: depth + 1)
  }

  private mutating func compareSets(_ left: Mirror, _ right: Mirror, at path: String) {
    let (old, new) = (Self.hashables(left), Self.hashables(right))
    for element in Description.sorted(old.subtracting(new)) { add(path, old: element.base, new: nil) }
    for element in Description.sorted(new.subtracting(old)) { add(path, old: nil, new: element.base) }
  }

  private static func hashables(_ mirror: Mirror) -> Set<AnyHashable> {
    Set(mirror.children.compactMap { $0.value as? AnyHashable })
  }

  private mutating func compareDictionaries(_ left: Mirror, _ right: Mirror, at path: String, depth: Int) {
    func pairs(_ mirror: Mirror) -> [AnyHashable: Any] {
      var pairs: [AnyHashable: Any] = [:]
      for child in mirror.children {
        let pair = Array(Mirror(reflecting: child.value).children)
        if pair.count == 2, let key = pair[0].value as? AnyHashable { pairs[key] = pair[1].value }
      }
      return pairs
    }
    let (old, new) = (pairs(left), pairs(right))
    for key in Description.sorted(Set(old.keys).union(new.keys)) {
      compareSlots(old[key], new[key], at: "\(path)[\(Description.of(key.base))]", depth: depth)
    }
  }

  private mutating func compareSlots(_ old: Any?, _ new: Any?, at path: String, depth: Int) {
    switch (old, new) {
    case (let old?, let new?): compare(old, new, at: path, depth: depth + 1)
    case (let old?, nil): add(path, old: old, new: nil)
    case (nil, let new?): add(path, old: nil, new: new)
    case (nil, nil): break
    }
  }

  private mutating func compareElements(_ old: [Any], _ new: [Any], at path: String, depth: Int) {
    guard let oldIDs = Self.identities(old), let newIDs = Self.identities(new) else {
      for index in 0..<max(old.count, new.count) {
        compareSlots(
          index < old.count ? old[index] : nil, index < new.count ? new[index] : nil, at: "\(path)[\(index)]", depth: depth)
      }
      return
    }
    let places = Dictionary(zip(newIDs, new.indices)) { first, _ in first }
    let known = Set(oldIDs)
    for (id, element) in zip(oldIDs, old) {
      compareSlots(element, places[id].map { new[$0] }, at: "\(path)[\(Description.of(id.base))]", depth: depth)
    }
    for (id, element) in zip(newIDs, new) where !known.contains(id) {
      compareSlots(nil, element, at: "\(path)[\(Description.of(id.base))]", depth: depth)
    }
    compareOrder(oldIDs.filter { places[$0] != nil }, newIDs.filter { known.contains($0) }, at: path)
  }

  /// Tells of those common elements that are not in the longest run that has kept its order: the fewest that can have moved.
  private mutating func compareOrder(_ old: [AnyHashable], _ new: [AnyHashable], at path: String) {
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
    for index in order.indices where !kept.contains(index) && found.count < limit {
      found.append(Difference("\(path)[\(Description.of(new[index].base))]", old: "\(order[index])", new: "\(index)", isMove: true))
    }
  }

  private static func identities(_ elements: [Any]) -> [AnyHashable]? {
    var ids: [AnyHashable] = []
    for element in elements {
      guard let element = element as? any Identifiable else { return nil }
      ids.append(AnyHashable(id(of: element)))
    }
    return ids
  }

  private static func id<Element: Identifiable>(of element: Element) -> Element.ID { element.id }

  /// The elements of two collections; nil for anything else. A text is a value, not a collection of characters.
  private static func elements(_ old: Any, _ new: Any, _ left: Mirror, _ right: Mirror) -> ([Any], [Any])? {
    if old is any StringProtocol { return nil }
    if left.displayStyle == .collection { return (left.children.map(\.value), right.children.map(\.value)) }
    if let old = old as? any RandomAccessCollection, let new = new as? any RandomAccessCollection, !Description.isLeaf(old) {
      return (old.map { $0 as Any }, new.map { $0 as Any })
    }
    return nil
  }

  /// Whether both are equal; nil when their type has no `==`.
  private static func areEqual(_ old: Any, _ new: Any) -> Bool? {
    func compare<Value: Equatable>(_ old: Value) -> Bool? { (new as? Value).map { $0 == old } }
    guard let old = old as? any Equatable else { return nil }
    return compare(old)
  }
}

/// Values in a few words.
private enum Description {
  /// Longer texts are cut short.
  private static let length = 200

  static func of(_ value: Any) -> String {
    let text = full(value, depth: 0)
    return text.count > length ? text.prefix(length) + "…" : text
  }

  /// What is shown as a whole: it has a text of its own, and is no container.
  static func isLeaf(_ value: Any) -> Bool {
    switch value {
    case is any StringProtocol, is any BinaryInteger, is any BinaryFloatingPoint, is Bool: return true
    default:
      // A date, a UUID, a URL: described better than by their parts.
      guard value is any CustomStringConvertible else { return false }
      return Mirror(reflecting: value).displayStyle == .struct && !(value is any RandomAccessCollection) && !(value is any Identifiable)
    }
  }

  private static func full(_ value: Any, depth: Int) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return mirror.children.first.map { full($0.value, depth: depth + 1) } ?? "nil" }
    if let text = value as? any StringProtocol { return "\"\(text)\"" }
    if isLeaf(value) || depth > 6 { return depth > 6 && !isLeaf(value) ? "…" : "\(value)" }
    switch mirror.displayStyle {
    case .enum:
      guard let child = mirror.children.first, let label = child.label else { return "." + caseName(value) }
      let payload = full(child.value, depth: depth + 1)
      return ".\(label)" + (payload.hasPrefix("(") ? payload : "(\(payload))")
    case .collection, .set:
      return "[\(list(mirror.children.prefix(20).map { full($0.value, depth: depth + 1) }, of: mirror.children.count))]"
    case .dictionary:
      let pairs = mirror.children.prefix(20).map { child in
        Mirror(reflecting: child.value).children.map { full($0.value, depth: depth + 1) }.joined(separator: ": ")
      }
      return pairs.isEmpty ? "[:]" : "[\(list(pairs.sorted(), of: mirror.children.count))]"
    case .tuple:
      return "(\(mirror.children.map { member($0, depth: depth) }.joined(separator: ", ")))"
    case .struct, .class:
      if let collection = value as? any RandomAccessCollection {
        let shown = collection.prefix(20).map { full($0, depth: depth + 1) }
        return "[\(list(shown, of: collection.count))]"
      }
      return "\(type(of: value))(\(mirror.children.map { member($0, depth: depth) }.joined(separator: ", ")))"
    default: return "\(value)"
    }
  }

  private static func member(_ child: Mirror.Child, depth: Int) -> String {
    let text = full(child.value, depth: depth + 1)
    guard let label = child.label, !label.hasPrefix(".") else { return text }
    return "\(label): \(text)"
  }

  private static func list(_ shown: [String], of count: Int) -> String {
    shown.joined(separator: ", ") + (count > shown.count ? ", … \(count) in all" : "")
  }

  private static func caseName(_ value: Any) -> String { "\(value)" }

  /// In an order that does not change from run to run.
  static func sorted(_ values: some Sequence<AnyHashable>) -> [AnyHashable] {
    values.map { (key: of($0.base), value: $0) }.sorted { $0.key < $1.key }.map(\.value)
  }
}
