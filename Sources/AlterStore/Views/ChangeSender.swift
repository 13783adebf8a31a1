public import AlterCore
public import AlterJournal

/// Makes changes that the state never refuses, with one place for the failures of the store.
///
/// `change` throws for two kinds of reasons: the state refuses the change, or the store can't take one, because it is closed, full or has
/// failed. A state whose `Failure` is `Never` has only the second kind, which no single call can do anything about. A sender names once what
/// happens then, and its calls have no `try`:
///
/// ```swift
/// let send = store.sender { error in show(error) }  // closed, full or failed: the change was not made
/// send(.increment)
/// send(.add(2), .rename("x"))                        // all or none
/// ```
///
/// Each failed call reaches the closure, so none is overlooked. It is a value: any thread may call it.
public struct ChangeSender<State: Alterable>: Sendable where State.Failure == Never {
  private let store: Store<State>
  private let onFailure: @Sendable (ChangeError<Never>) -> Void

  init(_ store: Store<State>, onFailure: @escaping @Sendable (ChangeError<Never>) -> Void) {
    (self.store, self.onFailure) = (store, onFailure)
  }

  /// Makes changes, all or none. The state shows them when this method returns.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - cause: The reason, stored in the journal; nil for none.
  ///   - scope: The undo stack that the changes belong to; nil for that of the store.
  /// - Returns: The commit, which reports when the journal has the changes; nil if they were not made, which the sender's closure was told.
  /// - Complexity: that of the changes.
  @discardableResult
  public func callAsFunction(_ changes: State.Change..., cause: Cause? = nil, scope: UndoScope? = nil) -> Commit<State>? {
    do throws(ChangeError<Never>) { return try store.change(changes, cause: cause, scope: scope) } catch {
      onFailure(error)
      return nil
    }
  }
}

extension Store where State.Failure == Never {
  /// Returns a sender: a function that makes changes, and tells one closure of the changes that the store could not take.
  ///
  /// - Parameter onFailure: Receives the reason for each change that was not made: `closed`, `full` or `failed`. It is called on the thread
  ///   that made the change, before the call returns.
  public func sender(onFailure: @escaping @Sendable (ChangeError<Never>) -> Void) -> ChangeSender<State> {
    ChangeSender(self, onFailure: onFailure)
  }
}
