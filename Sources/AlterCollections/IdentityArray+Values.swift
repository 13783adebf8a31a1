extension IdentityArray: Equatable where Element: Equatable {
  /// Whether both hold equal elements in the same order.
  ///
  /// - Complexity: O(k log n) between versions of one collection that differ in k elements; O(n) in general.
  @inlinable
  public static func == (left: IdentityArray, right: IdentityArray) -> Bool {
    left.count == right.count && left.tree.isEqual(to: right.tree)
  }
}

extension IdentityArray: Hashable where Element: Hashable {
  /// Feeds the elements, in order, to the hasher.
  ///
  /// - Parameter hasher: Takes them.
  /// - Complexity: O(n).
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    forEach { hasher.combine($0) }
  }
}

extension IdentityArray: CustomStringConvertible, CustomDebugStringConvertible {
  /// The elements as an array shows them.
  public var description: String { all.description }

  /// The elements with the name of the type.
  public var debugDescription: String { "IdentityArray(\(all.description))" }
}

extension IdentityArray: CustomReflectable {
  /// The elements as children, as an array has them.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: all, displayStyle: .collection) }
}
