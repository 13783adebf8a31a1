public import AlterCore
import AlterJournal

extension Store {
  /// Calls a closure with the confirmed state, then for each confirmed entry, once, in revision order.
  ///
  /// Observers are told one entry at a time, in the order in which they came. A change made inside a notification is told after it.
  /// The first call comes before this method returns, unless another notification is under way: then right after that one.
  ///
  /// - Parameter body: Takes an entry and the state it led to; nil in the first call, which brings the state to begin with. Called on
  ///   the thread that confirmed the entry: be quick, and hop to where you draw.
  /// - Returns: The token that keeps the observation alive.
  /// - Complexity: with at least one observer, each of the store's own changes is applied a second time when it is confirmed. ``revisions`` is the
  ///   cheaper signal when neither the entries nor their states are needed.
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
