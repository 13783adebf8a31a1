public import AlterCore

/// A possible action of a user: a value that makes one change when it is called. Views receive actions, and need not know the store.
///
/// ```swift
/// let plus = UserAction(store, .increment)
/// plus()
/// ```
public struct UserAction<State: Alterable>: Sendable {
  private let store: Store<State>
  /// The changes that the action makes.
  public let changes: [State.Change]

  /// Creates an action on a store.
  ///
  /// - Parameters:
  ///   - store: The store that makes the changes.
  ///   - changes: The changes, all or none.
  public init(_ store: Store<State>, _ changes: State.Change...) {
    self.store = store
    self.changes = changes
  }

  /// Makes the changes.
  ///
  /// - Returns: The commit, or the reason for which the change was not made. A view cannot catch, so nothing is thrown.
  @discardableResult
  public func callAsFunction() -> Result<Commit<State>, ChangeError<State.Failure>> {
    do throws(ChangeError<State.Failure>) { return .success(try store.change(changes)) } catch { return .failure(error) }
  }
}
