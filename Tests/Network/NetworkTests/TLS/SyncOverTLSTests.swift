import Alter
import AlterSQLite
import AlterSyncServer
import Foundation
import Hummingbird
import ProcessTesting
import SyncGuideModel
import Testing

@Suite(
  "Sync over TLS", .enabled(if: TrustedAuthority.isPossible),
  .enabled(if: TestCertificates.isExpected, "SKIPPED: openssl is not installed, so there are no certificates"), .timeLimit(.minutes(30)))
struct SyncOverTLSTests {
  private struct Everyone: SyncPolicy {
    typealias State = ShoppingList
    func mayRead(_ key: String, _ principal: String) async throws -> Bool { principal == "ann" }
    func mayCreate(_ key: String, _ principal: String) async throws -> Bool { true }
  }

  @Test("A device syncs with a server whose certificate it trusts, by its token; with any other server it is offline, and sends nothing")
  func device() async throws {
    let folder = try Folder()
    defer { withExtendedLifetime(folder) {} }
    try FileManager.default.createDirectory(atPath: folder.path + "/lists", withIntermediateDirectories: true)
    let certificates = try TestCertificates()
    let authority = try TrustedAuthority(certificates)
    let token = "ann's token"
    let stores = Stores(in: .folder(folder.path + "/lists")) { _ in ShoppingList() }
    let service = SyncService(
      stores, secret: SyncSecret("0123456789abcdef"), authenticator: StaticTokens([token: "ann"]), policy: Everyone())
    let router = Router()
    service.addRoutes(to: router.group("sync"))
    try await TLSServer.run(router, certificates: certificates) { server in
      func app(_ file: String, _ items: String..., trusting authority: TrustedAuthority?) async throws -> String {
        let words = ["\(folder.path)/\(file)", "\(server.url)/sync", "ann", token] + items
        return try await Child([Product.path("sync-guide-app")] + words, environment: authority?.environment ?? [:]).end()
      }
      let distrusting = try await app("one.db", "bread", trusting: nil)
      #expect(distrusting.hasSuffix("open: [\"bread\"], not confirmed: 1, refused: []"), "\(distrusting)")
      // In words that an app can show.
      #expect(distrusting.lowercased().contains("certificate"), "\(distrusting)")
      // On a busy machine an exchange may take longer than its limits, and the app ends offline. The time limit of the suite ends the attempts.
      var trusting = try await app("two.db", "milk", trusting: authority)
      while trusting.contains("not confirmed: 1") { trusting = try await app("two.db", trusting: authority) }
      #expect(trusting.hasSuffix("open: [\"milk\"], not confirmed: 0, refused: []"), "\(trusting)")
      // The first device, when it trusts the server.
      var back = try await app("one.db", trusting: authority)
      while back.contains("not confirmed: 1") { back = try await app("one.db", trusting: authority) }
      #expect(back.hasSuffix("open: [\"milk\", \"bread\"], not confirmed: 0, refused: []"), "\(back)")
    }
    await service.close()
    _ = await stores.close()
  }
}
