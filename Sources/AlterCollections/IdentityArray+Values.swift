extension IdentityArray: Equatable where Element: Equatable {
  /// Returns whether both collections hold equal elements in the same order.
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
  /// - Parameter hasher: The hasher.
  /// - Complexity: O(n).
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    forEach { hasher.combine($0) }
  }
}

extension IdentityArray: CustomStringConvertible {
  /// The elements in an array's format.
  public var description: String { all.description }
}

extension IdentityArray: CustomReflectable {
  /// The elements as unlabelled children, like an array's.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: all, displayStyle: .collection) }
}
