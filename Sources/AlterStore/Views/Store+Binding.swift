import AlterCore

extension Store {
  /// Shows a view model: now, and whenever it differs from the last one that was shown.
  ///
  /// ```swift
  /// let binding = store.bind(StatusViewModel.init, onEnd: { showEnd($0) }) { render($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - viewModel: A pure function of the state; most often a view model's `init`.
  ///   - onEnd: Called once, on the main actor, when the store has failed or was closed: nothing more will be shown. Not called after a cancellation.
  ///   - render: Shows it, on the main actor. The first call comes before this method returns.
  /// - Returns: What keeps it going: let go of it, or cancel it, to end.
  @MainActor
  public func bind<ViewModel: Equatable & Sendable>(
    _ viewModel: @escaping @Sendable (State) -> ViewModel, onEnd: (@MainActor (StoreStatus) -> Void)? = nil,
    _ render: @escaping @MainActor (ViewModel) -> Void
  ) -> ViewBinding {
    let first = viewModel(state)
    render(first)
    let values = values(of: viewModel)
    return ViewBinding(
      Task { [weak self] in
        var shown = first
        for await value in values where value != shown {
          if Task.isCancelled { return }
          shown = value
          render(value)
        }
        guard let onEnd, !Task.isCancelled else { return }
        onEnd(self?.status ?? .closed)
      })
  }
}

/// A view that is kept up to date as long as this is held, or until ``cancel()``.
public final class ViewBinding: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  /// Ends it: nothing more is shown.
  public func cancel() { task.cancel() }

  /// Waits until it has ended: because it was cancelled, or the store was closed.
  public func ended() async { await task.value }

  deinit { task.cancel() }
}
