import AlterCore
import AlterJournal

// Carries out the decisions of the table.
extension Stores {
  /// Returns the open store of a key, or waits for its opening.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - follows: Whether a store that is opened for it applies the entries of others at once.
  func access(_ key: StoreKey, following follows: Bool) async throws(JournalError) -> Store<State> {
    let promise: Promise<Result<Store<State>, JournalError>>
    switch request(key, following: follows) {
    case .success(.open(let store)): return store
    case .success(.later(let later)):
      promise = later
      tellMonitor()
    case .failure(let error): throw error
    }
    guard let result = await promise.value() else { throw .cancelledAccess(key.text) }
    return try result.get()
  }

  private enum Access {
    case open(Store<State>)
    case later(Promise<Result<Store<State>, JournalError>>)
  }

  private func request(_ key: StoreKey, following follows: Bool) -> Result<Access, JournalError> {
    contents.withLock { contents in
      guard !contents.table.isEnded else { return .failure(.closedStores(key.text)) }
      let (store, action) = contents.table.want(key) { $0.isIdle }
      if let store {
        if store.takesChanges { return .success(.open(store)) }
        replace(key, store, in: &contents)
      } else if let action {
        contents.report.evicted += 1
        start(action, in: &contents)
      }
      var callers = contents.callers[key] ?? Callers()
      callers.follows = callers.follows || follows
      contents.callers[key] = callers
      // A caller who waits for the end of a use has looked at that store. The looks at all stores are made at intervals.
      if !contents.table.isParked(key) { proceed(&contents) }
      return .success(.later(callers.promise))
    }
  }

  /// Closes a store that has ended, and opens its key again.
  private func replace(_ key: StoreKey, _ store: Store<State>, in contents: inout Contents) {
    guard let action = contents.table.replace(key, store) else { return }
    contents.report.replaced += 1
    start(action, in: &contents)
  }

  /// Starts the actions that the table decides on. Called after each event.
  func proceed(_ contents: inout Contents) {
    for action in contents.table.next(isIdle: { $0.isIdle }) {
      if case .close = action { contents.report.evicted += 1 }
      start(action, in: &contents)
    }
    guard contents.table.isStuck, contents.retry == nil else { return }
    contents.retry = Task.detached { await self.retry() }
  }

  /// Starts an action in a task of its own, which inherits nothing from the caller: other callers may wait for it, too.
  func start(_ action: Table.Action, in contents: inout Contents) {
    switch action {
    case .open(let key):
      contents.attempts += 1
      let leftOver = resuming == nil ? [] : contents.leftOver[key] ?? []
      let follows = contents.callers[key]?.follows ?? true
      contents.openings[key] = Task.detached { await self.open(key, leftOver, following: follows) }
    case .close(let key, let store):
      Task.detached { self.closed(key, leaving: await store.close()) }
    case .give(let key, let store):
      guard store.takesChanges else { return replace(key, store, in: &contents) }
      let promise = contents.callers.removeValue(forKey: key)?.promise
      Task.detached { promise?.resolve(.success(store)) }
    }
  }

  // MARK: - Opening

  private func open(_ key: StoreKey, _ leftOver: [Unwritten<State>], following follows: Bool) async {
    let opened: Result<(Store<State>, Int), JournalError>
    let start = ContinuousClock.now
    var options = options
    options.followsLater = !follows
    // The closures that have received the store.
    var known: Set<Int> = []
    // Whether the store that ended keeps nothing back any more.
    var isResumed = false
    do throws(JournalError) {
      let resumed = leftOver.isEmpty ? [] : resuming?(key.text, leftOver) ?? []
      let journal = try await places.open(key.text)
      do throws(JournalError) {
        let store = try await Store.open(initial(key.text), in: journal, resuming: resumed, options: options)
        isResumed = !leftOver.isEmpty
        known = tell(store, except: known)
        opened = .success((store, size.map { Self.clamped($0(store.state)) } ?? 0))
      } catch {
        if !options.keepsJournalOpen { await journal.close() }
        throw error
      }
    } catch {
      opened = .failure(error)
    }
    let (promise, answer, isOver) = contents.withLock { contents in
      contents.openings[key] = nil
      if isResumed { contents.leftOver[key] = nil }
      switch opened {
      case .success(let (store, bytes)):
        contents.report.opened += 1
        contents.table.opened(key, store, bytes: bytes)
        if contents.table.isEnded { closeAll(&contents) }
      case .failure:
        contents.report.failed += 1
        contents.table.gone(key)
      }
      proceed(&contents)
      let answer = contents.table.isEnded ? .failure(JournalError.closedStores(key.text)) : opened.map(\.0)
      return (contents.callers.removeValue(forKey: key)?.promise, answer, contents.isOver)
    }
    if let monitor = options.monitor {
      let error: JournalError? = if case .failure(let error) = opened { error } else { nil }
      monitor.record(.keyedOpening(ContinuousClock.now - start, error), of: key.text)
      tellMonitor()
    }
    // Those that came meanwhile.
    if case .success(let store) = answer { _ = tell(store, except: known) }
    promise?.resolve(answer)
    if isOver { isEmpty.resolve(()) }
  }

  // MARK: - Openings

  /// Calls a closure with each store that is open, or is opened from now on, before an access returns it.
  ///
  /// - Returns: The id for ``forget(_:)``.
  package func tell(_ body: @escaping @Sendable (Store<State>) -> Void) -> Int {
    let (id, open) = contents.withLock { contents in
      contents.lastOpener += 1
      contents.openers[contents.lastOpener] = body
      return (contents.lastOpener, contents.table.items)
    }
    for store in open { body(store) }
    return id
  }

  /// Calls a closure for the last time.
  package func forget(_ opener: Int) { contents.withLock { contents in contents.openers[opener] = nil } }

  /// The open stores, in no order.
  package var open: [Store<State>] { contents.withLock { $0.table.items } }

  /// Calls the closures with a store.
  ///
  /// - Returns: The ids of all that have received it.
  private func tell(_ store: Store<State>, except known: Set<Int>) -> Set<Int> {
    let openers = contents.withLock { $0.openers }
    for (id, body) in openers where !known.contains(id) { body(store) }
    return known.union(openers.keys)
  }

  // MARK: - Waiting for a place

  /// Looks for idle stores in growing pauses, because nothing reports the end of a use. Runs only while keys wait and all stores are in
  /// use. If that does not change for a moment, open keys are recalled.
  private func retry() async {
    var backoff = Backoff()
    var waited = Duration.zero
    /// The time since the recall began.
    var recalling = Duration.zero
    var openings = contents.withLock { $0.attempts }
    while true {
      let pause = backoff.next()
      let isCancelled = (try? await options.environment.sleep(pause)) == nil
      waited += pause
      let refused: (promises: [Promise<Result<Store<State>, JournalError>>], error: JournalError)? = contents.withLock { contents in
        if contents.table.isRecalling {
          recalling += pause
          if recalling >= budget.grace { contents.table.endWaiting() }
        }
        // The task that is in `retry` is this one: `proceed` starts no second one.
        proceed(&contents)
        // Other accesses look for idle stores, too. While keys get their turn, the stores are not in use for the whole timeout.
        if contents.attempts != openings { (openings, waited) = (contents.attempts, .zero) }
        if waited >= budget.patience, contents.table.recall() { (recalling, backoff) = (.zero, Backoff()) }
        var refused: [Promise<Result<Store<State>, JournalError>>] = []
        if contents.table.isStuck, waited >= budget.timeout || isCancelled {
          for key in contents.table.keys(.waiting) {
            contents.table.gone(key)
            if let callers = contents.callers.removeValue(forKey: key) { refused.append(callers.promise) }
          }
          // No key waits any more: the recall is over.
          proceed(&contents)
        }
        if contents.table.isStuck || contents.table.isRecalling { return nil }
        contents.retry = nil
        return (refused, allInUse(contents.table))
      }
      guard let refused else { continue }
      tellMonitor()
      for promise in refused.promises { promise.resolve(.failure(refused.error)) }
      return
    }
  }

  /// The error of an access for which the table had no place during the whole timeout. It names the limits that were reached.
  private func allInUse(_ table: Table) -> JournalError {
    var limits: [String] = []
    if table.taken >= table.limits.places {
      limits.append(
        table.limits.places < budget.stores
          ? "StoresBudget.descriptors (\(budget.descriptors)) allows \(table.limits.places) with \(places.descriptors) descriptors each"
          : "StoresBudget.stores allows \(table.limits.places)")
    }
    if table.bytes >= budget.bytes {
      limits.append("StoresBudget.bytes (\(budget.bytes)) is used up by open states of \(table.bytes) bytes")
    }
    return .allInUse(limits)
  }
}

extension JournalError {
  fileprivate static func allInUse(_ limits: [String]) -> JournalError {
    JournalError(
      .unavailable, journal: "stores",
      message: """
        can't open another store: \(limits.joined(separator: ", and ")), and all open ones were in use for the whole timeout. Release stores that you no \
        longer use, or raise this limit.
        """)
  }

  static func closedStores(_ key: String) -> JournalError {
    JournalError(.closed, journal: key, message: "can't be opened: its Stores was closed, and opens nothing any more.")
  }

  static func cancelledAccess(_ key: String) -> JournalError {
    JournalError(.cancelled, journal: key, message: "was not returned, because the task was cancelled. Its opening continues.")
  }
}
