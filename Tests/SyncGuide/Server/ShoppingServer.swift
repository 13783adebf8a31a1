import Alter
import AlterSQLite
import AlterSyncServer
import Foundation
import SyncGuideModel

#if SyncServer
  import Hummingbird

  @main struct ShoppingServer {
    static func main() async throws {
      let environment = ProcessInfo.processInfo.environment
      let stores = Stores(in: .folder(environment["LISTS"] ?? "lists")) { _ in ShoppingList() }
      let service = SyncService(
        stores,
        secret: SyncSecret(environment["SYNC_SECRET"] ?? "for development only"),
        authenticator: StaticTokens(["ann-1": "ann", "bob-1": "bob"]),
        policy: Household())
      let router = Router()
      service.addRoutes(to: router.group("sync"))
      var application = Application(
        router: router,
        server: service.server,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: Int(environment["PORT"] ?? "") ?? 8080)))
      application.addServices(service)
      try await application.runService()  // until SIGTERM
      _ = await stores.close()
    }
  }

  /// Ann and Bob share the lists. Lottery tickets are refused, also by an undo or a redo, and each undoes the own changes alone.
  struct Household: SyncPolicy {
    func mayRead(_ key: String, _ principal: String) async throws -> Bool { ["ann", "bob"].contains(principal) }

    func mayCreate(_ key: String, _ principal: String) async throws -> Bool { key.hasPrefix("lists/") }

    func permit(
      _ changes: [ShoppingList.Change], of record: Record<ShoppingList>, in list: ShoppingList, key: String, by author: SyncAuthor
    ) async throws -> SyncPermission {
      changes.contains(.add("a lottery ticket")) ? .denied("No gambling with the household's money.") : .permitted
    }
  }
#else
  @main struct ShoppingServer {
    static func main() { print("built without the trait SyncServer") }
  }
#endif
