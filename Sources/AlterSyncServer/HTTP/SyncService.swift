#if SyncServer
  import AlterCore
  public import AlterJournal
  public import AlterStore
  import AlterSyncCore
  import _AlterWeb
  public import Hummingbird
  public import Logging
  public import Metrics
  public import ServiceLifecycle

  /// Serves the journals of `Stores` to devices, over HTTP: it decides their changes with the app's own `apply`.
  ///
  /// ```swift
  /// let stores = Stores(in: .folder("/var/lib/lists")) { key in TodoList() }
  /// let service = SyncService(
  ///   stores, secret: SyncSecret(secret), authenticator: StaticTokens(["ann's token": "ann"]), policy: ListPolicy())
  /// let router = Router()
  /// service.addRoutes(to: router.group("sync"))
  /// var application = Application(router: router)
  /// application.addServices(service)
  /// try await application.runService()
  /// ```
  ///
  /// Several processes may serve one database; they need the same secret, and the same undo window in the options of the stores. The first request about a key makes the
  /// service the only writer of its journal. From then on, changes come from devices, and from these stores: their changes, and the answers of their
  /// feedbacks, are entries of the principal `alter/server`, about which the policy is not asked. Other stores can only read the journal.
  ///
  /// A proxy in front of the service must not buffer the answers of `live`, and must pass paths on as they are, with their `%2F`.
  public final class SyncService<State: Journaled>: Sendable {
    let journals: ServedJournals<State>
    let authenticator: any SyncAuthenticator
    let policy: any SyncPolicy<State>
    let options: SyncOptions
    let telemetry: SyncTelemetry
    let pushes: Lock<TokenBuckets>
    let streams = LiveStreams()
    let clocks = Lock(Clocks())
    let bodies: BodyBytes
    let connections: Connections
    /// The time for an answer of the policy or of the authenticator.
    let policyTime: Duration = .seconds(5)
    private let ending = Lock(false)

    /// Creates a service. It does nothing before its routes are called.
    ///
    /// - Parameters:
    ///   - stores: The journals, over SQLite or PostgreSQL. Their budget limits the open ones. The service does not close the stores.
    ///   - secret: The secret behind the pseudonyms of principals.
    ///   - authenticator: Recognises the tokens of requests.
    ///   - policy: The app's rules.
    ///   - options: The settings.
    ///   - logger: Receives what an operator should know. Tokens and the contents of journals are never logged.
    ///   - metrics: Receives the metrics that `docs/sync-server.md` lists.
    public init(
      _ stores: Stores<State>, secret: SyncSecret, authenticator: some SyncAuthenticator, policy: some SyncPolicy<State>,
      options: SyncOptions = SyncOptions(), logger: Logger = Logger(label: "alter.sync"),
      metrics: any MetricsFactory = MetricsSystem.factory
    ) {
      self.authenticator = authenticator
      self.policy = policy
      self.options = options
      let telemetry = SyncTelemetry(logger: logger, factory: metrics)
      self.telemetry = telemetry
      connections = Connections(WebLimits(options.limits, otherDescriptors: stores.descriptors))
      bodies = BodyBytes(options.limits)
      pushes = Lock(TokenBuckets(perMinute: options.limits.pushesPerMinute))
      let recentBytes = RecentBytes()
      stores.author.identity = ServerAuthor.Identity(
        principal: Principal.server.name, pseudonym: Principal.server.pseudonym(key: secret.words),
        bytesPerEntry: Int64(options.limits.bytesPerDraft))
      journals = ServedJournals(stores, schema: options.schema ?? State.schema.version) { [stores, streams, policyTime] key, journal in
        var settings = JournalServer<State>.Options(secret: secret.words)
        settings.limits = options.limits
        settings.pushTime = options.pushTime
        settings.store = stores.options
        settings.policyTime = policyTime
        settings.recentBytes = recentBytes
        settings.sleep = options.sleep
        settings.announce = { streams.publish($0, of: StoreKey(key)) }
        settings.report = { telemetry.record($0, of: key) }
        return JournalServer(journal, policy: KeyedPolicy(key: key, policy: policy), options: settings)
      }
    }

    /// Adds the routes of the protocol to a router, below the router's own path.
    ///
    /// - Parameter routes: The router, or a group of it. A middleware may wrap a body to see its end, but must neither read
    ///   nor change its bytes, and must pass an error on.
    public func addRoutes<Routes: RouterMethods>(to routes: Routes) {
      routes.get("journals/**") { request, context in await self.answerJournal(request, context.parameters.getCatchAll().count) }
      routes.post("journals/**") { request, context in await self.answerJournal(request, context.parameters.getCatchAll().count) }
      routes.put("journals/**") { request, context in await self.answerJournal(request, context.parameters.getCatchAll().count) }
      routes.get("live") { request, _ in await self.answerLive(request) }
      routes.get("health") { _, _ in Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "ok\n"))) }
      routes.get("ready") { _, _ in await self.answerReady() }
    }

    /// Whether the service has begun to end.
    var isEnding: Bool { ending.withLock { $0 } }

    /// The number of open streams.
    package var openStreams: Int { streams.count }

    /// Ends the service in order: the readiness fails, streams end, pushes that have begun are decided and answered, and later requests are
    /// answered by 503.
    ///
    /// Close the stores afterwards.
    public func close() async {
      ending.withLock { $0 = true }
      streams.endAll()
      await journals.close()
    }
  }

  extension SyncService: Service, CustomStringConvertible {
    /// Waits for the shutdown of the service's group, and then ends the service, as ``close()`` does.
    public func run() async throws {
      try? await gracefulShutdown()
      await Task { await self.close() }.value
    }

    /// The name in the group's logs.
    public var description: String { "SyncService<\(State.self)>" }
  }
#endif
