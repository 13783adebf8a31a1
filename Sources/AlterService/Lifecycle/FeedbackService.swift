#if Service
  public import AlterCore
  public import AlterFeedback
  public import ServiceLifecycle

  /// A feedback loop as a service: it starts with the group, and at the shutdown it cancels its effects and releases its leases, so that
  /// another process continues at once.
  ///
  /// ```swift
  /// FeedbackService { try await stores["orders"].run([receipts], in: world) }
  /// ```
  ///
  /// Put it behind the ``StoresService`` in the group's list: it then ends before the stores are closed. Requests of a durable feedback
  /// stay in the state, and their effects start again in another process, or after the restart, under the same idempotency key.
  ///
  /// The service has no deadline of its own. An effect that ignores its cancellation delays the end of the group, and the stores are closed
  /// only afterwards. Effects should therefore end soon after they are cancelled.
  public struct FeedbackService<State: Alterable>: Service, CustomStringConvertible {
    private let start: @Sendable () async throws -> FeedbackLoop<State>

    /// Creates a service.
    ///
    /// - Parameter start: Starts the loop. An error ends the group. If the group shuts down meanwhile, the task of the start is cancelled.
    public init(_ start: @escaping @Sendable () async throws -> FeedbackLoop<State>) { self.start = start }

    /// Runs the loop until the shutdown of the group.
    public func run() async throws {
      let loop: FeedbackLoop<State>
      do {
        // A start may wait for a database, or for a place among the open stores, and the stores are closed only after this service has ended.
        loop = try await cancelWhenGracefulShutdown { [start] in try await start() }
      } catch {
        if Task.isShuttingDownGracefully { return }
        throw error
      }
      await atShutdown { await loop.stop() }
    }

    /// The name in the group's logs.
    public var description: String { "FeedbackService<\(State.self)>" }
  }
#endif
