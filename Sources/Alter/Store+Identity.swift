public import AlterCollections
public import AlterCore
public import AlterStore

/// An identity store: one value per identity, the latest.
///
/// ```swift
/// let people = try await Store.open([], in: SQLiteJournal(at: file, key: "people")) as Store<IdentityArray<Person>>
/// try people.add(jack)
/// people.latest(of: jack)   // Jack as he is now, after whatever raises he got
/// ```
extension Store {
  /// Every value, in order.
  public func all<Element>() -> [Element] where State == IdentityArray<Element> { Array(state) }

  /// The latest value of the identity that a value has; nil when there is none.
  ///
  /// - Parameter value: Any state of the thing, however old.
  /// - Complexity: that of a lookup by id.
  public func latest<Element>(of value: Element) -> Element? where State == IdentityArray<Element> { state[id: value.id] }

  /// Puts a value: it takes the place of an earlier one of its identity, or comes at the end.
  ///
  /// - Throws: ``/AlterStore/ChangeError`` when the store takes no changes.
  @discardableResult
  public func add<Element>(_ value: Element) throws(ChangeError<Refusal>) -> Commit<State> where State == IdentityArray<Element> {
    try change(.add(value))
  }

  /// Removes the value of an identity.
  ///
  /// - Throws: ``/AlterStore/ChangeError`` `refused` when there is none.
  @discardableResult
  public func remove<Element>(_ id: Element.ID) throws(ChangeError<Refusal>) -> Commit<State> where State == IdentityArray<Element> {
    try change(.remove(id))
  }
}
