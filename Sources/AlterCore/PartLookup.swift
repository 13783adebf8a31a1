/// Finds parts of a value by the paths that differences have.
package struct PartLookup {
  private let root: Any
  /// The maximum depth, as in a comparison.
  private static let depth = 48

  /// Creates a lookup in a value.
  package init(in value: Any) { root = value }

  /// Returns the parts at a path: none if the path does not exist; several if long keys have the same shortened text.
  ///
  /// - Parameter path: A path as in ``Difference/path``; the empty path is the value itself.
  /// - Complexity: O(number of siblings on the path).
  package func parts(at path: String) -> [Any] {
    var found: [Any] = []
    _ = visit(root, at: [], toward: path, depth: 0) { found.append($0) }
    return found
  }

  /// The number of elements, if the value is a collection; otherwise 0.
  package var count: Int {
    guard let value = unwrapped(root) else { return 0 }
    return Comparison.elements(value, Mirror(reflecting: value))?.count ?? 0
  }

  /// Returns the paths in the deepest existing part on the way to a path: the likely intended ones if the path does not exist.
  package func siblings(of path: String) -> [String] {
    let (value, steps, depth) = visit(root, at: [], toward: path, depth: 0) { _ in }
    let here = steps.isEmpty ? [] : [steps.joined()]
    guard depth < Self.depth else { return here }
    return here + Self.children(of: value, at: steps).prefix(1_000).map { $0.steps.joined() }
  }

  /// Visits each part at a path.
  ///
  /// - Returns: The deepest part that the path leads to or through.
  private func visit(
    _ value: Any, at steps: [String], toward path: String, depth: Int, _ body: (Any) -> Void
  ) -> (value: Any, steps: [String], depth: Int) {
    if steps.joined() == path {
      body(value)
      return (value, steps, depth)
    }
    var deepest = (value: value, steps: steps, depth: depth)
    guard depth < Self.depth else { return deepest }
    for child in Self.children(of: value, at: steps) where Self.leads(child.steps.joined(), to: path) {
      let reached = visit(child.value, at: child.steps, toward: path, depth: depth + 1, body)
      if reached.depth > deepest.depth { deepest = reached }
    }
    return deepest
  }

  /// Whether a path is another one or the beginning of it.
  private static func leads(_ prefix: String, to path: String) -> Bool {
    guard path.hasPrefix(prefix) else { return false }
    let rest = path.dropFirst(prefix.count)
    return prefix.isEmpty || rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[")
  }

  /// The parts directly below a value, with the same paths as in a comparison.
  private static func children(of value: Any, at path: [String]) -> [(steps: [String], value: Any)] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.map { (path, $0.value) }
    case .set: return []
    case .dictionary: return Comparison.pairs(mirror).map { (path + [Comparison.step(to: $0.key)], $0.value) }
    case .enum: return mirror.children.filter { $0.label != nil }.map { (Comparison.path(to: $0.label, below: path, in: mirror), $0.value) }
    default:
      if let elements = Comparison.elements(value, mirror) {
        guard let ids = Comparison.identities(elements) else {
          return elements.enumerated().map { (path + ["[\($0.offset)]"], $0.element) }
        }
        return zip(ids, elements).map { (path + [Comparison.step(to: $0)], $1) }
      }
      if Description.isLeaf(value) { return [] }
      return mirror.children.map { (Comparison.path(to: $0.label, below: path, in: mirror), $0.value) }
    }
  }
}

/// Whether a value is the expected one, written as literals where the part may have another type.
///
/// Values are compared with `==`. Without it, their parts are compared, and parts without further parts by their full texts. In addition,
/// numbers of different types match if their values are equal, strings of different types if their characters are, and collections if their
/// elements match: an array matches another ordered collection in the same order, and a set in any order.
///
/// - Parameters:
///   - expected: The expected value.
///   - actual: The actual value.
/// - Complexity: O(size of the values); O(size²) for an array that is compared with a set.
package func matches(_ expected: Any, _ actual: Any) -> Bool {
  guard let expected = unwrapped(expected), let actual = unwrapped(actual) else {
    return unwrapped(expected) == nil && unwrapped(actual) == nil
  }
  if Comparison.areEqual(expected, actual) == true { return true }
  if let (left, right) = (expected as? any BinaryFloatingPoint).flatMap({ left in (actual as? any BinaryFloatingPoint).map { (left, $0) } }),
    isNaN(left), isNaN(right)
  {
    return true
  }
  if type(of: expected) == type(of: actual) {
    return Comparison.areEqual(expected, actual) ?? partDifferences(from: expected, to: actual, limit: 1).isEmpty
  }
  switch (expected, actual) {
  case (let left as any BinaryInteger, let right as any BinaryInteger): return isEqual(left, right)
  case (let left as any BinaryInteger, let right as any BinaryFloatingPoint): return isEqual(right, left)
  case (let left as any BinaryFloatingPoint, let right as any BinaryInteger): return isEqual(left, right)
  case (let left as any BinaryFloatingPoint, let right as any BinaryFloatingPoint): return isEqual(left, right)
  case (let left as any StringProtocol, let right as any StringProtocol): return String(left) == String(right)
  default: return elementsMatch(expected, actual)
  }
}

/// The content of nested optionals; nil if there is none.
package func unwrapped(_ value: Any) -> Any? {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return value }
  return mirror.children.first.flatMap { unwrapped($0.value) }
}

private func elementsMatch(_ expected: Any, _ actual: Any) -> Bool {
  let (left, right) = (Mirror(reflecting: expected), Mirror(reflecting: actual))
  switch (left.displayStyle, right.displayStyle) {
  case (.dictionary, .dictionary):
    let (left, right) = (Comparison.pairs(left), Comparison.pairs(right))
    return left.count == right.count && left.allSatisfy { key, value in right[key].map { matches(value, $0) } ?? false }
  case (.collection, .set), (.set, .set):
    var rest = right.children.map(\.value)
    guard left.children.count == rest.count else { return false }
    return left.children.allSatisfy { child in
      guard let found = rest.firstIndex(where: { matches(child.value, $0) }) else { return false }
      rest.remove(at: found)
      return true
    }
  default:
    guard left.displayStyle != .set, let left = Comparison.elements(expected, left), let right = Comparison.elements(actual, right) else {
      return false
    }
    return left.count == right.count && zip(left, right).allSatisfy { matches($0, $1) }
  }
}

private func isNaN(_ number: some BinaryFloatingPoint) -> Bool { number.isNaN }

private func isEqual<Left: BinaryInteger, Right: BinaryInteger>(_ left: Left, _ right: Right) -> Bool { left == right }

private func isEqual<Left: BinaryFloatingPoint, Right: BinaryInteger>(_ left: Left, _ right: Right) -> Bool { Left(exactly: right) == left }

/// A literal such as `0.1` has more digits than a `Float` keeps, so the wider number is rounded to the narrower type.
private func isEqual<Left: BinaryFloatingPoint, Right: BinaryFloatingPoint>(_ left: Left, _ right: Right) -> Bool {
  Left.significandBitCount > Right.significandBitCount ? Right(left) == right : left == Left(right)
}
