public import AlterCore
public import Observation

/// What a view shows of a store: a value computed from the state, on the main actor, for SwiftUI and any other observer.
///
/// ```swift
/// let list = store.observed(TodoList.init)   // in an @State property, or a plain constant
/// list.title                                 // reads through to the value
/// list.send(.item(id, .completed(true)))     // shown at once; a refusal is shown, not thrown
/// ```
///
/// A view reads this object and never the store, so that one body never mixes two states. Observers are told only when the value differs
/// from the one before; changes from elsewhere are coalesced.
@MainActor @Observable @dynamicMemberLookup
public final class Observed<State: Alterable, Value: Equatable & Sendable> {
  /// The present value.
  public private(set) var value: Value

  /// Why the last change sent from here was not made; nil once one is.
  public private(set) var refusal: ChangeError<State.Failure>?

  /// How the store is doing. While it waits for its journal, changes are shown and not yet kept. Once it has failed or was closed the value stays as it
  /// is: show why.
  public private(set) var status: StoreStatus

  @ObservationIgnored private let store: Store<State>
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
        // The newest, not the one that was on its way: a change sent from here may be newer.
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

  /// Makes changes in the store, all or none, and shows the result at once.
  ///
  /// What refuses them is shown in ``refusal`` instead of being thrown: a view can't catch.
  ///
  /// - Parameter changes: What happens, in order.
  public func send(_ changes: State.Change...) {
    do throws(ChangeError<State.Failure>) {
      try store.change(changes)
      if refusal != nil { refusal = nil }
    } catch {
      refusal = error
    }
    refresh(function(store.state))
  }

  private func refresh(_ candidate: Value) {
    guard candidate != value else { return }
    // What was computed a moment ago may have been overtaken by `send`.
    let newest = function(store.state)
    if newest != value { value = newest }
  }
}

extension Store {
  /// A value computed from the state, kept up to date on the main actor for views.
  ///
  /// - Parameter function: Pure: most often a view model's `init`.
  @MainActor
  public func observed<Value: Equatable & Sendable>(_ function: @escaping @Sendable (State) -> Value) -> Observed<State, Value> {
    Observed(self, function)
  }
}
