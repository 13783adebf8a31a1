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
  package let isMove: Bool

  /// Creates the text of a difference.
  package init(_ difference: PartDifference) {
    path = difference.path
    switch difference.kind {
    case .content, .insertion:
      old = difference.old.map { Description.of($0) }
      new = difference.new.map { Description.of($0) }
      isMove = false
    case .move(let from, let to): (old, new, isMove) = ("\(from)", "\(to)", true)
    }
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
  partDifferences(from: old, to: new, limit: limit).map { Difference($0) }
}
