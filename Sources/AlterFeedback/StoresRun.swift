import AlterCore
public import AlterJournal
public import AlterStore

/// Running feedbacks of all stores of a `Stores`. It lasts until ``stop()``, or until the stores are closed.
public final class StoresRun<State: Journaled>: Sendable {
  private let stores: Stores<State>
  private let opener = Lock<Int?>(nil)
  /// The marks of journals in which there was nothing to do.
  private let quiet = Lock<[StoreKey: JournalMark]>([:])

  init(_ stores: Stores<State>) { self.stores = stores }

  func begin(_ attach: @escaping @Sendable (Store<State>) -> Void) { opener.withLock { $0 = stores.tell(attach) } }

  /// Opens stores whose requests may have been left open, by a process that has died, or by a service that was out of reach for long. A store
  /// with nothing to do is closed again when its place is needed.
  ///
  /// Call it when the process has started, and from time to time, with the keys of all journals:
  ///
  /// ```swift
  /// let run = try stores.run([charge], in: bank)
  /// while !Task.isCancelled {
  ///   await run.sweep(try folder.keys())
  ///   try await Task.sleep(for: .seconds(300))
  /// }
  /// ```
  ///
  /// A journal that has not changed since a sweep of this run found nothing to do is not opened again.
  ///
  /// - Parameter keys: The keys.
  /// - Returns: The errors of the openings, by key. The next sweep tries these keys again.
  /// - Complexity: O(keys), and an opening for each journal with changes or open requests: a few at a time, within the budget of the stores.
  @discardableResult
  public func sweep(_ keys: some Sequence<String>) async -> [String: JournalError] {
    await withTaskGroup(of: (String, JournalError?).self) { group in
      var errors: [String: JournalError] = [:]
      var running = 0
      for key in keys {
        if running == 8, let (key, error) = await group.next() {
          errors[key] = error
          running -= 1
        }
        if Task.isCancelled { break }
        running += 1
        group.addTask { (key, await self.look(key)) }
      }
      for await (key, error) in group { errors[key] = error }
      return errors
    }
  }

  /// Opens the store of a key, unless its journal has not changed since there was nothing to do.
  ///
  /// - Returns: The error.
  private func look(_ key: String) async -> JournalError? {
    do throws(JournalError) {
      // Before the look: an entry that is appended meanwhile gives the journal another mark.
      let mark = try await stores.places.mark(of: key)
      if let mark, quiet.withLock({ $0[StoreKey(key)] }) == mark { return nil }
      // The run examines the store while it is opened, and keeps it if there is something to do.
      let store = try await stores.unfollowed(key)
      // It may have been open.
      try await store.readOthers()
      let isQuiet = store.runs.contains { run in (run as? FeedbackRun).map { $0.whole == ObjectIdentifier(self) && $0.isQuiet } ?? false }
      quiet.withLock { $0[StoreKey(key)] = isQuiet ? mark : nil }
    } catch {
      return error
    }
    return nil
  }

  /// Ends the run on every store, as ``FeedbackRun/stop()`` does.
  public func stop() async {
    if let id = opener.withLock({ $0.take() }) { stores.forget(id) }
    await withTaskGroup(of: Void.self) { group in
      for store in stores.open {
        for case let run as FeedbackRun in store.runs where run.whole == ObjectIdentifier(self) { group.addTask { await run.stop() } }
      }
    }
  }
}

extension Stores {
  /// Runs feedbacks on each store that is open, or is opened from now on.
  ///
  /// A store is kept open while a request of it begins, runs or settles, or pauses for less than a minute. ``StoresRun/sweep(_:)`` opens
  /// the stores that nothing else opens.
  ///
  /// - Parameters:
  ///   - feedbacks: The feedbacks. Their names must differ.
  ///   - environment: The dependencies of their effects.
  ///   - options: The options of the run on each store.
  /// - Returns: The run.
  /// - Throws: ``FeedbackError``; then nothing has begun. A single store that can't run them reports it in its `problems`.
  @discardableResult
  public func run<Environment: Sendable>(
    _ feedbacks: [Feedback<State, Environment>], in environment: Environment, options: FeedbackOptions = FeedbackOptions()
  ) throws(FeedbackError) -> StoresRun<State> {
    try options.check(feedbacks, isJournaled: true, isSynced: false)
    let run = StoresRun(self)
    let id = ObjectIdentifier(run)
    run.begin { [author] store in
      do throws(FeedbackError) {
        _ = try store.run(feedbacks, in: environment, options: options, whole: id)
      } catch {
        if error != .closed { store.report(.feedback(feedbacks.map(\.name).joined(separator: ", "), reason: "\(error)")) }
      }
      // The service beside the stores appends the entries of devices.
      if author.identity != nil { Task { await store.followOthers() } }
    }
    return run
  }
}
