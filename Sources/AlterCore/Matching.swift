/// Whether a value is the expected one, written as literals where the part may have another type.
///
/// Values are compared with `==`. Without it, their parts are compared, and parts without further parts by their full texts. In addition,
/// numbers of different types match if their values are equal, strings of different types if their characters are, and collections if their
/// elements match: an array matches another ordered collection in the same order, and a set in any order. A raw value matches an identifier.
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
  if let (left, right) = (expected as? any BinaryFloatingPoint).flatMap({ left in (actual as? any BinaryFloatingPoint).map { (left, $0) } }
  ),
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
  case (let left as any StringProtocol, let right as Character): return String(left) == String(right)
  case (_, let right as any RawIdentified) where !(expected is any RawIdentified): return matches(expected, right.anyRawValue)
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
