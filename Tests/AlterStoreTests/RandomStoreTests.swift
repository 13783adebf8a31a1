import Alter
import AlterCore
import AlterTesting
import Foundation
import ProcessTesting
import Testing

@testable import AlterStore

@Suite("Random stores on one journal", .timeLimit(.minutes(20)))
struct RandomStoreTests {
  private let journal = MemoryJournal()
  private let shared = StoreOptions.sharedJournal
  private let deaf = StoreOptions.notFollowing

  private func defined(_ journal: MemoryJournal) async throws -> (state: Board, suppressed: Set<Revision>) {
    var records: [Record<Board>] = []
    try await Store<Board>.entries(in: journal) { records.append($0) }
    return definedState(of: records)
  }

  @Test(
    "random: several stores with scopes, windows, snapshots, answers, observers: every opening works and is right",
    arguments: Effort.seeds(short: 8, full: 24))
  func random(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let journal = MemoryJournal()
    func options() -> StoreOptions {
      var options = StoreOptions()
      options.keepsJournalOpen = true
      options.followsOthers = Bool.random(using: &generator)
      options.scope = [.journal, "a", "b"].randomElement(using: &generator)!
      options.undoWindow = [0, 2, 7, 30, 1_000].randomElement(using: &generator)!
      options.snapshotSpacing = [3, 10, 40, .max].randomElement(using: &generator)!
      options.undoWindowLoading = [.atOpening, .whenNeeded].randomElement(using: &generator)!
      return options
    }
    final class Seen: Sendable { let revisions = Lock<[Revision]>([]) }
    var stores: [(store: Store<Board>, seen: Seen?, token: ObservationToken?)] = []
    func open() async throws -> (Store<Board>, Seen?, ObservationToken?) {
      let store = try await Store.open(Board(), in: journal, options: options())
      guard Bool.random(using: &generator) else { return (store, nil, nil) }
      let seen = Seen()
      let token = store.observe { record, _ in if let record { seen.revisions.withLock { $0.append(record.revision) } } }
      return (store, seen, token)
    }
    func end(_ index: Int) async throws {
      let (store, seen, token) = stores[index]
      #expect(store.isOpen, "seed \(seed): \(store.status)")
      #expect(await store.close().isEmpty)
      token?.cancel()
      for await problem in store.problems {
        if case .lost = problem { continue }
        Issue.record("seed \(seed): \(problem)")
      }
      if let revisions = seen?.revisions.withLock({ $0 }), let first = revisions.first {
        #expect(revisions == (0..<revisions.count).map { first + $0 }, "seed \(seed)")
      }
    }
    for _ in 0..<3 { stores.append(try await open()) }
    for step in 0..<120 {
      let index = Int.random(in: 0..<stores.count, using: &generator)
      let store = stores[index].store
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<4: _ = try? await store.undo()
      case 4..<7: _ = try? await store.redo()
      case 7: Task { _ = try? await store.undo() }
      case 8:
        let last = try await Store<Board>.entries(
          in: max(1, Revision(journal.head().revision.number - 3))...journal.head().revision, of: journal)
        _ = try? store.change(.random(using: &generator), cause: Cause(answers: last.randomElement(using: &generator)!.id))
      case 9 where step % 2 == 0:
        try await end(index)
        stores[index] = try await open()
      case 10: _ = try? store.reset(to: Board().alter(.put("a", 1)))
      case 11..<15: _ = try? store.change(.random(using: &generator), .random(using: &generator))
      default: _ = try? await store.change(.random(using: &generator)).durable()
      }
      if step % 4 == 0 {
        var reading = options()
        reading.snapshotSpacing = .max
        reading.followsOthers = false
        let before = try await journal.head().revision
        let reader = try await Store.open(Board(), in: journal, options: reading)
        if try await journal.head().revision == before, reader.revision == before {
          let expected = try await defined(journal)
          if try await journal.head().revision == before { #expect(reader.state == expected.state, "seed \(seed), revision \(before)") }
        }
        await reader.close()
        for await problem in reader.problems { Issue.record("seed \(seed), opening: \(problem)") }
      }
    }
    for index in stores.indices { try await end(index) }
    let expected = try await defined(journal)
    #expect(expected.suppressed.isEmpty, "seed \(seed)")
    try await Store<Board>.verify(journal)
    for window in [0, 3, 1_000] {
      var options = deaf
      options.undoWindow = window
      let store = try await Store.open(Board(), in: journal, options: options)
      #expect(store.state == expected.state)
      await store.close()
    }
    let head = try await journal.head().revision
    for _ in 0..<6 {
      let revision = Revision(Int64.random(in: 1...head.number, using: &generator))
      var records: [Record<Board>] = []
      try await Store<Board>.entries(in: journal) { if $0.revision <= revision { records.append($0) } }
      #expect(try await Store<Board>.state(at: revision, in: journal) == definedState(of: records).state, "seed \(seed), at \(revision)")
    }
  }
}
