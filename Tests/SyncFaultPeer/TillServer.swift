#if SyncServer && Postgres && SQLite
  import Alter
  import AlterSQLite
  import AlterSyncServer
  import Foundation
  import Hummingbird
  import Logging

  /// A server that makes the payments of devices.
  enum TillServer {
    /// A bank that keeps its books in a file: `charged` or `again`, and the key.
    ///
    /// - Parameter dies: The moment at which the process is killed: `before`, `after` or never.
    struct Bank {
      let books: String
      let dies: String

      func charge(_ cents: Int, key: String) throws {
        if dies == "before" { kill(getpid(), SIGKILL) }
        let known = (try? String(contentsOfFile: books, encoding: .utf8)) ?? ""
        let word = known.contains("charged \(key) ") ? "again" : "charged"
        try Data("\(known)\(word) \(key) \(cents)\n".utf8).write(to: URL(fileURLWithPath: books), options: .atomic)
        if dies == "after" { kill(getpid(), SIGKILL) }
      }
    }

    static var charge: Feedback<Till, Bank> {
      Feedback("charge", request: \.payment) { payment, bank, effect in
        try await effect.send(.charging(payment.id))
        try bank.charge(payment.value, key: payment.id.key("charge"))
        if bank.dies == "answer" { Task.detached { kill(getpid(), SIGKILL) } }
        return .paid(payment.id)
      }
    }

    /// Prints its port, and runs until it is killed, or SIGTERM ends it.
    static func run(in folder: String, port: Int, bank: Bank) async throws {
      let stores = Stores(in: .folder(folder)) { _ in Till() }
      let service = SyncService(
        stores, secret: Place.secret, authenticator: StaticTokens(["ann-1": "ann", "bob-1": "bob"]), policy: Customers())
      let run = try stores.run([charge], in: bank)
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
