public import Alter

/// Shows one person and reacts to changes of that person. It ignores changes of others, and changes that alter nothing.
///
/// It stores an identity instead of a person, because a stored value would become outdated.
@MainActor public final class PersonController {
  private let store: Store<IdentityArray<Person>>
  private let react: @MainActor (Person?) -> Void
  private let onEnd: @MainActor (StoreStatus) -> Void
  private var binding: ViewBinding?

  /// The identity of the shown person.
  public private(set) var id: PersonID

  /// Begins to show a person.
  ///
  /// - Parameters:
  ///   - id: The identity of the person.
  ///   - store: The store of the latest values.
  ///   - onEnd: Called when the store has failed or was closed, with the final status.
  ///   - react: Called with the person, at once and after every change; with nil while the store has no person with that identity.
  public init(
    showing id: PersonID, of store: Store<IdentityArray<Person>>, onEnd: @escaping @MainActor (StoreStatus) -> Void = { _ in },
    react: @escaping @MainActor (Person?) -> Void
  ) {
    (self.id, self.store, self.onEnd, self.react) = (id, store, onEnd, react)
    bind()
  }

  /// Shows another person from now on.
  public func show(_ id: PersonID) {
    self.id = id
    bind()
  }

  private func bind() {
    binding?.cancel()
    binding = store.bind({ [id] people in people[id: id] }, onEnd: onEnd, react)
  }
}
