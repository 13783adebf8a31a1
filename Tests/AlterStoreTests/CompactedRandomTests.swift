import Alter
import AlterCore
import AlterTesting
import Foundation
import ProcessTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Random stores on a journal that is compacted at any moment", .timeLimit(.minutes(20)))
struct CompactedRandomTests {
  /// A journal that keeps every entry that it ever had, for the definition.
  private final class RememberingJournal: ForwardingJournal {
    let base: any Journal
    private let log = Lock<[Record<Board>]>([])

    init(_ base: any Journal) { self.base = base }

    /// All entries since revision 1, in order.
    var records: [Record<Board>] { log.withLock { $0 } }

    func append(
      _ drafts: [Entry.Draft], after head: Head, in turn: Turn?, under leases: [Lease]
    ) async throws(JournalError) -> Appended {
      let appended = try await base.append(drafts, after: head, in: turn, under: leases)
      var end = head
      var new: [Record<Board>] = []
      for draft in drafts {
        let entry = Entry(draft, after: end)
        end = end.advanced(by: entry)
        if let record = try RecordCoding<Board>.json.record(entry, name) { new.append(record) }
      }
      log.withLock { log in
        // The log is in the order of the journal, whatever the order of the answers.
        for record in new where appended.first == head.revision.next && !log.contains(where: { $0.revision == record.revision }) {
          log.append(record)
        }
        log.sort { $0.revision < $1.revision }
      }
      return appended
    }
  }

  /// The state after a revision, by definition.
  private func defined(_ records: [Record<Board>], at revision: Revision) -> Board {
    definedState(of: Array(records.prefix(Int(revision.number)))).state
  }

  private final class Seen: Sendable { let steps = Lock<[(revision: Revision?, state: Board)]>([]) }

  @Test(
    "agree with the definition: each change is there once or not at all, observers see what was, and every opening works",
    arguments: Effort.seeds(short: 12, full: 40))
  func random(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let memory = MemoryJournal()
    let base = RememberingJournal(memory)
    let isCompacting = Lock(false)
    @Sendable func compact(_ seed: UInt64) async {
      // Not inside of another one, which would only repeat it.
      let mayBegin = isCompacting.withLock { isCompacting in
        defer { isCompacting = true }
        return !isCompacting
      }
      guard mayBegin else { return }
      defer { isCompacting.withLock { $0 = false } }
      var generator = SeededGenerator(seed: seed)
      do {
        if Bool.random(using: &generator) {
          try await Store<Board>.compact(base, keeping: .last(Int.random(in: 0..<60, using: &generator)))
        } else {
          try await base.compact(before: memory.head().revision + -Int.random(in: 0..<30, using: &generator))
        }
      } catch {
        if error.code != .conflict { Issue.record("seed \(seed): \(error)") }
      }
    }
    // A store can't be opened without its journal.
    let isOpening = Lock(true)
    func journal() -> any Journal {
      let moving = ScriptedJournal(base)
      let number = Int.random(in: 1..<60, using: &generator)
      let seed = generator.next()
      moving.onNext(.readings, number: number) { _ in await compact(seed) }
      let chances = Lock(SeededGenerator(seed: generator.next()))
      let away = JournalError(.unavailable, journal: "memory", message: "is away.")
      return SimulatedJournal(
        moving,
        onAppend: { _ in
          if isOpening.withLock({ $0 }) { return .pass }
          return chances.withLock { generator in
            switch Int.random(in: 0..<12, using: &generator) {
            case 0, 1: .loseAnswer
            case 2: .fail(away)
            default: .pass
            }
          }
        })
    }
    func options() -> StoreOptions {
      var options = StoreOptions.sharedJournal
      options.followsOthers = Bool.random(using: &generator)
      options.scope = [.journal, "a", "b"].randomElement(using: &generator)!
      options.undoWindow = [0, 2, 7, 30, 1_000].randomElement(using: &generator)!
      options.snapshotSpacing = [3, 10, 40, .max].randomElement(using: &generator)!
      options.undoWindowLoading = [.atOpening, .whenNeeded].randomElement(using: &generator)!
      options.outageTimeout = .seconds(36_000)
      options.environment.sleep = { duration in
        // The timer of an outage ends with it; the pauses between attempts do not matter.
        if duration >= .seconds(36_000) { try await Task.sleep(for: duration) } else { await Task.yield() }
      }
      return options
    }
    func open() async throws -> (store: Store<Board>, seen: Seen, token: ObservationToken?) {
      isOpening.withLock { $0 = true }
      let store = try await Store.open(Board(), in: journal(), options: options())
      isOpening.withLock { $0 = false }
      let seen = Seen()
      guard Bool.random(using: &generator) else { return (store, seen, nil) }
      return (store, seen, store.observe { record, state in seen.steps.withLock { $0.append((record?.revision, state)) } })
    }
    var stores: [(store: Store<Board>, seen: Seen, token: ObservationToken?)] = []
    var commits: [Commit<Board>] = []
    func end(_ index: Int) async throws {
      let (store, seen, token) = stores[index]
      #expect(store.isOpen, "seed \(seed): \(store.status)")
      #expect(await store.close().isEmpty, "seed \(seed)")
      token?.cancel()
      for await problem in store.problems {
        if case .lost = problem { continue }
        Issue.record("seed \(seed): \(problem)")
      }
      let records = base.records
      var last: Revision?
      for (revision, state) in seen.steps.withLock({ $0 }) {
        if let revision {
          #expect(revision == last?.next ?? revision, "seed \(seed)")
          #expect(state == defined(records, at: revision), "seed \(seed), observed at \(revision)")
        }
        last = revision
      }
    }
    for _ in 0..<3 { stores.append(try await open()) }
    for step in 0..<100 {
      let index = Int.random(in: 0..<stores.count, using: &generator)
      let store = stores[index].store
      switch Int.random(in: 0..<20, using: &generator) {
      case 0..<3: _ = try? await store.undo()
      case 3..<5: _ = try? await store.redo()
      case 5: try? store.takeBackAtOnce(redo: false)
      case 6..<8: await compact(generator.next())
      case 8 where step % 2 == 0:
        try await end(index)
        stores[index] = try await open()
      case 9: if let commit = try? store.reset(to: Board().alter(.put("a", 1))) { commits.append(commit) }
      case 10..<15: if let commit = try? store.change(.random(using: &generator), .random(using: &generator)) { commits.append(commit) }
      default:
        guard let commit = try? store.change(.random(using: &generator)) else { continue }
        commits.append(commit)
        _ = await commit.result()
      }
      if step % 10 == 0 { try await Store<Board>.verify(memory) }
    }
    for index in stores.indices { try await end(index) }
    // At least one, after all others.
    isCompacting.withLock { $0 = false }
    try await Store<Board>.compact(base, keeping: .last(1))
    let records = base.records
    let head = try await memory.head().revision
    #expect(records.map(\.revision.number) == Array(1...head.number), "seed \(seed)")
    #expect(Set(records.map(\.id)).count == records.count, "seed \(seed): an entry is there twice")
    for commit in commits {
      switch await commit.result() {
      case .success(let revision): #expect(records[Int(revision.number) - 1].id == commit.id, "seed \(seed)")
      case .failure: #expect(!records.contains { $0.id == commit.id }, "seed \(seed): \(commit.id) was dropped, and is there")
      }
    }
    try await Store<Board>.verify(memory)
    for window in [0, 3, 1_000] {
      var options = StoreOptions.notFollowing
      options.undoWindow = window
      let store = try await Store.open(Board(), in: memory, options: options)
      #expect(store.state == defined(records, at: head), "seed \(seed)")
      await store.close()
    }
    let floor = try await memory.floor()?.revision ?? 1
    for revision in [floor, head] {
      #expect(try await Store<Board>.state(at: revision, in: memory) == defined(records, at: revision), "seed \(seed), at \(revision)")
    }
  }
}
