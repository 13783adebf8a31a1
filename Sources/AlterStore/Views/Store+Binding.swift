import AlterCore

extension Store {
  /// Renders a view model: now, and whenever it differs from the last rendered one.
  ///
  /// A change that is made on the main actor is rendered before `change` returns. Changes of other threads and processes are rendered soon
  /// afterwards; if they come faster than the main actor renders, intermediate view models are skipped.
  ///
  /// ```swift
  /// let binding = store.bind(StatusViewModel.init, onEnd: { showEnd($0) }) { render($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - viewModel: A pure function of the state, usually a view model's `init`. It is called on the main actor.
  ///   - onEnd: Called once, on the main actor, when the store has failed or was closed and no more values will follow. Not called after a
  ///     cancellation.
  ///   - render: Renders the view model, on the main actor. The first call happens before this method returns. A change that is made during a
  ///     call is rendered after it.
  /// - Returns: The token of the binding: release or cancel it to end the binding.
  /// - Complexity: a change costs one call of `viewModel` and one comparison.
  @MainActor
  public func bind<ViewModel: Equatable & Sendable>(
    _ viewModel: @escaping @Sendable (State) -> ViewModel, onEnd: (@MainActor (StoreStatus) -> Void)? = nil,
    _ render: @escaping @MainActor (ViewModel) -> Void
  ) -> ViewBinding {
    ViewBinding(Rendering(self, every: false, viewModel) { _, next in render(next) }, of: self, onEnd)
  }

  /// Renders each transition of a view model: the first one, from nil, now; then every one, in order, none skipped.
  ///
  /// A view needs both sides if its own transition is not symmetrical: a basket flies in, and fades out.
  ///
  /// ```swift
  /// let binding = store.bind(Screen.init) { old, new in
  ///   switch (old, new) {
  ///   case (.shelf, .basket): flyIn(new)
  ///   default: show(new)
  ///   }
  /// }
  /// ```
  ///
  /// A change that is made on the main actor is rendered before `change` returns, those of other threads and processes soon afterwards. Each
  /// visible state counts, with pending changes, so a dropped change is a transition back.
  ///
  /// - Parameters:
  ///   - viewModel: A pure function of the state, usually a view model's `init`. It is called on the main actor.
  ///   - onEnd: Called once, on the main actor, when the store has failed or was closed and no more values will follow. Not called after a
  ///     cancellation.
  ///   - render: Receives the last rendered view model, which is nil in the first call, and the next one, which differs. The first call
  ///     happens before this method returns. A change that is made during a call is rendered after it.
  /// - Returns: The token of the binding: release or cancel it to end the binding.
  /// - Complexity: a change costs one call of `viewModel` and one comparison, and the store keeps each state until it is rendered. With a
  ///   journal, each of the store's own changes is applied a second time when it is confirmed.
  @MainActor
  public func bind<ViewModel: Equatable & Sendable>(
    _ viewModel: @escaping @Sendable (State) -> ViewModel, onEnd: (@MainActor (StoreStatus) -> Void)? = nil,
    _ render: @escaping @MainActor (_ old: ViewModel?, _ new: ViewModel) -> Void
  ) -> ViewBinding {
    ViewBinding(Rendering(self, every: true, viewModel, render), of: self, onEnd)
  }

  /// Renders the steps of a screen that shows one value: another value, or the same one changed.
  ///
  /// ```swift
  /// let binding = store.bind(id: { $0.people[id: jack] }) { step in
  ///   switch step {
  ///   case .switched(let person): open(person)
  ///   case .changed(let old, let new): highlight(new, comparedWith: old)
  ///   }
  /// }
  /// ```
  ///
  /// The first step is `switched`. No step is skipped, and a change on the main actor is rendered before `change` returns.
  ///
  /// - Parameters:
  ///   - choice: Chooses the shown value: by its identity, or by anything else, such as the highest salary. Nil if there is none.
  ///   - onEnd: Called once, on the main actor, when the store has failed or was closed. Not called after a cancellation.
  ///   - render: Receives the step, on the main actor.
  /// - Returns: The token of the binding: release or cancel it to end the binding.
  @MainActor
  public func bind<Value: Identifiable & Equatable & Sendable>(
    id choice: @escaping @Sendable (State) -> Value?, onEnd: (@MainActor (StoreStatus) -> Void)? = nil,
    _ render: @escaping @MainActor (IdentityStep<Value>) -> Void
  ) -> ViewBinding {
    bind(choice, onEnd: onEnd) { old, new in render(IdentityStep(from: old ?? nil, to: new)) }
  }
}

/// The step of a screen from the shown value to the next one. Equality can't tell the two cases apart, the identity can.
public enum IdentityStep<Value: Identifiable> {
  /// Another value is shown, or none: the screen begins afresh.
  case switched(Value?)
  /// The shown value has changed: the screen stays, and marks the difference.
  case changed(from: Value, to: Value)

  /// Compares the identities of two values.
  ///
  /// - Parameters:
  ///   - old: The shown value; nil for none.
  ///   - new: The next value; nil for none.
  package init(from old: Value?, to new: Value?) {
    if let old, let new, old.id == new.id { self = .changed(from: old, to: new) } else { self = .switched(new) }
  }
}

extension IdentityStep: Sendable where Value: Sendable {}
extension IdentityStep: Equatable where Value: Equatable {}

/// A view that is kept up to date as long as this token is held, or until ``cancel()``.
public final class ViewBinding: Sendable {
  private let task: Task<Void, Never>
  private let end: @Sendable () -> Void

  @MainActor
  fileprivate init<State, ViewModel>(
    _ rendering: Rendering<State, ViewModel>, of store: Store<State>, _ onEnd: (@MainActor (StoreStatus) -> Void)?
  ) {
    let looks = store.look(atVisible: true, keepsStates: rendering.isEvery) { [weak rendering] in rendering?.wake() }
    rendering.renderAll(looks)
    let watch = store.watch
    task = Task { [weak store] in
      _ = await watch.end()
      guard !Task.isCancelled else { return }
      rendering.renderAll()
      if let onEnd, !Task.isCancelled { onEnd(store?.status ?? .closed) }
    }
    end = { [weak store, weak rendering] in
      rendering?.cancel()
      store?.end(looks)
    }
  }

  /// Ends the binding: nothing more is rendered.
  public func cancel() {
    end()
    task.cancel()
  }

  /// Waits until the binding has ended: by a cancellation, or because the store was closed.
  package func ended() async { await task.value }

  deinit { cancel() }
}

/// Renders the states of a store on the main actor, one after the other.
private final class Rendering<State: Alterable, ViewModel: Equatable & Sendable>: Sendable {
  /// Whether every state is rendered; otherwise the newest one.
  let isEvery: Bool
  private let watch: StoreWatch<State>
  /// Shows that the store is observed.
  private let use: StoreUsage.Token
  private let viewModel: @Sendable (State) -> ViewModel
  private let render: @MainActor (ViewModel?, ViewModel) -> Void
  @MainActor private var looks: Looks<State>?
  @MainActor private var shown: ViewModel?
  @MainActor private var isRendering = false
  /// Whether a task will render, and whether the binding was cancelled.
  private let flags = Lock((isScheduled: false, isCancelled: false))

  init(
    _ store: Store<State>, every: Bool, _ viewModel: @escaping @Sendable (State) -> ViewModel,
    _ render: @escaping @MainActor (ViewModel?, ViewModel) -> Void
  ) {
    isEvery = every
    watch = store.watch
    use = store.usage.token()
    (self.viewModel, self.render) = (viewModel, render)
  }

  func cancel() { flags.withLock { $0.isCancelled = true } }

  /// Renders the new states: at once on the main actor, otherwise soon.
  func wake() {
    if isOnMainActor { return MainActor.assumeIsolated { renderAll() } }
    let isScheduled = flags.withLock { flags in
      defer { flags.isScheduled = true }
      return flags.isScheduled || flags.isCancelled
    }
    guard !isScheduled else { return }
    Task { @MainActor in
      flags.withLock { $0.isScheduled = false }
      renderAll()
    }
  }

  @MainActor
  func renderAll(_ looks: Looks<State>) {
    self.looks = looks
    renderAll()
  }

  /// Renders until nothing is new. A call that comes from `render` leaves its states to the one that is in progress.
  @MainActor
  func renderAll() {
    guard !isRendering else { return }
    isRendering = true
    defer { isRendering = false }
    while !flags.withLock({ $0.isCancelled }), let state = isEvery ? looks?.next()?.state : watch.present()?.state {
      let next = viewModel(state)
      guard next != shown else {
        if isEvery { continue } else { return }
      }
      let old = shown
      shown = next
      render(old, next)
    }
  }
}
