#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One difference between two values: its path, and the contents before and after.
///
/// ```swift
/// for difference in differences(from: old, to: new) { print(difference) }
/// // items[2].completed: false → true
/// // items[5]: removed TodoItem(id: 5, text: "Pay rent", …)
/// ```
public struct Difference: Sendable, Hashable, CustomStringConvertible {
  /// The path from the value down, as in `items[2].completed`; empty for the value itself. An element with an identity is named by its id,
  /// any other element by its position or its key.
  public let path: String
  /// The old content as text; nil if the path did not exist.
  public let old: String?
  /// The new content as text; nil if the path no longer exists.
  public let new: String?
  /// Whether an element that both values contain has moved; `old` and `new` are then its positions.
  public let isMove: Bool

  /// Creates a difference.
  init(_ path: String, old: String?, new: String?, isMove: Bool = false) {
    self.path = path
    self.old = old
    self.new = new
    self.isMove = isMove
  }

  /// The difference in one line.
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

/// Returns the differences between two values of any type, in the order of the type's properties.
///
/// The function reads the values through `Mirror`, so any type is supported. Elements of a collection are matched by their identity if they
/// have one, so that a removal is one difference and does not affect the elements after it. Elements of a set are matched by equality,
/// those of a dictionary by their keys. A date is ISO 8601 text in UTC with its whole fraction, `2026-12-01T09:30:00.25Z`.
///
/// - Parameters:
///   - old: The value before.
///   - new: The value after.
///   - limit: The maximum number of differences; 1,000 by default.
/// - Returns: The differences; empty if there are none.
/// - Complexity: O(size of the values); parts that are equal by `==` are skipped.
public func differences<Value>(from old: Value, to new: Value, limit: Int = 1_000) -> [Difference] {
  var comparison = Comparison(limit: limit)
  comparison.compare(old, new, at: "", depth: 0)
  return comparison.found
}

/// Returns the differences of two values as text, one per line.
///
/// - Parameters:
///   - old: The value before.
///   - new: The value after.
///   - limit: The maximum number of lines; 100 by default. A last line says if there are more.
/// - Returns: The lines; 'No difference.' if there is none.
public func describeDifferences<Value>(from old: Value, to new: Value, limit: Int = 100) -> String {
  let found = differences(from: old, to: new, limit: limit + 1)
  guard !found.isEmpty else { return "No difference." }
  let lines = found.prefix(limit).map(\.description) + (found.count > limit ? ["… and more."] : [])
  return lines.joined(separator: "\n")
}

/// The traversal of two values.
private struct Comparison {
  let limit: Int
  var found: [Difference] = []
  /// The maximum depth. Values nested deeper are compared as a whole, so that no value can overflow the stack.
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

  /// Reports the common elements outside the longest run that has kept its order: the minimum that can have moved.
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

  /// The elements of two collections; nil for anything else. A string is a value, not a collection of characters.
  private static func elements(_ old: Any, _ new: Any, _ left: Mirror, _ right: Mirror) -> ([Any], [Any])? {
    if old is any StringProtocol { return nil }
    if left.displayStyle == .collection { return (left.children.map(\.value), right.children.map(\.value)) }
    if let old = old as? any RandomAccessCollection, let new = new as? any RandomAccessCollection, !Description.isLeaf(old) {
      return (old.map { $0 as Any }, new.map { $0 as Any })
    }
    return nil
  }

  /// Whether both are equal; nil if their type has no `==`.
  private static func areEqual(_ old: Any, _ new: Any) -> Bool? {
    func compare<Value: Equatable>(_ old: Value) -> Bool? { (new as? Value).map { $0 == old } }
    guard let old = old as? any Equatable else { return nil }
    return compare(old)
  }
}

/// Short texts for values.
private enum Description {
  /// The maximum length of a text, in characters. Longer texts are shortened.
  private static let length = 200

  static func of(_ value: Any) -> String {
    let text = full(value, depth: 0)
    return text.count > length ? text.prefix(length) + "…" : text
  }

  /// Whether a value is shown as a whole: it has a text of its own, and is not a container.
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
    if let text = exact(value) { return text }
    if let id = value as? any RawIdentified { return full(id.anyRawValue, depth: depth + 1) }
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

  /// The text of a value that consists of dates; nil for any other. A date's own description omits the fraction of its second, so it would
  /// not tell apart two dates of one second.
  private static func exact(_ value: Any) -> String? {
    switch value {
    case let date as Date: DateText.description(of: date)
    case let range as Range<Date>: "\(DateText.description(of: range.lowerBound))..<\(DateText.description(of: range.upperBound))"
    case let range as ClosedRange<Date>: "\(DateText.description(of: range.lowerBound))...\(DateText.description(of: range.upperBound))"
    case let interval as DateInterval: "\(DateText.description(of: interval.start)) to \(DateText.description(of: interval.end))"
    default: nil
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

  /// The values in an order that does not change from run to run.
  static func sorted(_ values: some Sequence<AnyHashable>) -> [AnyHashable] {
    values.map { (key: of($0.base), value: $0) }.sorted { $0.key < $1.key }.map(\.value)
  }
}
