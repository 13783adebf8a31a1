#if SyncServer && Postgres && SQLite
  import Alter
  import AlterJournal
  import AlterPostgres
  import AlterStore
  import AlterSyncServer
  import Foundation
  import Hummingbird
  import Logging
  import StockModel

  /// The key, the tables and the secret that all processes use.
  enum Place {
    static let key = "stock"
    static let schema = "sync"
    static let secret = SyncSecret("0123456789abcdef")
    static let principals = ["ann", "bob", "cay"]
  }

  /// A server process on a free port, which it prints. It runs until it is killed, or until its input ends.
  enum ServerProgram {
    static func run(database: String, tokens: String) async throws {
      var logger = Logger(label: "server")
      logger.logLevel = .critical
      var options = SyncOptions()
      (options.limits.holdSeconds, options.limits.entriesPerPage) = (0, 200)
      // The rounds are about faults, not about limits.
      (options.limits.refusalsPerMinute, options.limits.pushesPerMinute) = (1_000_000, 1_000_000)
      (options.heartbeat, options.recheck) = (.seconds(1), .seconds(1))
      let stores = Stores(in: .postgres(PostgresServer(database, maximumConnections: 4), schema: Place.schema)) { _ in Stock() }
      let service = SyncService(
        stores, secret: Place.secret, authenticator: TokenFile(path: tokens), policy: StockPolicy(), options: options, logger: logger)
      let router = Router()
      service.addRoutes(to: router.group("sync"))
      var application = Application(
        router: router, server: service.server,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0), serverName: nil),
        onServerRunning: { say("ready \($0.localAddress?.port ?? 0)") }, logger: logger)
      application.addServices(service)
      Thread.detachNewThread {
        while readLine() != nil {}
        exit(0)
      }
      try await application.runService()
    }
  }

  /// Tokens in a file, which is read for each question: a token is revoked by removing its line.
  private struct TokenFile: SyncAuthenticator {
    let path: String

    func authenticate(_ token: String) async throws -> SyncIdentity? {
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      var tokens: [String: String] = [:]
      for line in lines {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 2 else { throw PeerError("a line of \(path) is not a token and a principal") }
        tokens[words[0]] = words[1]
      }
      return await StaticTokens(tokens).authenticate(token)
    }
  }

  /// Every tenth slot is reserved.
  private struct StockPolicy: SyncPolicy {
    func mayRead(_ key: String, _ principal: String) async throws -> Bool { Place.principals.contains(principal) }
    func mayCreate(_ key: String, _ principal: String) async throws -> Bool { Place.principals.contains(principal) }

    func permit(
      _ changes: [Stock.Change], of record: Record<Stock>, in state: Stock, key: String, by author: SyncAuthor
    ) async throws -> SyncPermission {
      let isReserved = changes.contains { if case .claim(let slot) = $0 { slot % 10 == 9 } else { false } }
      return isReserved ? .denied("the slot is reserved") : .permitted
    }
  }
#endif
