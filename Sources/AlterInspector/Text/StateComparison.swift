import AlterJournal

/// The differences between two states. Array elements with ids are compared by id, others by position.
struct StateComparison {
  private(set) var differences: [StateDifference] = []
  /// Whether the list contains all differences.
  private(set) var isComplete = true
  private let limit: Int
  private var depth = 0

  private static let textLimit = 200

  /// Compares two states.
  ///
  /// - Parameter limit: The maximum number of differences.
  /// - Complexity: O(n), and O(n log n) for the order of arrays whose elements have ids.
  init(_ old: JSONValue, _ new: JSONValue, limit: Int) {
    self.limit = limit
    compare(old, new, at: "")
  }

  /// The name of an element with this id; nil if the id is neither a text nor a whole number.
  static func name(of id: JSONValue) -> String? {
    switch id {
    case .string(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }

  private mutating func tell(_ kind: StateDifference.Kind, _ path: String, _ old: String?, _ new: String?) {
    guard differences.count < limit else {
      isComplete = false
      return
    }
    differences.append(StateDifference(path: path.isEmpty ? "state" : path, kind: kind, old: old, new: new))
  }

  private func text(_ value: JSONValue) -> String { ChangeText.value(value, limit: Self.textLimit) }

  private mutating func compare(_ old: JSONValue, _ new: JSONValue, at path: String) {
    guard isComplete else { return }
    depth += 1
    defer { depth -= 1 }
    // Deeper values are compared as a whole, to bound the use of the stack.
    guard depth < 64 else {
      if old != new { tell(.changed, path, text(old), text(new)) }
      return
    }
    switch (old, new) {
    case (.object(let old), .object(let new)):
      for (key, value) in ChangeText.sorted(old.merging(new) { old, _ in old }) {
        let path = path.isEmpty ? key : "\(path).\(key)"
        switch (old[key], new[key]) {
        case (let old?, let new?): compare(old, new, at: path)
        case (_?, nil): tell(.removed, path, text(value), nil)
        case (nil, _): tell(.added, path, nil, text(value))
        }
      }
    case (.array(let old), .array(let new)):
      if let places = Self.places(old), let newPlaces = Self.places(new), !old.isEmpty || !new.isEmpty {
        compare(old, places, new, newPlaces, at: path)
      } else {
        compare(old, new, at: path)
      }
    default: if old != new { tell(.changed, path, text(old), text(new)) }
    }
  }

  /// Compares two arrays by position. Equal elements at both ends are skipped.
  private mutating func compare(_ old: [JSONValue], _ new: [JSONValue], at path: String) {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed()).prefix { $0 == $1 }.count
    let both = min(old.count, new.count) - end
    for index in start..<max(start, both) { compare(old[index], new[index], at: "\(path)[\(index)]") }
    for index in max(start, both)..<max(start, both, old.count - end) { tell(.removed, "\(path)[\(index)]", text(old[index]), nil) }
    for index in max(start, both)..<max(start, both, new.count - end) { tell(.added, "\(path)[\(index)]", nil, text(new[index])) }
  }

  /// Compares two arrays by id.
  private mutating func compare(
    _ old: [JSONValue], _ oldPlaces: [String: Int], _ new: [JSONValue], _ newPlaces: [String: Int], at path: String
  ) {
    for (index, value) in old.enumerated() {
      guard let id = value["id"], let name = Self.name(of: id), newPlaces[name] == nil else { continue }
      tell(.removed, "\(path)[\(name)]", text(old[index]), nil)
    }
    // The longest subsequence of common elements that keeps its order counts as unmoved; the other common elements have moved.
    let common = new.indices.compactMap { index in
      new[index]["id"].flatMap(Self.name(of:)).flatMap { name in oldPlaces[name].map { (name: name, old: $0, new: index) } }
    }
    let still = Self.longestIncreasing(common.map(\.old))
    for (name, oldIndex, newIndex) in common {
      guard isComplete else { return }
      let path = "\(path)[\(name)]"
      if !still.contains(oldIndex) { tell(.moved, path, String(oldIndex), String(newIndex)) }
      compare(old[oldIndex], new[newIndex], at: path)
    }
    for value in new {
      guard let id = value["id"], let name = Self.name(of: id), oldPlaces[name] == nil else { continue }
      tell(.added, "\(path)[\(name)]", nil, text(value))
    }
  }

  /// The position of each id; nil unless every element has a unique id.
  private static func places(_ values: [JSONValue]) -> [String: Int]? {
    var places: [String: Int] = [:]
    for (index, value) in values.enumerated() {
      guard let id = value["id"], let name = name(of: id), places.updateValue(index, forKey: name) == nil else { return nil }
    }
    return places
  }

  /// The members of a longest increasing subsequence (patience sorting).
  static func longestIncreasing(_ numbers: [Int]) -> Set<Int> {
    var piles: [Int] = []
    var before = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, piles.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[piles[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = piles[low - 1] }
      if low == piles.count { piles.append(index) } else { piles[low] = index }
    }
    var members: Set<Int> = []
    var index = piles.last ?? -1
    while index >= 0 {
      members.insert(numbers[index])
      index = before[index]
    }
    return members
  }
}
