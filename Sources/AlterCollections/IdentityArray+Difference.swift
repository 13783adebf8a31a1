extension IdentityArray {
  /// What turns one version of an identity array into another, element by element.
  ///
  /// It tells identities apart, so an element that changed is one ``Step/updated(from:to:)``, not a removal and an insertion.
  public struct Difference: Sendable {
    /// One thing that happened to one element.
    ///
    /// As in the standard library's differences, positions of what is taken away are those in the older version, and positions
    /// of what is put are those in the newer one. So each step can be understood without the others.
    public enum Step: Sendable {
      /// An identity that was in the older version and isn't in the newer.
      case removed(Element, from: Int)
      /// An identity that wasn't in the older version: its value, and where it is in the newer.
      case inserted(Element, at: Int)
      /// An identity that left its place among the others: where it was in the older version, and where it is in the newer.
      /// Elements that were only pushed aside by insertions, removals and other moves don't count as moved.
      case moved(Element.ID, from: Int, to: Int)
      /// An identity whose value is another; it may have moved as well, which is a step of its own.
      case updated(from: Element, to: Element)
    }

    /// The steps: removals in the order of the older version, then everything else in the order of the newer one.
    public let steps: [Step]

    /// A difference of the given steps.
    ///
    /// - Parameter steps: In the order that ``steps`` describes.
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
  /// What happened since an older version.
  ///
  /// ```swift
  /// for step in items.changes(from: before).steps {
  ///   if case .updated(let old, let new) = step { … }
  /// }
  /// ```
  ///
  /// - Parameter older: The version to start from; any two will do.
  /// - Returns: The steps that turn `older` into this one, with as few moves as possible.
  /// - Complexity: O(k log n) between versions of one collection with k steps between them; O(n log n) in general.
  @inlinable
  public func changes(from older: IdentityArray) -> Difference {
    var comparison = Comparison(older: older, newer: self)
    return Difference(steps: comparison.steps())
  }

  /// This version with a difference made to it.
  ///
  /// `older.applying(newer.changes(from: older)) == newer`, always.
  ///
  /// - Parameter difference: Taken from this version.
  /// - Returns: The newer version, or nil when the difference was taken from another version than this one.
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
      while result.count < end, let element = staying.next() { result.add(updates[element.id] ?? element) }
    }
    for (element, position) in arriving {
      stay(until: position)
      guard result.count == position, result.add(element) == nil else { return nil }
    }
    stay(until: .max)
    return result
  }

  /// This version with a difference of nothing but updates made to it; nil when there are other steps or it doesn't fit.
  private func applyingUpdates(_ difference: Difference) -> IdentityArray? {
    var result = self
    for step in difference.steps {
      guard case .updated(let old, let new) = step, self[id: old.id] == old, new.id == old.id else { return nil }
      result.add(new)
    }
    return result
  }
}
