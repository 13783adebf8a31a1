#if SyncServer
  import Alter
  import AlterCore
  import AlterSQLite
  import AlterStore
  import AlterSync
  import AlterSyncServer
  import Foundation
  import Hummingbird
  import ServiceLifecycle
  import TillModel

  /// A server process of the tests: the service of tills, and the feedbacks that it runs.
  final class TillServer: Sendable {
    struct Everyone: SyncPolicy {
      typealias State = Till
      /// Whether devices may make a change.
      let permits: @Sendable (Till.Change) -> Bool
      func mayRead(_ key: String, _ principal: String) async throws -> Bool { true }
      func mayCreate(_ key: String, _ principal: String) async throws -> Bool { true }
      func permit(
        _ changes: [Till.Change], of record: Record<Till>, in state: Till, key: String, by author: SyncAuthor
      ) async throws -> SyncPermission { changes.allSatisfy(permits) ? .permitted : .denied("the till is locked") }
    }

    let stores: Stores<Till>
    let service: SyncService<Till>
    let url: URL
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    init(
      _ folder: String, port: Int = 0, options: StoreOptions = StoreOptions(),
      permits: @escaping @Sendable (Till.Change) -> Bool = { _ in true }
    ) async throws {
      let stores = Stores(in: .folder(folder), options: options) { _ in Till() }
      let service = SyncService(
        stores, secret: SyncSecret("0123456789abcdef"), authenticator: ListServer.tokens, policy: Everyone(permits: permits),
        logger: ListServer.silent)
      let router = Router()
      service.addRoutes(to: router.group("sync"))
      let (ports, ready) = AsyncStream.makeStream(of: Int.self)
      var application = Application(
        router: router, server: service.server,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
        onServerRunning: { ready.yield($0.localAddress?.port ?? 0) }, logger: ListServer.silent)
      application.addServices(service)
      let group = ServiceGroup(services: [application], logger: ListServer.silent)
      let running = Task { try await group.run() }
      guard let port = await ports.first(where: { _ in true }), let url = URL(string: "http://127.0.0.1:\(port)/sync") else {
        throw CancellationError()
      }
      (self.stores, self.service, self.group, self.running, self.url) = (stores, service, group, running, url)
    }

    func stop() async {
      await group.triggerGracefulShutdown()
      _ = await running.result
      await service.close()
      _ = await stores.close()
    }
  }

  /// A device with a till.
  struct TillDevice {
    let journal: SyncedJournal
    let store: Store<Till>

    init(_ path: String, on url: URL, as principal: String = "ann", now: (@Sendable () -> Int64)? = nil) async throws {
      let server = SyncServer(url, principal: principal) { "\(principal)'s token" }
      var options = SyncDriver.Options()
      (options.times.longest, options.times.poll) = (0.5, 0.5)
      journal = try await SyncedJournal(at: path, key: "till", on: server, options: options)
      var storeOptions = StoreOptions()
      storeOptions.scope = UndoScope(rawValue: principal)
      if let now { storeOptions.environment.now = now }
      store = try await Store.open(Till(), in: journal, options: storeOptions)
    }

    func shows(_ isShown: @escaping @Sendable (Till) -> Bool) async {
      for await state in store.values(of: { $0 }) where isShown(state) { return }
    }
  }
#endif
