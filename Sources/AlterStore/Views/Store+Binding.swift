import AlterCore

extension Store {
  /// Renders a view model: now, and whenever it differs from the last rendered one.
  ///
  /// ```swift
  /// let binding = store.bind(StatusViewModel.init, onEnd: { showEnd($0) }) { render($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - viewModel: A pure function of the state, usually a view model's `init`.
  ///   - onEnd: Called once, on the main actor, when the store has failed or was closed and no more values will follow. Not called after a
  ///     cancellation.
  ///   - render: Renders the view model, on the main actor. The first call happens before this method returns.
  /// - Returns: The token of the binding: release or cancel it to end the binding.
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

/// A view that is kept up to date as long as this token is held, or until ``cancel()``.
public final class ViewBinding: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  /// Ends the binding: nothing more is rendered.
  public func cancel() { task.cancel() }

  /// Waits until the binding has ended: by a cancellation, or because the store was closed.
  public func ended() async { await task.value }

  deinit { task.cancel() }
}
