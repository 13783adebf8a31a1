public import AlterCore

/// What a user can do: a value that makes one change when it is called. Views are given actions, and need not know the store.
///
/// ```swift
/// let plus = UserAction(store, .increment)
/// plus()
/// ```
public struct UserAction<State: Alterable>: Sendable {
  private let store: Store<State>
  /// What it does.
  public let changes: [State.Change]

  /// An action on a store.
  ///
  /// - Parameters:
  ///   - store: Where the change is made.
  ///   - changes: What happens, all or none.
  public init(_ store: Store<State>, _ changes: State.Change...) {
    self.store = store
    self.changes = changes
  }

  /// Makes the change.
  ///
  /// - Returns: The commit, or why the change was not made: a user can't catch, so nothing is thrown.
  @discardableResult
  public func callAsFunction() -> Result<Commit<State>, ChangeError<State.Failure>> {
    do throws(ChangeError<State.Failure>) { return .success(try store.change(changes)) } catch { return .failure(error) }
  }
}
