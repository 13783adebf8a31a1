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

  /// A journal in which another store keeps a snapshot of its own just before the first one is read.
  private final class ReplacingJournal: ForwardingJournal {
    let base: any Journal
    private let other: Lock<Snapshot?>

    init(_ base: any Journal, by other: Snapshot) { (self.base, self.other) = (base, Lock(other)) }

    var hasReplaced: Bool { other.withLock { $0 == nil } }

    func snapshot(at revision: Revision) async throws(JournalError) -> Snapshot? {
      if let other = other.withLock({ $0.take() }) { try await base.keep(other) }
      return try await base.snapshot(at: revision)
    }
  }

  /// Snapshots of one revision, of stores with different undo windows.
  private func twoSnapshots() async throws -> [Snapshot] {
    let store = try await Store.open(Board(), in: journal, options: deaf)
    for number in 0..<2_200 { try store.change(.note("\(number)")) }
    await store.flush()
    let head = try await journal.head()
    var snapshots: [Snapshot] = []
    for revision in [10, head.revision + -5] as [Revision] {
      snapshots.append(
        Snapshot(
          head: head, base: try #require(try await journal.head(at: revision, of: head.journal)), schema: 1,
          form: RecordCoding<Board>.json.form, written: 1_000_000, payload: try JournalCoding.encode(try await store.state(at: revision))))
    }
    await store.close()
    for place in try await journal.snapshots(upTo: head.revision, limit: 1_000) { try await journal.removeSnapshot(at: place.revision) }
    return snapshots
  }

  @Test("kept between the listing and the reading of another one: verify and an opening take it as what it is", arguments: [0, 1])
  func replaced(first: Int) async throws {
    let both = try await twoSnapshots()
    let (listed, other) = (both[first], both[1 - first])
    try await journal.keep(listed)
    var replacing = ReplacingJournal(journal, by: other)
    try await Store<Board>.verify(replacing)
    #expect(replacing.hasReplaced)

    try await journal.keep(listed)
    replacing = ReplacingJournal(journal, by: other)
    var options = deaf
    options.undoWindow = 4
    let store = try await Store.open(Board(), in: replacing, options: options)
    #expect(replacing.hasReplaced)
    #expect(store.state.notes.count == 2_200)
    #expect(try await journal.snapshot(at: other.head.revision) == other, "the other store's snapshot was removed")
    await store.close()
    for await problem in store.problems { Issue.record("\(problem)") }
  }

  @Test("with a damaged row, which is never listed as it is read, is reported once and removed")
  func damagedRow() async throws {
    let snapshot = try await twoSnapshots()[1]
    try await journal.keep(snapshot)
    let store = try await Store.open(Board(), in: MislistingJournal(base: journal), options: deaf)
    await store.close()
    var problems: [StoreProblem] = []
    for await problem in store.problems { problems.append(problem) }
    guard case .snapshotIgnored(let revision, let reason) = problems.first, problems.count == 1 else {
      Issue.record("\(problems)")
      return
    }
    #expect(revision == snapshot.head.revision && reason == "Its checksum does not match its content.")
    #expect(try await journal.snapshot(at: snapshot.head.revision) == nil)
  }

  /// A journal that lists the last snapshot with another size than it has.
  private struct MislistingJournal: ForwardingJournal {
    let base: any Journal

    func snapshots(upTo revision: Revision, limit: Int) async throws(JournalError) -> [Snapshot.Place] {
      try await base.snapshots(upTo: revision, limit: limit).map {
        Snapshot.Place(revision: $0.revision, base: $0.base, schema: $0.schema, form: $0.form, written: $0.written, size: $0.size + 1)
      }
    }
  }
}
