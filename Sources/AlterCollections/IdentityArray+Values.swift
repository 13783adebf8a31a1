extension IdentityArray: Equatable where Element: Equatable {
  /// Whether both hold equal elements in the same order.
  ///
  /// - Complexity: O(n).
  @inlinable
  public static func == (left: IdentityArray, right: IdentityArray) -> Bool { left.elements == right.elements }
}

extension IdentityArray: Hashable where Element: Hashable {
  /// Feeds the elements, in order, to the hasher.
  ///
  /// - Parameter hasher: Takes them.
  /// - Complexity: O(n).
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension IdentityArray: CustomStringConvertible, CustomDebugStringConvertible {
  /// The elements as an array shows them.
  public var description: String { elements.description }

  /// The elements with the name of the type.
  public var debugDescription: String { "IdentityArray(\(elements.description))" }
}

extension IdentityArray: CustomReflectable {
  /// The elements as children, as an array has them.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .collection) }
}
