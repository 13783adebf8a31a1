#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Texts for values: short ones to show, and full ones to compare.
package enum Description {
  /// The maximum length of a text, in characters. Longer texts are shortened.
  private static let length = 200

  /// How much of a value a text contains.
  private struct Bounds {
    /// The maximum depth.
    let depth: Int
    /// The maximum number of elements of a collection.
    let count: Int
    /// Whether a set's elements are in an order of their own, so that equal sets have equal texts.
    let isSorted: Bool

    static let shown = Bounds(depth: 6, count: 20, isSorted: false)
    /// The depth is limited so that no value can overflow the stack.
    static let exact = Bounds(depth: 48, count: .max, isSorted: true)
  }

  /// The whole content of a value, for comparisons.
  static func full(_ value: Any) -> String { full(value, depth: 0, .exact) }

  /// A text of at most 200 characters.
  static func of(_ value: Any) -> String {
    let text = full(value, depth: 0, .shown)
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

  private static func full(_ value: Any, depth: Int, _ bounds: Bounds) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return mirror.children.first.map { full($0.value, depth: depth + 1, bounds) } ?? "nil" }
    if let text = value as? any StringProtocol { return "\"\(text)\"" }
    if let text = exact(value) { return text }
    if let id = value as? any RawIdentified { return full(id.anyRawValue, depth: depth + 1, bounds) }
    if isLeaf(value) || depth > bounds.depth { return isLeaf(value) ? "\(value)" : "…" }
    switch mirror.displayStyle {
    case .enum:
      guard let child = mirror.children.first, let label = child.label else { return "." + caseName(value) }
      let payload = full(child.value, depth: depth + 1, bounds)
      return ".\(label)" + (payload.hasPrefix("(") ? payload : "(\(payload))")
    case .collection, .set:
      let shown = mirror.children.prefix(bounds.count).map { full($0.value, depth: depth + 1, bounds) }
      return "[\(list(bounds.isSorted && mirror.displayStyle == .set ? shown.sorted() : shown, of: mirror.children.count))]"
    case .dictionary:
      let pairs = mirror.children.prefix(bounds.count).map { child in
        Mirror(reflecting: child.value).children.map { full($0.value, depth: depth + 1, bounds) }.joined(separator: ": ")
      }
      return pairs.isEmpty ? "[:]" : "[\(list(pairs.sorted(), of: mirror.children.count))]"
    case .tuple:
      return "(\(mirror.children.map { member($0, depth: depth, bounds) }.joined(separator: ", ")))"
    case .struct, .class:
      if let collection = value as? any RandomAccessCollection {
        let shown = collection.prefix(bounds.count).map { full($0, depth: depth + 1, bounds) }
        return "[\(list(shown, of: collection.count))]"
      }
      return "\(type(of: value))(\(mirror.children.map { member($0, depth: depth, bounds) }.joined(separator: ", ")))"
    default: return "\(value)"
    }
  }

  private static func member(_ child: Mirror.Child, depth: Int, _ bounds: Bounds) -> String {
    let text = full(child.value, depth: depth + 1, bounds)
    guard let label = child.label, !label.hasPrefix(".") else { return text }
    return "\(label): \(text)"
  }

  private static func list(_ shown: [String], of count: Int) -> String {
    shown.joined(separator: ", ") + (count > shown.count ? ", … \(count) in all" : "")
  }

  /// The text of a value that consists of dates; nil for any other. A date's own description omits the fraction of its second, so it would
  /// not tell apart two dates of one second; and Foundation ends the process where a date is NaN, or too large for an integer.
  package static func exact(_ value: Any) -> String? {
    switch value {
    case let date as Date: DateText.description(of: date)
    case let range as Range<Date>: "\(DateText.description(of: range.lowerBound))..<\(DateText.description(of: range.upperBound))"
    case let range as ClosedRange<Date>: "\(DateText.description(of: range.lowerBound))...\(DateText.description(of: range.upperBound))"
    case let interval as DateInterval: "\(DateText.description(of: interval.start)) to \(DateText.description(of: interval.end))"
    default: nil
    }
  }

  private static func caseName(_ value: Any) -> String { "\(value)" }

  /// The values in an order that does not change from run to run.
  static func sorted(_ values: some Sequence<AnyHashable>) -> [AnyHashable] {
    values.map { (key: of($0.base), value: $0) }.sorted { $0.key < $1.key }.map(\.value)
  }
}
