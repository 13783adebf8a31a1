#if SyncServer && Postgres && SQLite
  import Alter
  import AlterSQLite
  import AlterSyncServer
  import Foundation
  import Hummingbird
  import Logging
  import TillModel

  /// A server that makes the payments of devices.
  enum TillServer {
    /// A bank whose call kills the process.
    struct Bank {
      let books: Books
      /// The moment: `before`, `after`, `answer` or never.
      let dies: String

      func charge(_ cents: Int, key: String) throws {
        if dies == "before" { kill(getpid(), SIGKILL) }
        try books.charge(cents, key: key)
        if dies == "after" { kill(getpid(), SIGKILL) }
        if dies == "answer" { Task.detached { kill(getpid(), SIGKILL) } }
      }
    }

    /// Prints its port, and runs until it is killed, or SIGTERM ends it.
    static func run(in folder: String, port: Int, bank: Bank) async throws {
      let stores = Stores(in: .folder(folder)) { _ in Till() }
      let service = SyncService(
        stores, secret: Place.secret, authenticator: StaticTokens(["ann-1": "ann", "bob-1": "bob"]), policy: Customers())
      let run = try stores.run([.charge { try $0.charge($1, key: $2) }], in: bank)
      await run.sweep(["till"])
      let router = Router()
      service.addRoutes(to: router.group("sync"))
      var logger = Logger(label: "server")
      logger.logLevel = .critical
      var application = Application(
        router: router, server: service.server,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
        onServerRunning: { say("\($0.localAddress?.port ?? 0)") }, logger: logger)
      application.addServices(service)
      try await application.runService()
      await run.stop()
      _ = await stores.close()
    }

    struct Customers: SyncPolicy {
      typealias State = Till
      func mayRead(_ key: String, _ principal: String) async throws -> Bool { true }
      func mayCreate(_ key: String, _ principal: String) async throws -> Bool { true }
    }
  }
#endif
