import Alter
import AlterPostgres
import AlterSQLite
import AlterSyncServer
import ArgumentParser
import Foundation
import Hummingbird
import Logging
import TodoCore
import TodoServerCore

/// `todo-server run`
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Serve the lists until SIGTERM or Ctrl-C.",
    discussion: "There is no encryption: beyond this machine, put a proxy with TLS before it (docs/sync-server.md).")

  @OptionGroup var data: DataFolder
  @Option(help: "The address or name to listen on.") var host = "127.0.0.1"
  @Option(help: "The port; 0 for any free one.") var port = 8080
  @Option(help: "The most items of a list.") var items = 10_000
  @OptionGroup var place: ListPlace

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port needs a number from 0 to 65535") }
    guard items > 0 else { throw ValidationError("--items needs a number from 1") }
  }

  mutating func run() async throws {
    let folder = try data.path()
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var logger = Logger(label: "todo-server")
    logger.logLevel = .notice
    let accounts = try await data.accounts()
    let stores = Stores(in: try place.places(folder)) { _ in AppState() }
    var options = SyncOptions()
    options.recheck = .seconds(5)
    let tokens = Tokens(accounts: accounts)
    let service = SyncService(
      stores, secret: SyncSecret(try Secret.kept(at: folder + "/secret")), authenticator: tokens,
      policy: ListPolicy(accounts: accounts, rules: ListRules(items: items)), options: options, logger: logger)
    let router = Router()
    try Status.begin(folder)
    service.addRoutes(to: router.group("sync"))
    let host = host
    var application = Application(
      router: router, server: service.server,
      configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: nil),
      onServerRunning: { channel in
        // The line is complete in the pipe at once: the reader may wait for it.
        FileHandle.standardOutput.write(Data("listening on http://\(host):\(channel.localAddress?.port ?? 0)/sync\n".utf8))
      }, logger: logger)
    application.addServices(service)
    try await application.runService()
    _ = await stores.close()
    _ = await accounts.close()
  }

}

/// The place of the lists.
struct ListPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep the lists in a PostgreSQL database instead of SQLite files; the users stay in the folder. Use TODO_SERVER_DATABASE for an address with a password.",
      valueName: "address"))
  var database: String?

  private var address: String? {
    (database ?? ProcessInfo.processInfo.environment["TODO_SERVER_DATABASE"]).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the lists are files in the server's folder.
  var isFolder: Bool { address == nil }

  func places(_ folder: String) throws -> JournalPlaces {
    guard let address else { return .folder(folder + "/lists") }
    #if Postgres
      return .postgres(PostgresServer(address))
    #else
      throw ValidationError("this server was built without the package's trait 'Postgres'")
    #endif
  }
}

/// Recognises tokens by their hashes.
struct Tokens: SyncAuthenticator {
  let accounts: Store<Accounts>

  func authenticate(_ token: String) async throws -> SyncIdentity? {
    accounts.state.user(withTokenHash: SHA256.hex(token)).map { SyncIdentity(principal: $0) }
  }
}

/// Applies the accounts and the rules.
struct ListPolicy: SyncPolicy {
  let accounts: Store<Accounts>
  let rules: ListRules

  func mayRead(_ key: String, _ principal: String) async throws -> Bool { accounts.state.access(of: principal, to: key) != nil }

  func mayWrite(_ key: String, _ principal: String) async throws -> Bool { accounts.state.access(of: principal, to: key) == .write }

  func mayCreate(_ key: String, _ principal: String) async throws -> Bool {
    SyncSettings.isList(key) && Accounts.owner(of: key) == principal
  }

  func permit(
    _ changes: [AppState.Change], of record: Record<AppState>, in state: AppState, key: String, by author: SyncAuthor
  ) async throws -> SyncPermission {
    rules.objection(to: changes, in: state, of: key, by: author.principal).map { .denied($0) } ?? .permitted
  }
}
