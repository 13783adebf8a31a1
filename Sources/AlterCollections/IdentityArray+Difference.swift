extension IdentityArray {
  /// The steps from one version of an identity array to another, element by element.
  ///
  /// A difference distinguishes identities, so an element that changed is one ``Step/updated(from:to:)``, not a removal and an insertion.
  public struct Difference: Sendable {
    /// One event of one element.
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

    /// The steps: removals in the order of the older version, then all other steps in the order of the newer one.
    public let steps: [Step]

    /// Creates a difference of the given steps.
    ///
    /// - Parameter steps: The steps, in the order that ``steps`` describes.
    @inlinable
    public init(steps: [Step]) { self.steps = steps }

    /// Whether both versions are equal.
    @inlinable
    public var isEmpty: Bool { steps.isEmpty }
  }
}

extension IdentityArray.Difference: Equatable where Element: Equatable {}
extension IdentityArray.Difference: Hashable where Element: Hashable {}
extension IdentityArray.Difference.Step: Equatable where Element: Equatable {}
extension IdentityArray.Difference.Step: Hashable where Element: Hashable {}

extension IdentityArray where Element: Equatable {
  /// Returns the difference from an older version to this one.
  ///
  /// ```swift
  /// for step in items.changes(from: before).steps {
  ///   if case .updated(let old, let new) = step { … }
  /// }
  /// ```
  ///
  /// - Parameter older: The version to start from; any two versions are allowed.
  /// - Returns: The steps that turn `older` into this version, with the minimum number of moves.
  /// - Complexity: O(k log n) between versions of one collection with k steps between them; O(n log n) in general.
  @inlinable
  public func changes(from older: IdentityArray) -> Difference {
    var comparison = Comparison(older: older, newer: self)
    return Difference(steps: comparison.steps())
  }

  /// Returns this version with a difference applied.
  ///
  /// `older.applying(newer.changes(from: older)) == newer` always holds.
  ///
  /// - Parameter difference: A difference that was taken from this version.
  /// - Returns: The newer version, or nil if the difference was taken from another version.
  /// - Complexity: O(k log n) for k steps that are all updates; O(n log n) otherwise.
  public func applying(_ difference: Difference) -> IdentityArray? {
    if let updated = applyingUpdates(difference) { return updated }
    var leaving: Set<Element.ID> = []
    var arriving: [(element: Element, position: Int)] = []
    var updates: [Element.ID: Element] = [:]
    for step in difference.steps {
      guard case .updated(let old, let new) = step else { continue }
      guard self[id: old.id] == old, new.id == old.id else { return nil }
      updates[old.id] = new
    }
    for step in difference.steps {
      switch step {
      case .updated: break
      case .removed(let element, let position):
        guard index(of: element.id) == position, self[position] == element, leaving.insert(element.id).inserted else { return nil }
      case .moved(let id, let old, let new):
        guard index(of: id) == old, leaving.insert(id).inserted else { return nil }
        arriving.append((updates[id] ?? self[old], new))
      case .inserted(let element, let position):
        guard !contains(id: element.id) else { return nil }
        arriving.append((element, position))
      }
    }
    var staying = lazy.filter { !leaving.contains($0.id) }.makeIterator()
    var result = IdentityArray()
    func stay(until end: Int) {
      while result.count < end, let element = staying.next() { result.put(updates[element.id] ?? element) }
    }
    for (element, position) in arriving {
      stay(until: position)
      guard result.count == position, result.put(element) == nil else { return nil }
    }
    stay(until: .max)
    return result
  }

  /// Returns this version with a difference of only updates applied; nil if there are other steps or the difference does not fit.
  private func applyingUpdates(_ difference: Difference) -> IdentityArray? {
    var result = self
    for step in difference.steps {
      guard case .updated(let old, let new) = step, self[id: old.id] == old, new.id == old.id else { return nil }
      result.put(new)
    }
    return result
  }
}
