public import AlterCore
import AlterJournal

/// Somebody who wants to know every confirmed entry.
@usableFromInline
final class Observer<State: Alterable>: Sendable {
  @usableFromInline let body: @Sendable (Record<State>?, State) -> Void
  @usableFromInline let isCancelled = Lock(false)

  init(_ body: @escaping @Sendable (Record<State>?, State) -> Void) { self.body = body }

  func cancel() { isCancelled.withLock { $0 = true } }

  @inlinable
  func tell(_ record: Record<State>?, _ state: State) {
    if !isCancelled.withLock({ $0 }) { body(record, state) }
  }
}

/// A confirmed entry on its way to those who observed at the time; nil for the state that an observation begins with.
@usableFromInline typealias Notification<State: Alterable> = Delivery<State, Record<State>?>

/// An object, so that a state on its way is copied once. What it is about is a parameter of its own: the runtime, which frees an object of a
/// generic class by its parameters, would have to look the type up each time.
@usableFromInline
final class Delivery<State: Alterable, Subject: Sendable>: Sendable {
  @usableFromInline let record: Subject
  @usableFromInline let state: State
  @usableFromInline let observers: [Observer<State>]

  @inlinable
  init(record: Subject, state: State, observers: [Observer<State>]) {
    self.record = record
    self.state = state
    self.observers = observers
  }

  @inlinable
  func tell() where Subject == Record<State>? {
    for observer in observers { observer.tell(record, state) }
  }
}

/// An observation that lasts as long as this token, or until ``cancel()``.
public final class ObservationToken: Sendable {
  private let onCancel: @Sendable () -> Void

  init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  /// Ends the observation at once: no further call begins, even from inside a notification. A call that another thread is in the middle
  /// of ends by itself.
  public func cancel() { onCancel() }

  deinit { onCancel() }
}

extension Store {
  /// Calls a closure with the confirmed state, then for each confirmed entry, once, in revision order.
  ///
  /// Observers are told one entry at a time, in the order in which they came. A change made inside a notification is told after it.
  /// The first call comes before this method returns, unless another notification is under way: then right after that one.
  ///
  /// - Parameter body: Takes an entry and the state it led to; nil in the first call, which brings the state to begin with. Called on
  ///   the thread that confirmed the entry: be quick, and hop to where you draw.
  /// - Returns: The token that keeps the observation alive.
  /// - Complexity: with at least one observer, each of the store's own changes is applied a second time when it is confirmed.
  public func observe(_ body: @escaping @Sendable (_ record: Record<State>?, _ state: State) -> Void) -> ObservationToken {
    let observer = Observer(body)
    core.withLock { core in
      guard core.status != .closed else { return }
      core.observers.append(observer)
      core.notifications.append(Notification<State>(record: nil, state: core.replica.history.state, observers: [observer]))
    }
    deliver()
    return ObservationToken { [weak self, weak observer] in
      guard let observer else { return }
      observer.cancel()
      self?.core.withLock { $0.observers.removeAll { $0 === observer } }
    }
  }

  /// Delivers what waits to be delivered, unless somebody is at it already: they will.
  func deliver() {
    let begins = core.withLock { core in
      guard !core.notifications.isEmpty, !core.isDelivering else { return false }
      core.isDelivering = true
      return true
    }
    if begins { deliverAll() }
  }

  /// Delivers until nothing waits any more. By one thread at a time: the one that has set `isDelivering`.
  @inlinable
  func deliverAll() {
    while true {
      let batch: [Notification<State>]? = core.withLock { core in
        guard !core.notifications.isEmpty else {
          core.isDelivering = false
          return nil
        }
        defer { core.notifications = [] }
        return core.notifications
      }
      guard let batch else { return }
      for notification in batch { notification.tell() }
    }
  }

  /// The values of a function of the state: the present one, then the newest whenever it differs from the last one delivered.
  ///
  /// It shows pending over confirmed, so a value may revert when a change is dropped. Values that come faster than they are taken are
  /// passed over; nil is a value like any other. The sequence ends when the store has failed, was closed or is gone, or the task is cancelled.
  /// ``status`` tells why:
  ///
  /// ```swift
  /// for await open in store.values(of: { $0.items.count { !$0.completed } }) { show(open) }
  /// if case .failed(let error) = store.status { show(error) }
  /// ```
  ///
  /// - Parameter function: Pure; called outside the store's lock, by whoever iterates and by the task that looks after all who do.
  /// - Complexity: A change costs a call of `function` and a comparison for each who iterates, and wakes only those whose value differs.
  public func values<Value: Equatable & Sendable>(of function: @escaping @Sendable (State) -> Value) -> StoreValues<State, Value> {
    StoreValues(store: self, function: function)
  }
}

/// The values of a function of a store's state.
public struct StoreValues<State: Alterable, Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// Never thrown.
  public typealias Failure = Never

  private let watch: StoreWatch<State>
  private let followers: Followers<State>
  private let function: @Sendable (State) -> Value

  init(store: Store<State>, function: @escaping @Sendable (State) -> Value) {
    watch = store.watch
    followers = store.followers
    self.function = function
  }

  /// Steps through the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let values: StoreValues
    private var version: Int64 = -1
    private var last: Value?
    private var isFirst = true
    private var isOver = false

    fileprivate init(_ values: StoreValues) { self.values = values }

    /// The next value that differs; nil at the end.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// The next value that differs; nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while !isOver {
        isOver = await !waitForMore(isolation: actor)
        // At the end, what was shown last may have been passed over.
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

    /// Waits for a state whose value may differ from the last one; at first for any.
    private func waitForMore(isolation actor: isolated (any Actor)?) async -> Bool {
      guard !isFirst else { return (try? await values.watch.wait(past: version)) != nil }
      let (function, last) = (values.function, last)
      return await values.followers.wait(past: version, in: values.watch) { function($0) != last }
    }
  }

  /// Begins with the present value.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// The last problems, and who reads them.
struct ProblemLog: Sendable {
  private static let capacity = 100
  private var recent: [StoreProblem] = []
  private var readers: [AsyncStream<StoreProblem>.Continuation] = []
  private var isFinished = false

  mutating func add(_ problem: StoreProblem) {
    recent.append(problem)
    if recent.count > Self.capacity { recent.removeFirst() }
    readers.removeAll { if case .terminated = $0.yield(problem) { true } else { false } }
  }

  mutating func stream() -> AsyncStream<StoreProblem> {
    let (stream, continuation) = AsyncStream<StoreProblem>.makeStream(bufferingPolicy: .bufferingNewest(Self.capacity))
    recent.forEach { continuation.yield($0) }
    if isFinished { continuation.finish() } else { readers.append(continuation) }
    return stream
  }

  mutating func finish() {
    isFinished = true
    readers.forEach { $0.finish() }
    readers = []
  }
}
