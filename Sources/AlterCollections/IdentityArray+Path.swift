public import AlterCore

// The path change: a state changes one of its elements by the element's own `Change`, in place.
// A change that gives its element another id is refused: each version of a journal, and each device, may bring one. As with any refusal that
// follows a modification, the array's earlier value is the caller's to keep.
// Three overloads, so that the common models (those that refuse nothing, and those that refuse with `Refusal`) get a plain
// `Refusal`, and the others keep their own failure's type.

extension IdentityArray where Element: Alterable, Element.Failure == Refusal {
  /// Makes a change to one element, in place.
  ///
  /// ```swift
  /// case .item(let id, let change): try items.apply(change, to: id, at: stamp)
  /// ```
  ///
  /// - Parameters:
  ///   - change: The element's change.
  ///   - id: The id of the element.
  ///   - stamp: The time and the author: pass the stamp that `apply` received.
  /// - Throws: `Refusal.missing` if the element is absent; a refusal with the code 'identity' if the change gives it another id; the element's
  ///   own refusal.
  /// - Complexity: that of the element's `apply`, plus O(log n) expected.
  @inlinable
  public mutating func apply(_ change: Element.Change, to id: Element.ID, at stamp: Stamp) throws(Refusal) {
    var hasMoved = false
    let done: Void? = try modify(id: id, &hasMoved) { element throws(Refusal) in try element.apply(change, at: stamp) }
    guard done != nil else { throw Self.missing(id) }
    if hasMoved { throw Self.moved(id) }
  }
}

extension IdentityArray where Element: Alterable, Element.Failure == Never {
  /// Makes a change to one element, in place.
  ///
  /// - Parameters:
  ///   - change: The element's change.
  ///   - id: The id of the element.
  ///   - stamp: The time and the author: pass the stamp that `apply` received.
  /// - Throws: `Refusal.missing` if the element is absent; a refusal with the code 'identity' if the change gives it another id. The element
  ///   itself refuses nothing.
  /// - Complexity: that of the element's `apply`, plus O(log n) expected.
  @inlinable
  public mutating func apply(_ change: Element.Change, to id: Element.ID, at stamp: Stamp) throws(Refusal) {
    var hasMoved = false
    guard modify(id: id, &hasMoved, { element in element.apply(change, at: stamp) }) != nil else { throw Self.missing(id) }
    if hasMoved { throw Self.moved(id) }
  }
}

extension IdentityArray where Element: Alterable {
  /// Makes a change to one element, in place, if elements have a failure type of their own.
  ///
  /// - Parameters:
  ///   - change: The element's change.
  ///   - id: The id of the element.
  ///   - stamp: The time and the author: pass the stamp that `apply` received.
  /// - Throws: ``ElementRefusal`` `missing` if the element is absent, `moved` if the change gives it another id, or `refused` with the
  ///   element's failure.
  /// - Complexity: that of the element's `apply`, plus O(log n) expected.
  @inlinable
  public mutating func apply(_ change: Element.Change, to id: Element.ID, at stamp: Stamp) throws(ElementRefusal<Element.Failure>) {
    var hasMoved = false
    let done: Void? = try modify(id: id, &hasMoved) { element throws(ElementRefusal<Element.Failure>) in
      do throws(Element.Failure) { try element.apply(change, at: stamp) } catch { throw .refused(error) }
    }
    guard done != nil else { throw .missing(Self.missing(id)) }
    if hasMoved { throw .moved(Self.moved(id)) }
  }
}

extension IdentityArray where Element: Alterable {
  /// Makes a change to one element, in place, and reports every refusal as a `Refusal`.
  ///
  /// This is ``apply(_:to:at:)`` with one error type, whatever the elements throw: for generic and generated code.
  ///
  /// - Parameters:
  ///   - change: The element's change.
  ///   - id: The id of the element.
  ///   - stamp: The time and the author: pass the stamp that `apply` received.
  /// - Throws: `Refusal.missing` if the element is absent; a refusal with the code 'identity' if the change gives it another id; otherwise the
  ///   element's failure, as a `Refusal`.
  /// - Complexity: that of the element's `apply`, plus O(log n) expected.
  @inlinable
  public mutating func _apply(_ change: Element.Change, to id: Element.ID, at stamp: Stamp) throws(Refusal) {
    var hasMoved = false
    let done: Void? = try modify(id: id, &hasMoved) { element throws(Refusal) in try element._apply(part: change, at: stamp) }
    guard done != nil else { throw Self.missing(id) }
    if hasMoved { throw Self.moved(id) }
  }
}

/// The reason for refusing a change to an element, if elements have a failure type of their own.
public enum ElementRefusal<Failure: Error>: Error, CustomStringConvertible {
  /// The element is absent; the refusal names it.
  case missing(Refusal)
  /// The change gives the element another id; the refusal names the present one.
  case moved(Refusal)
  /// The element is present and refused the change.
  case refused(Failure)

  /// The text of the refusal, or of the element's failure.
  public var description: String {
    switch self {
    case .missing(let refusal), .moved(let refusal): refusal.description
    case .refused(let failure): "\(failure)"
    }
  }
}

extension ElementRefusal: Equatable where Failure: Equatable {}
extension ElementRefusal: Hashable where Failure: Hashable {}
