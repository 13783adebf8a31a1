#if Service
  import AlterCore
  public import AlterStore
  public import Logging
  public import Metrics
  public import Tracing

  /// Logs, metrics and traces of stores, for a service.
  ///
  /// ```swift
  /// let telemetry = StoreTelemetry(logger: logger)       // after the systems of metrics and traces were bootstrapped
  /// var options = StoreOptions()
  /// options.telemetry = telemetry
  /// telemetry.watch(server)                              // the connections to PostgreSQL
  /// let stores = Stores(in: .postgres(server), options: options) { key in TodoList() }
  /// ```
  ///
  /// One value serves all stores of a process. `docs/service.md` has the tables of metrics, logs and spans. The names and labels are part of
  /// the API: they change only with a new major version.
  ///
  /// ## Metrics
  ///
  /// The labels have few values: a status, an outcome, the name of a feedback. No metric has the key or the journal of a store as a label,
  /// so their number does not grow with the number of stores. Gauges are sums over all stores of the process.
  ///
  /// ## Logs
  ///
  /// A message has the journal's name as its metadata `alter.journal`, which may be the key of a customer. Stored changes and states are
  /// never logged, except for the text of a refusal, which the app writes, and the beginning of a feedback's request in a problem of that
  /// feedback.
  ///
  /// ## Traces
  ///
  /// An effect of a feedback runs in a span, so the requests that it makes are parts of that span. Openings, flights and snapshots are
  /// spans, too. A flight carries the changes of many callers, so its span has no parent; to see in a request's trace how long it waited
  /// for the journal, put `commit.durable()` into a span.
  ///
  /// ## Cost
  ///
  /// `Store.change` costs nothing more. Each flight costs a few updates of metrics, about a microsecond each, on the writer's task. Nothing
  /// runs while nothing happens.
  public final class StoreTelemetry: Sendable {
    let logger: Logger
    let instruments: Instruments
    let tracer: any Tracer

    /// Creates a telemetry.
    ///
    /// - Parameters:
    ///   - logger: The logger of all messages. Its level decides what is logged: see the table in `docs/service.md`.
    ///   - metrics: The metrics system, by default the one that was bootstrapped before this call.
    ///   - tracer: The tracer, by default the one that was bootstrapped before this call.
    public init(
      logger: Logger, metrics: any MetricsFactory = MetricsSystem.factory, tracer: any Tracer = InstrumentationSystem.tracer
    ) {
      self.logger = logger
      instruments = Instruments(metrics)
      self.tracer = tracer
    }
  }

  extension StoreOptions {
    /// The logs, metrics and traces of the store; nil for none, which is the default.
    public var telemetry: StoreTelemetry? {
      get { monitor as? StoreTelemetry }
      set { monitor = newValue }
    }
  }

  #if Postgres
    public import AlterPostgres

    extension StoreTelemetry {
      /// Reports the connections of this process to a PostgreSQL server, which all its journals share: their number, and the time that
      /// requests wait for one.
      ///
      /// Call it once for each server, before the first journal is opened: waits before this call are not reported, and two calls count each
      /// event twice.
      ///
      /// - Parameter server: The server, exactly as the journals are opened with it.
      public func watch(_ server: PostgresServer) {
        // During an outage every retry of every store fails to open a connection: only the first failure is a warning.
        let failing = Lock<Set<PoolEvent.Lane>>([])
        server.monitor { event in
          switch event {
          case .waited(let lane, let duration): self.instruments.record(duration, in: .poolWaits, lane.rawValue)
          case .connections(let lane, let number):
            if number > 0 { failing.withLock { _ = $0.remove(lane) } }
            self.instruments.add(number, to: .connections, lane.rawValue)
          case .refused(let lane, let reason):
            self.instruments.add(to: .connectionFailures, lane.rawValue)
            let isFirst = failing.withLock { $0.insert(lane).inserted }
            self.logger.log(
              level: isFirst ? .warning : .debug, "No connection to PostgreSQL could be opened.",
              metadata: ["alter.lane": "\(lane.rawValue)", "alter.error": "\(reason)"])
          }
        }
      }
    }
  #endif
#endif
