public import AlterCore

/// A possible action of a user: a value that makes changes when it is called. Views receive actions, and know neither the store nor the type
/// of its state.
///
/// ```swift
/// let plus = UserAction(store, .increment)
/// plus()
///
/// let choose = UserAction(store) { (category: String) in .choose(category) }
/// choose("food")
/// ```
///
/// The payload is the value that the user enters or selects. The type of `plus` is `UserAction<Void>`, the type of `choose`
/// `UserAction<String>`: a screen's context lists them among its properties.
///
/// An action makes its changes on the calling thread, and the state shows them when the call returns. It keeps the store alive. For a commit,
/// and with it the time at which the changes are on the disk, call `change` of the ``Store``.
///
/// ## In a view
///
/// Make the action from the ``Observed`` object that the view shows, instead of the store:
///
/// ```swift
/// Button("Plus") { UserAction($counter, .increment)() }
/// ```
///
/// The value of the object then shows the changes before the call returns, and ``Observed/refusal`` has the reason if there was no change.
/// After an action of the store alone, the object follows a moment later, so a toggle would show its old value in between.
public struct UserAction<Payload>: Sendable {
  private let perform: @Sendable (Payload) -> Result<Void, ChangeError<any Error>>

  /// Creates an action that makes one change from its payload.
  ///
  /// ```swift
  /// let rename = UserAction(store) { (title: String) in .item(id, .title(title)) }
  /// let choose = UserAction(store, AppState.Change.choose)
  /// ```
  ///
  /// - Parameters:
  ///   - store: The store that makes the change.
  ///   - change: Returns the change. It is called once for each call of the action.
  public init<State: Alterable>(_ store: Store<State>, _ change: @escaping @Sendable (Payload) -> State.Change) {
    self.init(store, changes: { [change($0)] })
  }

  /// Creates an action that makes several changes from its payload, all or none.
  ///
  /// - Parameters:
  ///   - store: The store that makes the changes.
  ///   - changes: Returns the changes: one entry of the journal, and one step to undo. An empty list changes nothing.
  public init<State: Alterable>(_ store: Store<State>, changes: @escaping @Sendable (Payload) -> [State.Change]) {
    perform = { payload in store.make(changes(payload)).mapError(\.erased) }
  }

  /// Creates an action that makes one change from its payload, and shows it in an observed value.
  ///
  /// ```swift
  /// let rename = UserAction($list) { (title: String) in .item(id, .title(title)) }
  /// ```
  ///
  /// - Parameters:
  ///   - observed: The object that shows the change and the refusal.
  ///   - change: Returns the change. It is called once for each call of the action.
  public init<State: Alterable, Value>(_ observed: Observed<State, Value>, _ change: @escaping @Sendable (Payload) -> State.Change) {
    self.init(observed, changes: { [change($0)] })
  }

  /// Creates an action that makes several changes from its payload, all or none, and shows them in an observed value.
  ///
  /// A call from the main actor is like `Observed.send`: the value and ``Observed/refusal`` are up to date when it returns. A call
  /// from elsewhere makes the changes on its thread, as an action of the store, and the object follows a moment later. The action keeps the
  /// object alive.
  ///
  /// - Parameters:
  ///   - observed: The object that shows the changes and the refusal.
  ///   - changes: Returns the changes: one entry of the journal, and one step to undo. An empty list changes nothing.
  public init<State: Alterable, Value>(_ observed: Observed<State, Value>, changes: @escaping @Sendable (Payload) -> [State.Change]) {
    perform = { payload in
      let result = observed.store.make(changes(payload))
      if isOnMainActor {
        MainActor.assumeIsolated { observed.note(result) }
      } else {
        Task { @MainActor in observed.note(result, isLate: true) }
      }
      return result.mapError(\.erased)
    }
  }

  /// Creates an action without a store, for previews and tests of views.
  ///
  /// - Parameter handler: Receives the payload of each call. The call always succeeds.
  public init(_ handler: @escaping @Sendable (Payload) -> Void) { perform = { payload in .success(handler(payload)) } }

  private init(perform: @escaping @Sendable (Payload) -> Result<Void, ChangeError<any Error>>) { self.perform = perform }

  /// Makes the changes.
  ///
  /// - Parameter payload: The value that the user has entered or selected.
  /// - Returns: A success, or the reason for which no change was made. A view cannot catch, so nothing is thrown.
  /// - Complexity: that of the changes.
  @discardableResult
  public func callAsFunction(_ payload: Payload) -> Result<Void, ChangeError<any Error>> { perform(payload) }

  // MARK: - A smaller payload

  /// Returns the same action for another payload.
  ///
  /// ```swift
  /// let choose: UserAction<Category> = …
  /// let chooseName = choose.provide { (name: String) in Category(name) }
  /// ```
  ///
  /// - Parameter payload: Computes this action's payload from the other one.
  public func provide<Other>(_ payload: @escaping @Sendable (Other) -> Payload) -> UserAction<Other> {
    UserAction<Other>(perform: { [perform] other in perform(payload(other)) })
  }

  /// Returns the same action with its payload supplied: an action for a button.
  public func provide(_ payload: Payload) -> UserAction<Void> where Payload: Sendable {
    UserAction<Void>(perform: { [perform] _ in perform(payload) })
  }
}

extension UserAction where Payload == Void {
  /// Creates an action without a payload.
  ///
  /// - Parameters:
  ///   - store: The store that makes the changes.
  ///   - changes: The changes, all or none: one entry of the journal, and one step to undo.
  public init<State: Alterable>(_ store: Store<State>, _ changes: State.Change...) { self.init(store, changes: { _ in changes }) }

  /// Creates an action without a payload that shows its changes in an observed value.
  ///
  /// - Parameters:
  ///   - observed: The object that shows the changes and the refusal.
  ///   - changes: The changes, all or none: one entry of the journal, and one step to undo.
  public init<State: Alterable, Value>(_ observed: Observed<State, Value>, _ changes: State.Change...) {
    self.init(observed, changes: { _ in changes })
  }

  /// Makes the changes.
  ///
  /// - Returns: A success, or the reason for which no change was made. A view cannot catch, so nothing is thrown.
  /// - Complexity: that of the changes.
  @discardableResult
  public func callAsFunction() -> Result<Void, ChangeError<any Error>> { perform(()) }
}

extension ChangeError {
  /// The same reason, with a refusal of any type.
  var erased: ChangeError<any Error> {
    switch self {
    case .refused(let failure): .refused(failure)
    case .closed: .closed
    case .failed(let error): .failed(error)
    case .unencodable(let error): .unencodable(error)
    case .full(let limit): .full(limit: limit)
    case .requirementDropped: .requirementDropped
    case .conditionFailed: .conditionFailed
    }
  }
}
