public import AlterCollections
public import AlterCore
import AlterJournal

extension Store {
  /// Returns the values of a function of the state: the present one, then the newest whenever it differs from the last one delivered.
  ///
  /// The state is pending over confirmed, so a value may revert when a change is dropped. Values that change faster than the loop's body
  /// runs are skipped; nil is a value like any other. The sequence ends when the store has failed, was closed or is gone, or the task is
  /// cancelled. ``status`` states the reason:
  ///
  /// ```swift
  /// for await open in store.values(of: { $0.items.count { !$0.completed } }) { show(open) }
  /// if case .failed(let error) = store.status { show(error) }
  /// ```
  ///
  /// - Parameter function: A pure function. It is called outside the store's lock, by the iterating task and by the store's follower task.
  /// - Complexity: a change costs one call of `function` and one comparison for each iterating task, and wakes only the tasks whose value
  ///   differs. The store can't know which parts of the state a closure reads: with hundreds of observers, declare them
  ///   (``values(from:)``, ``values(from:_:)``, ``values(from:id:)``).
  public func values<Value: Equatable & Sendable>(of function: @escaping @Sendable (State) -> Value) -> StoreValues<State, Value> {
    StoreValues(store: self, input: nil, function: function)
  }

  /// Returns the values of a property of the state: the present one, then the newest whenever it differs from the last one delivered.
  ///
  /// - Parameter path: The property.
  /// - Complexity: a change costs one comparison for all tasks that follow the same property.
  public func values<Value: Equatable & Sendable>(from path: KeyPath<State, Value> & Sendable) -> StoreValues<State, Value> {
    StoreValues(store: self, input: .property(path)) { $0[keyPath: path] }
  }

  /// Returns the values of a function that reads one property of the state: the present one, then the newest whenever it differs from the
  /// last one delivered.
  ///
  /// ```swift
  /// for await open in store.values(from: \.items, { items in items.count { !$0.completed } }) { show(open) }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The property: the input of the function. It differs if `==` says so: the function must read nothing that `==` ignores.
  ///   - function: A pure function of the property. It is called outside the store's lock, and only when the property differs.
  /// - Complexity: a change costs one comparison of the property for all tasks that declare it. If the property differs, it also costs one
  ///   call of `function` for each of them.
  public func values<Input: Equatable & Sendable, Value: Equatable & Sendable>(
    from path: KeyPath<State, Input> & Sendable, _ function: @escaping @Sendable (Input) -> Value
  ) -> StoreValues<State, Value> {
    StoreValues(store: self, input: .property(path)) { function($0[keyPath: path]) }
  }

  /// Returns the values of an element: the present one, then the newest whenever it differs from the last one delivered; nil while the
  /// element is absent. It differs if `==` says so.
  ///
  /// This suits a list each of whose rows follows its own element:
  ///
  /// ```swift
  /// for await item in store.values(from: \.items, id: id) { show(item) }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The property that holds the elements.
  ///   - id: The identity of the element.
  /// - Complexity: a change of k elements costs O(k log n) for all tasks that follow elements of the same property, whatever their number,
  ///   and wakes only those whose element differs. The store keeps the version of the property that was compared last.
  @inlinable
  public func values<Element: Equatable>(
    from path: KeyPath<State, IdentityArray<Element>> & Sendable, id: Element.ID
  ) -> StoreValues<State, Element?> {
    StoreValues(store: self, input: .element(path, id)) { $0[keyPath: path][id: id] }
  }
}

/// Values of a store, now and whenever they change: see ``Store/values(of:)``, ``Store/values(from:_:)``, ``Store/revisions`` and
/// ``Store/outbox``.
public struct StoreValues<State: Alterable, Value: Sendable>: AsyncSequence, Sendable {
  private let watch: StoreWatch<State>
  /// Shows that the store is observed.
  private let use: StoreUsage.Token
  /// Returns the present value and the version of the visible state; nil if the store is gone.
  private let present: @Sendable (StoreWatch<State>) -> (version: Int64, value: Value)?
  /// Whether a value is delivered after the last one.
  private let isNews: @Sendable (_ value: Value, _ last: Value) -> Bool
  /// Waits past a version for a value that may be news after the last one. Returns false at the end of the store or the task.
  private let wait: @Sendable (_ version: Int64, _ last: Value) async -> Bool

  /// Creates the values of a function of the state.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - input: The only part of the state that the function reads; nil if it is unknown.
  ///   - function: The function.
  @usableFromInline
  init(store: Store<State>, input: DeclaredInput<State>?, function: @escaping @Sendable (State) -> Value) where Value: Equatable {
    watch = store.watch
    use = store.usage.token()
    present = { $0.present().map { ($0.version, function($0.state)) } }
    isNews = { $0 != $1 }
    wait = { [watch, followers = store.followers] version, last in
      await followers.wait(past: version, in: watch, input: input) { function($0) != last }
    }
  }

  /// Creates values that the iterating task reads and compares after each change of the visible state.
  init(
    _ store: Store<State>, present: @escaping @Sendable (StoreWatch<State>) -> (version: Int64, value: Value)?,
    isNews: @escaping @Sendable (_ value: Value, _ last: Value) -> Bool
  ) {
    watch = store.watch
    use = store.usage.token()
    self.present = present
    self.isNews = isNews
    wait = { [watch] version, _ in (try? await watch.wait(past: version)) != nil }
  }

  /// Iterates over the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let values: StoreValues
    private var version: Int64 = -1
    private var last: Value?
    private var isOver = false

    fileprivate init(_ values: StoreValues) { self.values = values }

    /// Waits for a value that is to be delivered after the last one; returns nil at the end.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// Waits for a value that is to be delivered after the last one; returns nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while !isOver {
        // The first call waits for any state.
        if let last { isOver = await !values.wait(version, last) } else { isOver = (try? await values.watch.wait(past: version)) == nil }
        // At the end, the last value may not have been delivered yet.
        guard !isOver || !Task.isCancelled, let (version, value) = values.present(values.watch) else { return nil }
        self.version = version
        guard last.map({ values.isNews(value, $0) }) ?? true else { continue }
        last = value
        return value
      }
      return nil
    }
  }

  /// Creates an iterator that begins with the present value.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
