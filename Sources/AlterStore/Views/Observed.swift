public import AlterCore
public import Observation

/// A value computed from a store's state, kept up to date on the main actor, for SwiftUI and any other observer.
///
/// ```swift
/// let list = store.observed(TodoList.init)   // a SwiftUI view uses the wrapper `@ObservedValue` of AlterSwiftUI instead
/// list.title                                 // a property of the value
/// list.send(.item(id, .completed(true)))     // shown at once
/// if let refusal = list.refusal { print(refusal) }
/// ```
///
/// A view reads this object and never the store, so that one body never mixes two states. ``Store/observed(_:)`` creates it.
///
/// ## Updates
///
/// The value follows the visible state, pending over confirmed, so it may revert when a change is dropped. Observers are notified only when
/// the value differs from the one before. Fast changes are coalesced: the object takes the newest state, and intermediate values may be
/// skipped.
///
/// ## Errors
///
/// `send` does not throw, because a view cannot catch: ``refusal`` has the error, also of a ``UserAction`` made from this object. A change that was accepted and is lost later does
/// not set ``refusal``; ``Store/problems`` reports it. When the store has failed or was closed, the value stays as it is: show ``status``.
///
/// ## Concurrency and lifetime
///
/// All members are isolated to the main actor. The function must be pure: it runs on the main actor and on a background task. Changes of
/// other tasks reach the object asynchronously; `send` updates it before it returns. The object keeps the store alive, and stops
/// following it when it is released.
///
/// ## Complexity
///
/// Each change of the state costs one call of the function and one comparison in the background, and another call on the main actor if the
/// value differs. Reading a property is O(1).
@MainActor @Observable @dynamicMemberLookup
public final class Observed<State: Alterable, Value: Equatable & Sendable> {
  /// The present value.
  public private(set) var value: Value

  /// The reason for which the last `send`, or the last ``UserAction`` of this object, made no change; nil after a successful one on the main
  /// actor, after ``dismissRefusal()``, and at first.
  public private(set) var refusal: ChangeError<State.Failure>?

  /// The status of the store. During an outage, changes are shown but not yet in the journal. After `failed` or `closed` the value no
  /// longer changes.
  public private(set) var status: StoreStatus

  @ObservationIgnored package let store: Store<State>
  @ObservationIgnored private let function: @Sendable (State) -> Value
  @ObservationIgnored private var following: Task<Void, Never>?
  @ObservationIgnored private var watching: Task<Void, Never>?

  fileprivate init(_ store: Store<State>, _ function: @escaping @Sendable (State) -> Value) {
    self.store = store
    self.function = function
    value = function(store.state)
    status = store.status
    let values = store.values(of: function)
    following = Task { [weak self] in
      for await value in values {
        guard let self else { return }
        // Read the newest value instead of the received one: a change sent from here may be newer.
        refresh(value)
      }
    }
    let statuses = store.statuses
    watching = Task { [weak self] in
      for await status in statuses {
        guard let self else { return }
        if self.status != status { self.status = status }
      }
    }
  }

  deinit {
    following?.cancel()
    watching?.cancel()
  }

  /// A property of the value.
  public subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { value[keyPath: path] }

  /// Makes changes in the store, all or none, and updates the value before it returns.
  ///
  /// If the store rejects the changes, ``refusal`` has the reason, and nothing has changed.
  ///
  /// - Parameter changes: The changes, in order: one entry of the journal, and one step to undo.
  /// - Complexity: that of the changes, and one call of the function.
  public func send(_ changes: State.Change...) { send(changes) }

  /// Makes a list of changes in the store, all or none, and updates the value before it returns.
  ///
  /// If the store rejects the changes, ``refusal`` has the reason, and nothing has changed.
  ///
  /// - Parameter changes: The changes, in order: one entry of the journal, and one step to undo. An empty list makes no entry.
  /// - Complexity: that of the changes, and one call of the function.
  @_disfavoredOverload  // The compiler's error for a change that doesn't exist is then about the change.
  package func send(_ changes: [State.Change]) { note(store.make(changes)) }

  /// Shows the result of an attempt to make changes: the refusal, and the value after it.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - isLate: Whether the attempt was made off the main actor. The present refusal may be newer than it, and then the user has not seen it,
  ///     so a success does not dismiss it.
  func note(_ result: Result<Void, ChangeError<State.Failure>>, isLate: Bool = false) {
    switch result {
    case .success: if !isLate { dismissRefusal() }
    case .failure(let error): refusal = error
    }
    refresh(function(store.state))
  }

  /// Sets ``refusal`` to nil: the user has seen it.
  public func dismissRefusal() {
    if refusal != nil { refusal = nil }
  }

  private func refresh(_ candidate: Value) {
    guard candidate != value else { return }
    // `send` may already have shown a newer value than the candidate.
    let newest = function(store.state)
    if newest != value { value = newest }
  }
}

extension Store {
  /// Makes changes, all or none.
  func make(_ changes: [State.Change]) -> Result<Void, ChangeError<State.Failure>> {
    do throws(ChangeError<State.Failure>) {
      try change(changes)
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Returns a value computed from the state, kept up to date on the main actor for views.
  ///
  /// - Parameter function: A pure function, most often a view model's `init`.
  @MainActor
  public func observed<Value: Equatable & Sendable>(_ function: @escaping @Sendable (State) -> Value) -> Observed<State, Value> {
    Observed(self, function)
  }
}
