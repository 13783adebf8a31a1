public import AlterCollections
public import AlterCore

/// A model with a property that every change sets from its stamp: what `@Stamped` adds.
///
/// Its values are stamped as well when they become part of a state, by `.add` or `.update`.
public protocol _Restamping: Alterable {
  /// Sets the stamped properties; ``/AlterCore/Stamp/none`` leaves them.
  ///
  /// - Parameter stamp: When and by whom.
  mutating func _restamp(at stamp: Stamp)
}

extension Alterable {
  /// This value as it becomes part of a state: stamped, if its type has stamped properties.
  ///
  /// Looks the type up while the program runs: for code that knows the type only as a parameter.
  ///
  /// - Parameter stamp: When and by whom.
  public func _restamped(at stamp: Stamp) -> Self {
    guard var copy = self as? any _Restamping else { return self }
    copy._restamp(at: stamp)
    return copy as? Self ?? self
  }
}

extension IdentityArray where Element: Alterable {
  /// Puts a value: in the place of the older value of its identity if there is one, at the end otherwise.
  ///
  /// - Parameters:
  ///   - element: The latest value of its identity; it has no stamped properties.
  ///   - stamp: When and by whom: hand on the one that `apply` was given.
  /// - Complexity: as `add`.
  @inlinable
  public mutating func _add(_ element: Element, at stamp: Stamp) { add(element) }

  /// Replaces the value of an identity that is here, in its place.
  ///
  /// - Parameters:
  ///   - element: The latest value of its identity; it has no stamped properties.
  ///   - stamp: When and by whom: hand on the one that `apply` was given.
  /// - Throws: `Refusal.missing` when the identity isn't here; then nothing is changed.
  /// - Complexity: as `update`.
  @inlinable
  public mutating func _update(_ element: Element, at stamp: Stamp) throws(Refusal) { try update(element) }
}

extension IdentityArray where Element: _Restamping {
  /// Puts a value, stamped: in the place of the older value of its identity if there is one, at the end otherwise.
  ///
  /// - Parameters:
  ///   - element: The latest value of its identity.
  ///   - stamp: When and by whom: hand on the one that `apply` was given.
  /// - Complexity: as `add`.
  @inlinable
  public mutating func _add(_ element: Element, at stamp: Stamp) {
    var element = element
    element._restamp(at: stamp)
    add(element)
  }

  /// Replaces the value of an identity that is here, in its place, stamped.
  ///
  /// - Parameters:
  ///   - element: The latest value of its identity.
  ///   - stamp: When and by whom: hand on the one that `apply` was given.
  /// - Throws: `Refusal.missing` when the identity isn't here; then nothing is changed.
  /// - Complexity: as `update`.
  @inlinable
  public mutating func _update(_ element: Element, at stamp: Stamp) throws(Refusal) {
    var element = element
    element._restamp(at: stamp)
    try update(element)
  }
}
