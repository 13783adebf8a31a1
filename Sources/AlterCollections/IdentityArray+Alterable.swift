public import AlterCore

extension IdentityArray where Element: Alterable {
  /// The changes of an identity array that is a state, or part of one.
  ///
  /// Its JSON is compact and stable: `{"put":{…}}`, `{"add":{"at":0,"element":{…}}}`, `{"update":{…}}`, `{"remove":"id"}`,
  /// `{"move":{"id":"…","to":0}}`, `{"replace":[…]}`, `{"element":{"change":{…},"id":"…"}}`.
  public enum Change: Sendable {
    /// Puts a value: replaces the older value of its identity in place, or appends. Never refused.
    case put(Element)
    /// Adds a value of a new identity at a position; nil for the end. Refused if the identity is present.
    case add(Element, at: Int? = nil)
    /// Replaces the value of an identity in place. Refused if the identity is absent.
    case update(Element)
    /// Removes the value of an identity. Refused if the identity is absent.
    case remove(Element.ID)
    /// Moves an element to another position. Refused if the identity is absent.
    case move(Element.ID, to: Int)
    /// Replaces all elements. Never refused.
    case replace(IdentityArray)
    /// Changes one element by its own `Change`, in place. Refused if the identity is absent or would change, or by the element.
    ///
    /// Two writers that change the same element both succeed: each change is made to the element as the other writer left it. An
    /// ``update(_:)`` would overwrite the other writer's change.
    indirect case element(Element.ID, Element.Change)

    /// Removes an element: ``remove(_:)-enum.case`` with the id of a value. Refused if the identity is absent.
    ///
    /// - Parameter element: Any version of the value; only its `id` is used.
    @_disfavoredOverload
    package static func remove(_ element: Element) -> Change { .remove(element.id) }
  }
}

extension IdentityArray.Change: Equatable where Element: Equatable, Element.Change: Equatable {}
extension IdentityArray.Change: Hashable where Element: Hashable, Element.Change: Hashable {}

extension IdentityArray: EmptyInitializable {}

/// An identity array can be a state on its own: `Store(IdentityArray<Person>())` keeps the latest value of every person.
///
/// The elements must be Alterable, so that the array has changes of an element. Elements that are only replaced as a whole have no changes:
///
/// ```swift
/// struct Photo: Identifiable, Hashable, Codable, Alterable {
///   typealias Change = Never
///   let id: Int
///   let title: String
/// }
/// ```
extension IdentityArray: Alterable where Element: Alterable {
  /// The reason for refusing a change: the identity is missing, already present or would change, or the element's own reason.
  public typealias Failure = Refusal

  /// Makes the change, or refuses it. The change of an element may have modified it when it is refused: keep the earlier value, as `alter` and
  /// a store do.
  ///
  /// - Parameters:
  ///   - change: The change to make.
  ///   - stamp: The time and the author, for the changes of an element. Otherwise ignored: the elements carry their own times.
  /// - Throws: ``/AlterCore/Refusal`` `missing` or `duplicate`, naming the element's type and id; a refusal with the code 'identity' for a
  ///   change that gives its element another id; or the element's failure, as a `Refusal`.
  /// - Complexity: that of the method with the same name.
  @inlinable
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .put(let element): put(element)
    case .add(let element, let position): try add(element, at: position)
    case .update(let element): try update(element)
    case .remove(let id): try remove(id: id)
    case .move(let id, let position): try move(id, to: position)
    case .replace(let elements): self = elements
    case .element(let id, let change): try _apply(change, to: id, at: stamp)
    }
  }
}
