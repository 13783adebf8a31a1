public import AlterCollections
public import AlterCore
public import AlterStore

/// A store of an identity array: one value per identity, the latest.
///
/// ```swift
/// let people = try await Store.open([], in: SQLiteJournal(at: file, key: "people")) as Store<IdentityArray<Person>>
/// try people.put(jack)
/// try people.change(jack.id, .raise(by: 500))
/// people.latest(jack)   // Jack's latest value, with all later raises
/// ```
extension Store {
  /// Returns all values, in order.
  ///
  /// - Complexity: O(n).
  public func all<Element>() -> [Element] where State == IdentityArray<Element>, Element: Alterable { Array(state) }

  /// Returns the latest value of an identity; nil if the store has none.
  ///
  /// - Parameter value: Any version of the value; only its `id` is used.
  /// - Complexity: O(log n) expected.
  public func latest<Element>(_ value: Element) -> Element? where State == IdentityArray<Element>, Element: Alterable {
    state[id: value.id]
  }

  /// Puts a value: replaces the older value of its identity in place, or appends it if the identity is new.
  ///
  /// - Throws: ``/AlterStore/ChangeError`` if the store cannot accept changes.
  @discardableResult
  public func put<Element>(_ value: Element) throws(ChangeError<Refusal>) -> Commit<State>
  where State == IdentityArray<Element>, Element: Alterable {
    try change(.put(value))
  }

  /// Removes the value of an identity.
  ///
  /// - Throws: ``/AlterStore/ChangeError`` `refused` if the identity is absent; another case if the store cannot accept changes.
  @discardableResult
  package func remove<Element>(_ id: Element.ID) throws(ChangeError<Refusal>) -> Commit<State>
  where State == IdentityArray<Element>, Element: Alterable {
    try change(.remove(id))
  }

  /// Removes a value.
  ///
  /// - Parameter value: Any version of the value; only its `id` is used.
  /// - Throws: ``/AlterStore/ChangeError`` `refused` if the identity is absent; another case if the store cannot accept changes.
  @discardableResult
  public func remove<Element>(_ value: Element) throws(ChangeError<Refusal>) -> Commit<State>
  where State == IdentityArray<Element>, Element: Alterable {
    try change(.remove(value.id))
  }

  /// Changes one value by its own `Change`.
  ///
  /// Two processes that change the same value both succeed: each change is made to the value as the other process left it.
  ///
  /// - Parameters:
  ///   - id: The identity of the value.
  ///   - elementChange: The value's change.
  /// - Throws: ``/AlterStore/ChangeError`` `refused` if the identity is absent or the value refuses the change; another case if the store
  ///   cannot accept changes.
  @discardableResult
  public func change<Element>(_ id: Element.ID, _ elementChange: Element.Change) throws(ChangeError<Refusal>) -> Commit<State>
  where State == IdentityArray<Element>, Element: Alterable {
    try change(.element(id, elementChange))
  }
}
