import Alter
import AlterSyncCore
import Foundation
import StoreTesting
import SyncModel
import Testing

@testable import AlterStore

@Suite("Feedbacks of a synced journal")
struct SyncedRunTests {
  private func open() async throws -> Store<Board> {
    try await Store.open(SyncedBoard.initial(Data([1])), in: MemorySyncedJournal(MemorySync(), device: 0))
  }

  /// Keeps a counter equal to the number of notes.
  private static let count = Feedback<Board, Void>(
    "count", of: { $0.notes.count - ($0.values["c"] ?? 0) }, when: { $0.values["c"] != nil && $0.values["c"] != $0.notes.count }
  ) { difference, _ in
    .add("c", difference)
  }

  @Test("are refused if they are durable: no process spins for a lease that no journal grants")
  func durable() async throws {
    let store = try await open()
    #expect(throws: FeedbackError.decidedByServer(["count"])) { try store.run([Self.count]) }
    #expect(store.effects.isEmpty && store.runs.isEmpty)
    await store.close()
  }

  @Test("run as local ones on each device, before the server has decided anything")
  func local() async throws {
    let store = try await open()
    let run = try store.run([Self.count.local])
    try store.change(.put("c", 0))
    for await count in store.values(of: \.values["c"]) where count == 1 { break }
    try store.change(.note("5"))
    for await count in store.values(of: \.values["c"]) where count == 2 { break }
    await run.stop()
    await store.close()
  }
}
