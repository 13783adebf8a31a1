#if SyncServer
  import Alter
  import AlterCore
  import AlterSQLite
  import AlterStore
  import AlterSyncServer
  import Foundation
  import Hummingbird
  import Logging
  import Metrics
  import ServiceLifecycle
  import StockModel
  import ProcessTesting

  /// A server process of the tests: a service over a folder of SQLite files, behind Hummingbird, on a free port.
  final class ListServer: Sendable {
    let service: SyncService<Stock>
    let stores: Stores<Stock>
    let policy: TestPolicy
    let gate = RequestGate()
    let port: Int
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    convenience init(
      _ folder: String, policy: TestPolicy = TestPolicy(), authenticator: any SyncAuthenticator = ListServer.tokens, port: Int = 0,
      logger: Logger = ListServer.silent, _ configure: (inout SyncOptions) -> Void = { _ in }
    ) async throws {
      try await self.init(
        Stores(in: .folder(folder)) { _ in Stock() }, policy: policy, authenticator: authenticator, port: port, logger: logger, configure)
    }

    init(
      _ stores: Stores<Stock>, policy: TestPolicy = TestPolicy(), authenticator: any SyncAuthenticator = ListServer.tokens, port: Int = 0,
      logger: Logger = ListServer.silent, metrics: any MetricsFactory = NOOPMetricsHandler.instance,
      _ configure: (inout SyncOptions) -> Void = { _ in }
    ) async throws {
      var options = SyncOptions()
      options.limits.holdSeconds = 0
      // An app's code may have to wait for a processor for much longer than the service waits for it.
      options.sleep = { try await Task.sleep(for: $0 * 20) }
      options.pushTime = .seconds(86_400)
      configure(&options)
      self.policy = policy
      self.stores = stores
      let service = SyncService(
        stores, secret: SyncSecret("0123456789abcdef"), authenticator: AnyAuthenticator(authenticator), policy: policy, options: options,
        logger: logger, metrics: metrics)
      self.service = service
      let router = Router()
      router.add(middleware: gate)
      service.addRoutes(to: router.group("sync"))
      let (ports, ready) = AsyncStream.makeStream(of: Int.self)
      var application = Application(
        router: router, server: service.server,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
        onServerRunning: { ready.yield($0.localAddress?.port ?? 0) }, logger: logger)
      application.addServices(service)
      let group = ServiceGroup(services: [application], logger: logger)
      self.group = group
      running = Task {
        defer { ready.finish() }
        try await group.run()
      }
      guard let port = await ports.first(where: { _ in true }) else {
        try await running.value
        throw CancellationError()
      }
      self.port = port
    }

    static var silent: Logger {
      var logger = Logger(label: "test")
      logger.logLevel = .critical
      return logger
    }

    static var tokens: StaticTokens { StaticTokens(["ann's token": "ann", "bob's token": "bob", "eve's token": "eve"]) }

    var url: URL { URL(string: "http://127.0.0.1:\(port)/sync") ?? URL(fileURLWithPath: "/") }

    /// Ends the process in order.
    func stop() async {
      // Not by a cancellation: Hummingbird drops connections that it has just accepted then, and NIO traps.
      await group.triggerGracefulShutdown()
      _ = await running.result
      await service.close()
      _ = await stores.close()
    }

    /// Runs a test with a server of a new folder.
    static func with(
      policy: TestPolicy = TestPolicy(), authenticator: any SyncAuthenticator = ListServer.tokens, logger: Logger = ListServer.silent,
      _ configure: @escaping (inout SyncOptions) -> Void = { _ in }, _ body: (ListServer, _ folder: String) async throws -> Void
    ) async throws {
      let folder = try Folder()
      try FileManager.default.createDirectory(atPath: folder.path("server"), withIntermediateDirectories: false)
      let server = try await ListServer(folder.path("server"), policy: policy, authenticator: authenticator, logger: logger, configure)
      do {
        try await body(server, folder.path)
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }

  /// Any authenticator, for the initialiser of the service.
  private struct AnyAuthenticator: SyncAuthenticator {
    let base: any SyncAuthenticator
    init(_ base: any SyncAuthenticator) { self.base = base }
    func authenticate(_ token: String) async throws -> SyncIdentity? { try await base.authenticate(token) }
  }

  /// Ann and Bob may read, write and create; no principal claims the slot 9. Each answer can be changed.
  final class TestPolicy: SyncPolicy {
    struct Down: Error {}

    let readers = Lock<Set<String>>(["ann", "bob"])
    let writers = Lock<Set<String>>(["ann", "bob"])
    let creators = Lock<Set<String>>(["ann", "bob"])
    /// The principals that may claim the slot 9.
    let owners = Lock<Set<String>>([])
    let isDown = Lock(false)
    /// Whether questions about changes have no answer.
    let isDeciderDown = Lock(false)
    /// Questions about reading wait for this, if it is there.
    let obstacle = Lock<Waiter<Void>?>(nil)
    /// The number of questions about reading.
    let questions = Lock(0)

    func mayRead(_ key: String, _ principal: String) async throws -> Bool {
      questions.withLock { $0 += 1 }
      if isDown.withLock({ $0 }) { throw Down() }
      // The task that waits is not the one that is cancelled: this policy does not notice.
      if let obstacle = obstacle.withLock({ $0 }) { await Task { _ = await obstacle.value() }.value }
      return readers.withLock { $0.contains(principal) }
    }

    func mayWrite(_ key: String, _ principal: String) async throws -> Bool { writers.withLock { $0.contains(principal) } }

    func mayCreate(_ key: String, _ principal: String) async throws -> Bool { creators.withLock { $0.contains(principal) } }

    /// The messages of the tests have no scope.
    func grants(_ scope: UndoScope, in key: String, to principal: String) async throws -> Bool {
      scope == .journal || scope.rawValue == principal
    }

    func permit(
      _ changes: [Stock.Change], of record: Record<Stock>, in state: Stock, key: String, by author: SyncAuthor
    ) async throws -> SyncPermission {
      if isDeciderDown.withLock({ $0 }) { throw Down() }
      guard changes.contains(.claim(9)), !owners.withLock({ $0.contains(author.principal) }) else { return .permitted }
      return .denied("the slot is reserved")
    }
  }
#endif
