// A service that keeps the orders of shops in PostgreSQL.
//
//   orders ADDRESS SHOP…      serves on a free port of this machine, until SIGTERM or SIGINT
//   orders ADDRESS SHOP… --report    counts the orders of each shop by their payments, and ends
//
//   POST /shops/SHOP/orders/NUMBER    places an order; the body is its text
//   POST /shops/SHOP/orders/NUMBER/payment    pays it; the body is the sum in cents
//   GET  /shops/SHOP/orders           lists the orders
//   GET  /metrics                     shows the metrics

#if Postgres
  import Alter
  import AlterPostgres
  import AlterService
  import Hummingbird
  import Logging
  import Metrics
  import OrdersCore
  import ServiceLifecycle

  @main struct OrdersService {
    static func main() async throws {
      let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--report" }
      guard let address = arguments.first, arguments.count > 1 else { return print("usage: orders ADDRESS SHOP… [--report]") }
      guard !CommandLine.arguments.contains("--report") else { return try await report(address, arguments.dropFirst()) }
      // In a real service: the backends of your monitoring, such as swift-prometheus and swift-otel.
      let metrics = PlainMetrics()
      MetricsSystem.bootstrap(metrics)
      LoggingSystem.bootstrap(StreamLogHandler.standardError)
      let logger = Logger(label: "orders")

      let server = PostgresServer(address)
      let telemetry = StoreTelemetry(logger: logger)
      telemetry.watch(server)
      var options = StoreOptions()
      options.telemetry = telemetry
      let stores = Stores(in: .postgres(server), options: options) { _ in Shop() }

      let world = World(
        send: { order, key in logger.debug("A receipt was sent.", metadata: ["order": "\(order)", "key": "\(key)"]) },
        charge: { charge, key in
          // In a real service: the bank's interface, with the key in its `Idempotency-Key`.
          logger.debug("A sum was charged.", metadata: ["order": "\(charge.order)", "cents": "\(charge.cents)", "key": "\(key)"])
          return .accepted
        })
      // On each shop that is opened, and at the start on those where a process has left something open.
      let shops = arguments.dropFirst()
      let feedbacks = FeedbackService { () -> StoresRun<Shop> in
        let run = try stores.run([.receipts, .payments], in: world)
        for (shop, error) in await run.sweep(shops) { logger.error("A shop can't be opened: \(error)", metadata: ["shop": "\(shop)"]) }
        return run
      }
      let web = Application(
        router: router(stores, metrics), configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
        onServerRunning: { channel in logger.info("Listening on port \(channel.localAddress?.port ?? 0)") }, logger: logger)

      // The services end in the reverse order: the server first, the stores last.
      let group = ServiceGroup(
        services: [StoresService(stores, logger: logger), feedbacks, web], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
      try await group.run()
    }

    private static func report(_ address: String, _ shops: some Sequence<String>) async throws {
      let stores = Stores(in: .postgres(PostgresServer(address))) { _ in Shop() }
      for shop in shops {
        for line in try await stores[shop].report() { print("\(shop): \(line)") }
      }
      _ = await stores.close()
    }
  }
#else
  @main struct OrdersService {
    static func main() { print("Built without the trait Postgres.") }
  }
#endif
