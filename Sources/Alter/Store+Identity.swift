public import AlterCollections
public import AlterCore
public import AlterStore

/// A store of an identity array: one value per identity, the latest.
///
/// ```swift
/// let people = try await Store.open([], in: SQLiteJournal(at: file, key: "people")) as Store<IdentityArray<Person>>
/// try people.add(jack)
/// people.latest(of: jack)   // Jack's latest value, with all later raises
/// ```
extension Store {
  /// Returns all values, in order.
  ///
  /// - Complexity: O(n).
  public func all<Element>() -> [Element] where State == IdentityArray<Element> { Array(state) }

  /// Returns the latest value of an identity; nil if the store has none.
  ///
  /// - Parameter value: Any version of the value; only its `id` is used.
  /// - Complexity: O(log n) expected.
  public func latest<Element>(of value: Element) -> Element? where State == IdentityArray<Element> { state[id: value.id] }

  /// Adds a value: replaces the older value of its identity in place, or appends it if the identity is new.
  ///
  /// - Throws: ``/AlterStore/ChangeError`` if the store cannot accept changes.
  @discardableResult
  public func add<Element>(_ value: Element) throws(ChangeError<Refusal>) -> Commit<State> where State == IdentityArray<Element> {
    try change(.add(value))
  }

  /// Removes the value of an identity.
  ///
  /// - Throws: ``/AlterStore/ChangeError`` `refused` if the identity is absent; another case if the store cannot accept changes.
  @discardableResult
  public func remove<Element>(_ id: Element.ID) throws(ChangeError<Refusal>) -> Commit<State> where State == IdentityArray<Element> {
    try change(.remove(id))
  }
}
