#if Service
  public import AlterFeedback
  public import AlterJournal
  public import ServiceLifecycle

  /// A run of feedbacks as a service: it starts with the group, and at the shutdown it cancels its effects and releases its leases, so that
  /// another process continues at once.
  ///
  /// ```swift
  /// FeedbackService { try await stores["orders"].run([receipts], in: world) }
  /// ```
  ///
  /// Put it behind the ``StoresService`` in the group's list: it then ends before the stores are closed. Requests of a durable feedback
  /// stay in the state, and their effects start again in another process, or after the restart.
  ///
  /// The service has no deadline of its own. An effect that ignores its cancellation delays the end of the group, and the stores are closed
  /// only afterwards. Effects should therefore end soon after they are cancelled.
  public struct FeedbackService: Service, CustomStringConvertible {
    /// Starts the run, and returns its end.
    private let start: @Sendable () async throws -> @Sendable () async -> Void

    /// Creates a service.
    ///
    /// - Parameter start: Starts the run. An error ends the group. If the group shuts down meanwhile, the task of the start is cancelled.
    public init(_ start: @escaping @Sendable () async throws -> FeedbackRun) {
      self.start = {
        let run = try await start()
        return { await run.stop() }
      }
    }

    /// Creates a service for the feedbacks of all stores.
    ///
    /// - Parameter start: Starts the run. An error ends the group. If the group shuts down meanwhile, the task of the start is cancelled.
    public init<State: Journaled>(_ start: @escaping @Sendable () async throws -> StoresRun<State>) {
      self.start = {
        let run = try await start()
        return { await run.stop() }
      }
    }

    /// Runs the feedbacks until the shutdown of the group.
    public func run() async throws {
      let stop: @Sendable () async -> Void
      do {
        // A start may wait for a database, or for a place among the open stores, and the stores are closed only after this service has ended.
        stop = try await cancelWhenGracefulShutdown { [start] in try await start() }
      } catch {
        if Task.isShuttingDownGracefully { return }
        throw error
      }
      await atShutdown { await stop() }
    }

    /// The name in the group's logs.
    public var description: String { "FeedbackService" }
  }
#endif
