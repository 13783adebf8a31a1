import Alter
import AlterSQLite
import Foundation
import Testing

/// The guide "Coming from TCA, ReSwift, SwiftRex, ArchitectureKit and RxFeedback".
enum MigratingGuide {
  // snippet: migrating-counter
  struct Counter: Journaled, Hashable {
    enum Change: Hashable, Codable { case increment, decrement }

    private(set) var count = 0

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .increment: count += 1
      case .decrement: count -= 1
      }
    }
  }
  // end

  @Suite("The guide Migrating")
  struct Tests {
    @Test("a JSON file becomes a journal")
    func importing() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("alter-guide-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let oldFile = folder.appendingPathComponent("state.json")
      try Data(#"{"count":41}"#.utf8).write(to: oldFile)
      let path = folder.appendingPathComponent("state.db").path
      // snippet: migrating-import
      let store = try await Store.open(importing: "state.json", in: SQLiteJournal(at: path)) {
        try JSONDecoder().decode(Counter.self, from: Data(contentsOf: oldFile))
      }
      try store.change(.increment)
      // end
      #expect(store.state.count == 42)
      await store.close()
    }

    @Test("an action")
    @MainActor func action() async {
      // snippet: migrating-action
      let store = Store(Counter())
      let plus = UserAction(store, .increment)
      plus()
      // end
      #expect(store.state.count == 1)
      await store.close()
    }
  }
}
