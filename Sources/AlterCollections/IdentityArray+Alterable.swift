public import AlterCore

extension IdentityArray {
  /// What can happen to an identity array that is a state, or part of one.
  ///
  /// Its JSON is compact and stable: `{"add":{…}}`, `{"insert":{"at":0,"element":{…}}}`, `{"update":{…}}`, `{"remove":"id"}`,
  /// `{"move":{"id":"…","to":0}}`, `{"replace":[…]}`.
  public enum Change: Sendable {
    /// Puts a value: in place of the older value of its identity, or at the end. Never refused.
    case add(Element)
    /// Puts a value of a new identity in a place; nil for the end. Refused when the identity is here.
    case insert(Element, at: Int? = nil)
    /// Replaces the value of an identity, in its place. Refused when it isn't here.
    case update(Element)
    /// Takes the value of an identity out. Refused when it isn't here.
    case remove(Element.ID)
    /// Puts an element in another place. Refused when it isn't here.
    case move(Element.ID, to: Int)
    /// Replaces everything. Never refused.
    case replace(IdentityArray)
  }
}

extension IdentityArray.Change: Equatable where Element: Equatable {}
extension IdentityArray.Change: Hashable where Element: Hashable {}

extension IdentityArray: EmptyInitializable {}

/// An identity array is a state by itself: `Store(IdentityArray<Person>())` keeps the latest value of every person.
extension IdentityArray: Alterable {
  /// Why a change is refused: the identity is missing, or there already.
  public typealias Failure = Refusal

  /// Makes the change, or refuses it and leaves everything as it was.
  ///
  /// - Parameters:
  ///   - change: What happens.
  ///   - stamp: Not looked at: the elements carry their own times.
  /// - Throws: ``/AlterCore/Refusal`` `missing` or `duplicate`, naming the element's type and id.
  /// - Complexity: that of the method with the same name.
  @inlinable
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(let element): add(element)
    case .insert(let element, let position): try insert(element, at: position)
    case .update(let element): try update(element)
    case .remove(let id): try remove(id: id)
    case .move(let id, let position): try move(id, to: position)
    case .replace(let elements): self = elements
    }
  }
}
