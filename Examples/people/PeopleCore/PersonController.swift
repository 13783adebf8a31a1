public import Alter

/// Shows one person, and reacts when that person changes: not when others do, and not when a change alters nothing.
///
/// It holds an identity, and no person: a person that it held would grow old.
@MainActor public final class PersonController {
  private let store: Store<IdentityArray<Person>>
  private let react: @MainActor (Person?) -> Void
  private let onEnd: @MainActor (StoreStatus) -> Void
  private var binding: ViewBinding?

  /// Whom it shows.
  public private(set) var id: PersonID

  /// Begins to show somebody.
  ///
  /// - Parameters:
  ///   - id: Whom.
  ///   - store: Where the latest value of everybody is.
  ///   - onEnd: Called when the store has failed or was closed, with which of the two and why.
  ///   - react: Takes the person, at once and after every change; nil as long as there is none of that identity.
  public init(
    showing id: PersonID, of store: Store<IdentityArray<Person>>, onEnd: @escaping @MainActor (StoreStatus) -> Void = { _ in },
    react: @escaping @MainActor (Person?) -> Void
  ) {
    (self.id, self.store, self.onEnd, self.react) = (id, store, onEnd, react)
    bind()
  }

  /// Shows somebody else from now on.
  public func show(_ id: PersonID) {
    self.id = id
    bind()
  }

  private func bind() {
    binding?.cancel()
    binding = store.bind({ [id] people in people[id: id] }, onEnd: onEnd, react)
  }
}
