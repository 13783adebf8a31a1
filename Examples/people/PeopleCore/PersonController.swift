public import Alter

/// Shows one person, and reacts when that person changes: not when others do, and not when a change alters nothing.
///
/// It holds an identity, and no person: a person that it held would grow old.
@MainActor public final class PersonController {
  private let store: Store<IdentityArray<Person>>
  private let react: @MainActor (Person?) -> Void
  private var binding: ViewBinding?

  /// Whom it shows.
  public private(set) var id: PersonID

  /// Begins to show somebody.
  ///
  /// - Parameters:
  ///   - id: Whom.
  ///   - store: Where the latest value of everybody is.
  ///   - react: Takes the person, at once and after every change; nil as long as there is none of that identity.
  public init(showing id: PersonID, of store: Store<IdentityArray<Person>>, react: @escaping @MainActor (Person?) -> Void) {
    (self.id, self.store, self.react) = (id, store, react)
    bind()
  }

  /// Shows somebody else from now on.
  public func show(_ id: PersonID) {
    self.id = id
    bind()
  }

  private func bind() {
    binding?.cancel()
    binding = store.bind({ [id] people in people[id: id] }, react)
  }
}
