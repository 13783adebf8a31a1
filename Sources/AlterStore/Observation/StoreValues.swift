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
  ///   differs.
  public func values<Value: Equatable & Sendable>(of function: @escaping @Sendable (State) -> Value) -> StoreValues<State, Value> {
    StoreValues(store: self, function: function)
  }
}

/// The values of a function of a store's state: see ``Store/values(of:)``.
public struct StoreValues<State: Alterable, Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// Never thrown.
  public typealias Failure = Never

  private let watch: StoreWatch<State>
  private let followers: Followers<State>
  /// Shows that the store is observed.
  private let use: StoreUsage.Token
  private let function: @Sendable (State) -> Value

  init(store: Store<State>, function: @escaping @Sendable (State) -> Value) {
    watch = store.watch
    followers = store.followers
    use = store.usage.token()
    self.function = function
  }

  /// Iterates over the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let values: StoreValues
    private var version: Int64 = -1
    private var last: Value?
    private var isFirst = true
    private var isOver = false

    fileprivate init(_ values: StoreValues) { self.values = values }

    /// Waits for a value that differs from the last one; returns nil at the end.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// Waits for a value that differs from the last one; returns nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while !isOver {
        isOver = await !waitForMore(isolation: actor)
        // At the end, the last value may not have been delivered yet.
        guard !isOver || !Task.isCancelled, let (version, state) = values.watch.present() else { return nil }
        self.version = version
        let value = values.function(state)
        if isFirst || value != last {
          isFirst = false
          last = value
          return value
        }
      }
      return nil
    }

    /// Waits for a state whose value may differ from the last one. The first call waits for any state.
    private func waitForMore(isolation actor: isolated (any Actor)?) async -> Bool {
      guard !isFirst else { return (try? await values.watch.wait(past: version)) != nil }
      let (function, last) = (values.function, last)
      return await values.followers.wait(past: version, in: values.watch) { function($0) != last }
    }
  }

  /// Creates an iterator that begins with the present value.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
