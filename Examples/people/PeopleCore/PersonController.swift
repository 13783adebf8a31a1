public import Alter

/// Shows one person and reacts to changes of that person. It ignores changes of others, and changes that alter nothing.
///
/// It stores a choice instead of a person, because a stored value would become outdated.
@MainActor public final class PersonController {
  /// The function that chooses the shown person: by identity, or by anything else, such as the highest salary.
  public typealias Choice = @Sendable (IdentityArray<Person>) -> Person?

  private let store: Store<IdentityArray<Person>>
  private let draw: @MainActor (PersonScreen) -> Void
  private let onEnd: @MainActor (StoreStatus) -> Void
  private var binding: ViewBinding?

  /// The screen as it was drawn last.
  public private(set) var screen = PersonScreen()

  /// Begins to show a person.
  ///
  /// - Parameters:
  ///   - choice: Chooses the person.
  ///   - store: The store of the latest values.
  ///   - onEnd: Called when the store has failed or was closed, with the final status.
  ///   - draw: Called with the screen, at once and whenever the chosen value differs.
  public init(
    showing choice: @escaping Choice, of store: Store<IdentityArray<Person>>,
    onEnd: @escaping @MainActor (StoreStatus) -> Void = { _ in }, draw: @escaping @MainActor (PersonScreen) -> Void
  ) {
    (self.store, self.onEnd, self.draw) = (store, onEnd, draw)
    show(choice)
  }

  /// Shows the chosen person from now on.
  public func show(_ choice: @escaping Choice) {
    binding?.cancel()
    binding = store.bind(choice, onEnd: onEnd) { [weak self] person in
      guard let self else { return }
      screen.show(person)
      draw(screen)
    }
  }

  /// Shows the person with an identity from now on.
  public func show(_ id: PersonID) { show { $0[id: id] } }
}
