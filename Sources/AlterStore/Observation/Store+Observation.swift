public import AlterCore
import AlterJournal

extension Store {
  /// Calls a closure with the confirmed state, then once for each confirmed entry, in revision order.
  ///
  /// The calls come one at a time, never two at once. A change made inside a call is delivered after that call. The first call comes before
  /// this method returns, unless another notification is being delivered: then it comes right after that one. On a store that was closed
  /// there is no call.
  ///
  /// No change is confirmed while a call runs. A call that has not returned after ``StoreOptions/observerTimeout`` is reported in ``problems``.
  ///
  /// - Parameters:
  ///   - body: Receives an entry and the state that it led to; nil and the present state in the first call. It runs on the thread that
  ///     confirmed the entry: return quickly, and switch to the main actor to draw.
  ///   - file: The file that registers the observer, for the report.
  ///   - line: The line.
  /// - Returns: The token that keeps the observation alive.
  /// - Complexity: with at least one observer, each of the store's own changes is applied a second time when it is confirmed. ``revisions``
  ///   is the cheaper signal if neither the entries nor their states are needed.
  public func observe(
    _ body: @escaping @Sendable (_ record: Record<State>?, _ state: State) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> ObservationToken {
    let observer = Observer(body, at: (file, line), counting: calls)
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

  /// Watches the calls of observers as long as there are some, and reports one that does not return.
  ///
  /// The task looks once in ``StoreOptions/observerTimeout``, and ends if no observer is being called at that moment: the next delivery starts
  /// another one.
  @usableFromInline
  func watchDeliveries() {
    Task.detached { [weak self, timeout = options.observerTimeout] in
      var last: Int?
      var reported: Int?
      while (try? await Task.sleep(for: timeout)) != nil, let self, let call = self.presentCall() {
        if call.number == last, call.number != reported {
          reported = call.number
          self.report(.blockedByObserver(file: "\(call.file)", line: call.line))
        }
        last = call.number
      }
    }
  }

  /// The call of an observer that is in progress; nil if there is none. Then the deliveries are not watched any more.
  private func presentCall() -> ObserverCall? {
    let isDelivering = core.withLock { core in
      if !core.isDelivering { core.isWatched = false }
      return core.isDelivering
    }
    return isDelivering ? calls.withLock { $0 } : nil
  }

  /// Delivers until no notification is waiting. Only the thread that has set `isDelivering` calls it.
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

/// An observation. It lasts as long as this token, or until ``cancel()``.
public final class ObservationToken: Sendable {
  private let onCancel: @Sendable () -> Void

  init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  /// Ends the observation at once: no further call begins, even from inside a notification. A call in progress on another thread ends by
  /// itself.
  public func cancel() { onCancel() }

  deinit { onCancel() }
}
