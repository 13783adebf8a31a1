#if SQLite
  import AlterSQLite
  @testable import AlterSync
  import AlterSyncCore
  import Foundation
  import ProcessTesting
  import Testing

  extension DeviceStorage {
    /// Exchanges until the outbox is empty and the mirror has everything.
    func sync(with server: inout DeskServer) async throws {
      for _ in 0..<200 {
        var request = try await request(for: .push, limits: SyncLimits())
        var answer = server.answer(request)
        if case .gone = answer {
          request = try await self.request(for: .fetch, limits: SyncLimits())
          answer = server.answer(request)
        }
        _ = try await absorb(answer, to: request)
        let contents = try await contents()
        if contents.outbox.isEmpty, try await journal.head() == server.database.head { return }
      }
      Issue.record("the outbox does not drain")
    }
  }

  /// Runs a test with the path of a device's file in a folder of its own.
  func withDeviceFile(_ body: (String) async throws -> Void) async throws {
    try await Folder.use { try await body($0.path("device.db")) }
  }
#endif
