import Alter
import AlterCore
import AlterTesting
import Foundation
import Testing

@testable import AlterStore

@Suite("Snapshots of another store", .timeLimit(.minutes(20)))
struct ForeignSnapshotTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal
  private let deaf = StoreOptions.notFollowing

  @Test("compare: a state that is not comparable and holds a set is reported as non-deterministic")
  func sets() async throws {
    var options = deaf
    options.undoWindow = 4
    options.snapshotSpacing = 10
    var stores: [Store<Bag>] = []
    for _ in 0..<2 { stores.append(try await Store.open(Bag(), in: journal, options: options)) }
    for number in 0..<400 {
      try await stores[number % 2].change(.put("\(number)")).durable()
      if number % 3 == 0 { try await stores[(number + 1) % 2].change(.take("\(number / 2)")).durable() }
      if number % 40 == 0 {
        await stores[0].close()
        stores[0] = try await Store.open(Bag(), in: journal, options: options)
      }
    }
    var problems: [StoreProblem] = []
    for store in stores {
      await store.close()
      for await problem in store.problems { problems.append(problem) }
    }
    #expect(problems.isEmpty, "\(problems.count): \(problems.first.map { "\($0)" } ?? "")")
  }

  @Test("verify: a state that is not comparable and holds a set is sound")
  func setsVerified() async throws {
    var options = deaf
    options.undoWindow = 4
    options.snapshotSpacing = 10
    for _ in 0..<5 {
      let store = try await Store.open(Bag(), in: journal, options: options)
      for number in 0..<40 { try await store.change(.put("\(number)"), .take("\(number / 2)")).durable() }
      await store.close()
    }
    await #expect(throws: Never.self) { try await Store<Bag>.verify(journal) }
  }
}
