public import AlterCore

// The path change: a state changes one of its elements by the element's own vocabulary, in place.
// Three overloads, so that the common models (those that refuse nothing, and those that refuse with `Refusal`) get a plain
// `Refusal`, and the others keep their own failure's type.

extension IdentityArray where Element: Alterable, Element.Failure == Refusal {
  /// Makes a change to one element, in place.
  ///
  /// ```swift
  /// case .item(let id, let change): try items.alter(id, change, at: stamp)
  /// ```
  ///
  /// - Parameters:
  ///   - id: Which element.
  ///   - change: What happens to it.
  ///   - stamp: When and by whom: hand on the one that `apply` was given.
  /// - Throws: `Refusal.missing` when the element isn't here, or what the element refuses with.
  /// - Complexity: that of the element's `apply`, plus O(log n) expected.
  @inlinable
  public mutating func alter(_ id: Element.ID, _ change: Element.Change, at stamp: Stamp) throws(Refusal) {
    let done: Void? = try modify(id: id) { element throws(Refusal) in try element.apply(change, at: stamp) }
    guard done != nil else { throw Self.missing(id) }
  }
}

extension IdentityArray where Element: Alterable, Element.Failure == Never {
  /// Makes a change to one element, in place.
  ///
  /// - Parameters:
  ///   - id: Which element.
  ///   - change: What happens to it.
  ///   - stamp: When and by whom: hand on the one that `apply` was given.
  /// - Throws: `Refusal.missing` when the element isn't here; the element itself refuses nothing.
  /// - Complexity: that of the element's `apply`, plus O(log n) expected.
  @inlinable
  public mutating func alter(_ id: Element.ID, _ change: Element.Change, at stamp: Stamp) throws(Refusal) {
    guard modify(id: id, { element in element.apply(change, at: stamp) }) != nil else { throw Self.missing(id) }
  }
}

extension IdentityArray where Element: Alterable {
  /// Makes a change to one element, in place, where elements refuse with a failure of their own.
  ///
  /// - Parameters:
  ///   - id: Which element.
  ///   - change: What happens to it.
  ///   - stamp: When and by whom: hand on the one that `apply` was given.
  /// - Throws: ``ElementRefusal`` `missing` when the element isn't here, `refused` with what the element refuses with.
  /// - Complexity: that of the element's `apply`, plus O(log n) expected.
  @inlinable
  public mutating func alter(_ id: Element.ID, _ change: Element.Change, at stamp: Stamp) throws(ElementRefusal<Element.Failure>) {
    let done: Void? = try modify(id: id) { element throws(ElementRefusal<Element.Failure>) in
      do throws(Element.Failure) { try element.apply(change, at: stamp) } catch { throw .refused(error) }
    }
    guard done != nil else { throw .missing(Self.missing(id)) }
  }
}

/// Why a change to an element was refused, where elements have a failure type of their own.
public enum ElementRefusal<Failure: Error>: Error, CustomStringConvertible {
  /// There is no such element; the refusal says which.
  case missing(Refusal)
  /// The element is there and refused.
  case refused(Failure)

  /// What is missing, or what the element says.
  public var description: String {
    switch self {
    case .missing(let refusal): refusal.description
    case .refused(let failure): "\(failure)"
    }
  }
}

extension ElementRefusal: Equatable where Failure: Equatable {}
extension ElementRefusal: Hashable where Failure: Hashable {}
