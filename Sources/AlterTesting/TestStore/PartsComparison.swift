import AlterCore

/// The comparison of two states with the parts that a test expects to change.
struct PartsComparison {
  /// A deviation from the expectation, with values as text.
  enum Deviation: Equatable {
    /// The part has another value.
    case otherValue(path: String, expected: String, actual: String)
    /// The element stands at another position.
    case otherPlace(path: String, expected: Int, actual: Int)
    /// The part has kept its value.
    case kept(path: String, value: String, expected: String)
    /// The element has not moved.
    case notMoved(path: String)
    /// The part belongs to a part that has changed as a whole.
    case within(path: String, whole: String)
    /// The path does not exist, before or after. Similar paths do.
    case missing(path: String, similar: [String])
    /// The part has changed, and the test does not expect it.
    case unexpected(Difference)
  }

  /// The deviations; empty if the expectation is met.
  private(set) var deviations: [Deviation] = []
  /// The lines of an expectation that the new state meets.
  let lines: [String]

  let before: Any
  let after: Any
  let differences: [PartDifference]
  /// The elements with an id that have appeared.
  private let insertions: [PartDifference]
  private let stamp: Stamp
  /// Whether all differences must be expected, and all expected parts must differ.
  private let isExhaustive: Bool

  /// Compares two states.
  ///
  /// - Parameters:
  ///   - before: The state before the change.
  ///   - after: The state after it.
  ///   - expected: The expected parts.
  ///   - stamp: The stamp of the change.
  ///   - isExhaustive: Whether all differences must be expected.
  /// - Complexity: O(size of the states + entries × differences).
  init<State: Equatable>(
    from before: State, to after: State, expecting expected: ExpectedParts, at stamp: Stamp, isExhaustive: Bool = true
  ) {
    var found = partDifferences(from: before, to: after, hasUniquePaths: true)
    // A mirror may show no difference between states that differ.
    if found.isEmpty, before != after { found = [PartDifference(steps: [], old: before, new: after, kind: .content, whole: nil)] }
    lines = Self.lines(for: found, in: after)
    insertions = found.filter { if case .insertion = $0.kind { true } else { false } }
    let parts = found.flatMap { Self.parts(of: $0, named: expected.entries.map(\.path), isImplied: false) }
    found = parts.map(\.difference)
    (self.before, self.after, differences, self.stamp, self.isExhaustive) = (before, after, found, stamp, isExhaustive)
    var isCovered = [Bool](repeating: false, count: found.count)
    for entry in expected.entries {
      let covered =
        if let moved = entry.value as? Moved { check(moved, at: entry.path) } else {
          check(entry.value, at: entry.path)
        }
      for index in covered { isCovered[index] = true }
    }
    guard isExhaustive else { return }
    checkPlaces(of: expected)
    for (part, isCovered) in zip(parts, isCovered) where !isCovered && !part.isImplied {
      deviations.append(.unexpected(Difference(part.difference)))
    }
  }

  /// A difference, or the differences of its parts if the test names some of them.
  private static func parts(
    of difference: PartDifference, named paths: [String], isImplied: Bool
  ) -> [(difference: PartDifference, isImplied: Bool)] {
    let below = paths.filter { contains(difference, $0) }
    let parts = below.isEmpty ? [] : difference.parts
    // A path that does not exist names no part.
    guard parts.contains(where: { part in below.contains { part.difference.path == $0 || contains(part.difference, $0) } }) else {
      return [(difference, isImplied)]
    }
    return parts.flatMap { Self.parts(of: $0.difference, named: below, isImplied: $0.isImplied) }
  }

  // MARK: - Entries

  /// - Returns: The indices of the differences that the entry covers.
  private mutating func check(_ moved: Moved, at path: String) -> [Int] {
    for (index, difference) in differences.enumerated() {
      guard case .move(_, let place) = difference.kind, difference.path == path else { continue }
      if place != moved.place { deviations.append(.otherPlace(path: path, expected: moved.place, actual: place)) }
      return [index]
    }
    let exists = !PartLookup(in: before).parts(at: path).isEmpty || !PartLookup(in: after).parts(at: path).isEmpty
    deviations.append(exists ? .notMoved(path: path) : missing(path))
    return []
  }

  /// - Returns: The indices of the differences that the entry covers.
  private mutating func check(_ value: (any Sendable)?, at path: String) -> [Int] {
    let covered = differences.indices.filter { index in
      let difference = differences[index]
      // An element's own path states its content. Its position needs an entry of its own.
      if case .move = difference.kind, difference.path == path { return false }
      return difference.isAt(orBelow: path)
    }
    let present = PartLookup(in: after).parts(at: path)
    let former = PartLookup(in: before).parts(at: path)
    let expected = expectation(value)
    if covered.isEmpty {
      guard let part = present.first ?? former.first else {
        deviations.append(missing(path))
        return []
      }
      if let whole = differences.first(where: { Self.contains($0, path) }) {
        if isExhaustive || !present.contains(where: { Self.fits(expected, $0) }) {
          deviations.append(.within(path: path, whole: whole.path))
        }
      } else if isExhaustive {
        deviations.append(.kept(path: path, value: Self.text(part), expected: Self.text(expected)))
      } else {
        checkValue(expected, present, at: path)
      }
      return []
    }
    checkValue(expected, present, at: path)
    if let added = value as? Added, let place = covered.compactMap({ place(of: $0, at: path) }).first, place != added.place {
      deviations.append(.otherPlace(path: path, expected: added.place, actual: place))
    }
    return covered
  }

  private mutating func checkValue(_ expected: Any?, _ present: [Any], at path: String) {
    guard !present.isEmpty else {
      if expected != nil { deviations.append(.otherValue(path: path, expected: Self.text(expected), actual: "nothing")) }
      return
    }
    for actual in present where !Self.fits(expected, actual) { deviations += Self.otherValues(expected, actual, at: path) }
  }

  /// Whether a path lies within a part that has changed as a whole.
  private static func contains(_ difference: PartDifference, _ path: String) -> Bool {
    guard case .move = difference.kind else {
      let whole = difference.path
      return path.hasPrefix(whole) && path != whole && (whole.isEmpty || [".", "["].contains(path.dropFirst(whole.count).prefix(1)))
    }
    return false
  }

  private func expectation(_ value: (any Sendable)?) -> Any? {
    switch value {
    case let added as Added: unwrapped(added.element)
    case let stamped as Stamped: stamped.value(stamp).flatMap { unwrapped($0) }
    case let value?: unwrapped(value)
    case nil: nil
    }
  }

  // MARK: - Positions

  private func place(of index: Int, at path: String) -> Int? {
    guard case .insertion(let place) = differences[index].kind, differences[index].path == path else { return nil }
    return place
  }

  /// Checks that the new elements without a stated position stand at the end of their collection, in the order of their entries.
  private mutating func checkPlaces(of expected: ExpectedParts) {
    var entries: [String: Bool] = [:]
    for entry in expected.entries where !(entry.value is Moved) { entries[entry.path] = entry.value is Added }
    var order = Dictionary(expected.entries.enumerated().map { ($1.path, $0) }) { first, _ in first }
    // An element is also expected if its parts are.
    for insertion in insertions where entries[insertion.path] == nil {
      guard let first = expected.entries.firstIndex(where: { Self.contains(insertion, $0.path) }) else { continue }
      (entries[insertion.path], order[insertion.path]) = (false, first)
    }
    var collections: [String: [(path: String, place: Int)]] = [:]
    for difference in insertions {
      guard case .insertion(let place) = difference.kind else { continue }
      collections[difference.steps.dropLast().joined(), default: []].append((difference.path, place))
    }
    for (collection, insertions) in collections.sorted(by: { $0.key < $1.key }) {
      let atEnd = insertions.filter { entries[$0.path] == false }.sorted { order[$0.path, default: 0] < order[$1.path, default: 0] }
      guard !atEnd.isEmpty else { continue }
      let taken = Set(insertions.filter { entries[$0.path] != false }.map(\.place))
      let count = PartLookup(in: after).parts(at: collection).first.map { PartLookup(in: $0).count } ?? 0
      let places = (0..<count).filter { !taken.contains($0) }.suffix(atEnd.count)
      for (insertion, place) in zip(atEnd, places) where insertion.place != place {
        deviations.append(.otherPlace(path: insertion.path, expected: place, actual: insertion.place))
      }
    }
  }

  /// Whether a part has the expected content; nil stands for none.
  private static func fits(_ expected: Any?, _ actual: Any) -> Bool {
    guard let expected else { return unwrapped(actual) == nil }
    return matches(expected, actual)
  }
}
