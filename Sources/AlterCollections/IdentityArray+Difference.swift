extension IdentityArray {
  /// One event of one element between two versions: see ``changes(from:)``.
  ///
  /// As in the standard library's differences, positions of removals refer to the older version, and positions of insertions refer to the
  /// newer version. Each step can therefore be understood without the others.
  public enum Step: Sendable {
    /// An identity of the older version that is absent from the newer one.
    case removed(Element, from: Int)
    /// A new identity: its value, and its position in the newer version.
    case inserted(Element, at: Int)
    /// An identity whose position among the others changed: its position in the older version, and its position in the newer version.
    /// Elements that were only displaced by insertions, removals and other moves do not count as moved.
    case moved(Element.ID, from: Int, to: Int)
    /// An identity whose value changed. If it has also moved, the move is a separate step.
    case updated(from: Element, to: Element)
  }
}

extension IdentityArray.Step: Equatable where Element: Equatable {}
extension IdentityArray.Step: Hashable where Element: Hashable {}

extension IdentityArray where Element: Equatable {
  /// Returns the steps from an older version to this one, element by element.
  ///
  /// They distinguish identities, so an element that changed is one ``Step/updated(from:to:)``, not a removal and an insertion.
  ///
  /// ```swift
  /// for step in items.changes(from: before) {
  ///   if case .updated(let old, let new) = step { … }
  /// }
  /// ```
  ///
  /// - Parameter older: The version to start from; any two versions are allowed.
  /// - Returns: The steps that turn `older` into this version, with the minimum number of moves: removals in the order of the older version,
  ///   then all other steps in the order of the newer one. Empty if both are equal.
  /// - Complexity: O(k log n) between versions of one collection with k steps between them; O(n log n) in general.
  @inlinable
  public func changes(from older: IdentityArray) -> [Step] {
    var comparison = Comparison(older: older, newer: self)
    return comparison.steps()
  }
}
