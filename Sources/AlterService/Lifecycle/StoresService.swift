#if Service
  public import AlterJournal
  public import AlterStore
  public import Logging
  public import ServiceLifecycle

  /// `Stores` as a service: at the end of the process it writes what is pending and closes every store.
  ///
  /// A `ServiceGroup` shuts its services down in the reverse order of their list. So the stores come first, then the feedbacks, then the
  /// server that accepts requests:
  ///
  /// ```swift
  /// let group = ServiceGroup(
  ///   services: [StoresService(stores, logger: logger), FeedbackService { … }, server],
  ///   gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
  /// try await group.run()
  /// ```
  ///
  /// At SIGTERM the server stops to accept requests and answers those that it has; then the feedbacks cancel their effects and release
  /// their leases; then the stores write their pending changes and are closed. A change that was acknowledged (`durable()` has returned)
  /// is in its journal at every moment, however the process ends.
  ///
  /// The same happens if the group is cancelled because another service has failed, in no promised order then.
  public struct StoresService<State: Journaled>: Service, CustomStringConvertible {
    private let ending: StoresEnding

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - stores: The stores.
    ///   - deadline: The time for writing the pending changes and closing the stores, 20 seconds by default; nil for no limit. Kubernetes and
    ///     systemd kill a process some time after SIGTERM (30 and 90 seconds by default): choose less.
    ///   - logger: Receives an error if changes could not be written.
    ///   - unwritten: Receives the changes that could not be written by the deadline, by key. They were not acknowledged.
    public init(
      _ stores: Stores<State>, deadline: Duration? = .seconds(20), logger: Logger,
      unwritten: @escaping @Sendable (_ leftOver: [String: [Unwritten<State>]]) async -> Void = { _ in }
    ) {
      ending = StoresEnding(logger: logger) {
        let leftOver = await stores.close(deadline: deadline)
        if !leftOver.isEmpty { await unwritten(leftOver) }
        return leftOver.values.reduce(0) { $0 + $1.count }
      }
    }

    /// Waits for the shutdown of the group, then closes the stores.
    public func run() async { await ending.run() }

    /// The name in the group's logs.
    public var description: String { "StoresService<\(State.self)>" }
  }

  /// A single store as a service: at the end of the process it writes what is pending and is closed. See ``StoresService``.
  public struct StoreService<State: Journaled>: Service, CustomStringConvertible {
    private let ending: StoresEnding

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - deadline: The time for writing the pending changes and closing the store, 20 seconds by default; nil for no limit.
    ///   - logger: Receives an error if changes could not be written.
    ///   - unwritten: Receives the changes that could not be written by the deadline. They were not acknowledged.
    public init(
      _ store: Store<State>, deadline: Duration? = .seconds(20), logger: Logger,
      unwritten: @escaping @Sendable (_ leftOver: [Unwritten<State>]) async -> Void = { _ in }
    ) {
      ending = StoresEnding(logger: logger) {
        let leftOver = await store.close(deadline: deadline)
        if !leftOver.isEmpty { await unwritten(leftOver) }
        return leftOver.count
      }
    }

    /// Waits for the shutdown of the group, then closes the store.
    public func run() async { await ending.run() }

    /// The name in the group's logs.
    public var description: String { "StoreService<\(State.self)>" }
  }

  /// Closes stores at the end of the process.
  struct StoresEnding: Sendable {
    let logger: Logger
    /// Closes the stores, and returns the number of changes that could not be written.
    let close: @Sendable () async -> Int

    func run() async {
      await atShutdown {
        logger.debug("Closing the stores.")
        let count = await close()
        if count == 0 {
          logger.info("All stores are closed, and everything is written.")
        } else {
          logger.error(
            "The stores were closed at their deadline, and changes were not confirmed. None of them was acknowledged; the journals may have some.",
            metadata: ["alter.changes": "\(count)"])
        }
      }
    }
  }

  /// Waits until the group shuts down or is cancelled, and then runs a closure to its end, which a cancellation does not stop.
  func atShutdown(_ body: @escaping @Sendable () async -> Void) async {
    try? await gracefulShutdown()
    await Task.detached { await body() }.value
  }
#endif
