import Alter
import AlterCore
import AlterTesting
import Foundation
import ProcessTesting
import Testing

@testable import AlterStore

@Suite("Random stores on a journal with faults", .timeLimit(.minutes(20)))
struct RandomFaultsTests {
  /// The journal, and the handles of its stores, which lose answers, are away, and hold appends that others overtake.
  private final class World: Sendable {
    let memory = MemoryJournal()
    private let handles = Lock<[SimulatedJournal]>([])

    /// Opens a handle with random faults.
    func handle(using generator: inout SeededGenerator) -> SimulatedJournal {
      let away = JournalError(.unavailable, journal: "memory", message: "is away.")
      let rate = [0, 5, 25].randomElement(using: &generator)!
      let faults = Lock(SeededGenerator(seed: .random(in: 0 ... .max, using: &generator)))
      @Sendable func roll() -> Int { faults.withLock { Int.random(in: 0..<100, using: &$0) } }
      let handle = SimulatedJournal(
        memory,
        onAppend: { _ in
          switch roll() {
          case ..<rate: .loseAnswer
          case ..<(2 * rate): .fail(away)
          case ..<(3 * rate): .hold
          default: .pass
          }
        }, onRead: { _ in roll() < rate / 3 ? .fail(away) : .pass })
      handles.withLock { $0.append(handle) }
      return handle
    }

    /// Lets held appends go on, again and again.
    func release() async {
      while !Task.isCancelled {
        for handle in handles.withLock({ $0 }) where handle.heldCount > 0 { handle.release() }
        for _ in 0..<40 { await Task.yield() }
      }
    }

    /// The entries above the floor.
    func records() async throws -> [Record<Board>] {
      let (floor, head) = (try await memory.floor()?.revision ?? .zero, try await memory.head().revision)
      return head > floor ? try await Store<Board>.entries(in: floor.next...head, of: memory) : []
    }
  }

  private func options(using generator: inout SeededGenerator) -> StoreOptions {
    var options = StoreOptions.sharedJournal
    options.followsOthers = Bool.random(using: &generator)
    options.scope = [nil, "a", .perProcess].randomElement(using: &generator)!
    options.undoWindow = [0, 2, 7, 30, 1_000].randomElement(using: &generator)!
    options.snapshotSpacing = [3, 10, 40, 5_000].randomElement(using: &generator)!
    options.undoWindowLoading = [.atOpening, .whenNeeded].randomElement(using: &generator)!
    options.environment.sleep = { _ in
      for _ in 0..<5 { await Task.yield() }
      try Task.checkCancellation()
    }
    return options
  }

  /// Opens a store, after some attempts if the journal is away.
  private func open(
    _ world: World, resuming leftOver: [Unwritten<Board>] = [], using generator: inout SeededGenerator
  ) async throws -> Store<Board> {
    while true {
      let (journal, options) = (world.handle(using: &generator), options(using: &generator))
      do throws(JournalError) {
        return try await Store.open(Board(), in: journal, resuming: leftOver, options: options)
      } catch {
        guard error.isTransient else { throw error }
      }
    }
  }

  /// Closes a store: in time, at a deadline, or in a task that is cancelled.
  ///
  /// - Parameter twins: Receives the changes that two stores have: one that continues to close in the background, and the one that resumes.
  private func close(
    _ store: Store<Board>, seed: UInt64, using generator: inout SeededGenerator, twins: inout Set<EntryID>
  ) async -> [Unwritten<Board>] {
    #expect(store.isOpen, "seed \(seed): \(store.status)")
    let isCancelled = Bool.random(using: &generator)
    let closing = Task { [isShort = Bool.random(using: &generator)] in await store.close(deadline: isShort ? .zero : nil) }
    if isCancelled { closing.cancel() }
    let leftOver = await closing.value
    if isCancelled { twins.formUnion(leftOver.map(\.record.id)) }
    for await problem in store.problems {
      switch problem {
      // A snapshot may be out of reach, too.
      case .lost, .snapshotIgnored: continue
      default: Issue.record("seed \(seed): \(problem)")
      }
    }
    return leftOver
  }

  @Test(
    "random: lost answers, outages, appends that end late, deadlines, cancellations, compactions, scopes: each change is there once, or not at all",
    arguments: Effort.seeds(short: 8, full: 60))
  func random(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let world = World()
    let releasing = Task { await world.release() }
    defer { releasing.cancel() }
    // Each change has a number.
    var commits: [Commit<Board>] = []
    var twins: Set<EntryID> = []
    var known: [Revision: Record<Board>] = [:]
    func numbered(_ changes: [Board.Change]) -> [Board.Change] { changes + [.note("#\(commits.count)")] }
    var stores: [Store<Board>] = []
    for _ in 0..<3 { stores.append(try await open(world, using: &generator)) }
    for _ in 0..<120 {
      let index = Int.random(in: 0..<stores.count, using: &generator)
      let store = stores[index]
      let scope: UndoScope? = [nil, nil, nil, "a", .never, .perProcess].randomElement(using: &generator)!
      switch Int.random(in: 0..<20, using: &generator) {
      case 0, 1: _ = try? await store.undo()
      case 2, 3: _ = try? await store.redo()
      case 4: Task { _ = try? await store.undo() }
      case 5: Task { _ = try? await store.redo() }
      case 6, 7:
        let leftOver = await close(store, seed: seed, using: &generator, twins: &twins)
        stores[index] = try await open(world, resuming: leftOver, using: &generator)
      case 8: _ = try? store.reset(to: Board().alter(.put("a", 1)))
      case 9:
        // Large enough for a snapshot at the close.
        let large = Array(repeating: Board.Change.note(String(repeating: "x", count: 1_500)), count: 12)
        if let commit = try? store.change(numbered(large), scope: scope) { commits.append(commit) }
      case 10:
        for record in try await world.records() { known[record.revision] = record }
        _ = try? await store.compact(keeping: .last(Int.random(in: 30..<90, using: &generator)))
      case 11..<14:
        guard let first = try? store.change(numbered([.random(using: &generator)]), scope: scope) else { continue }
        commits.append(first)
        guard let second = try? store.change(numbered([.random(using: &generator)]), requires: first) else { continue }
        commits.append(second)
      default:
        guard let commit = try? store.change(numbered([.random(using: &generator)]), scope: scope) else { continue }
        commits.append(commit)
        if Bool.random(using: &generator) { _ = try? await commit.durable() }
      }
    }
    for store in stores {
      var leftOver = await close(store, seed: seed, using: &generator, twins: &twins)
      while !leftOver.isEmpty {
        let last = try await open(world, resuming: leftOver, using: &generator)
        leftOver = await last.close()
      }
    }
    // The stores that were cancelled end in the background.
    for store in stores { while !store.core.withLock({ $0.status == .closed }) { await Task.yield() } }
    for record in try await world.records() { known[record.revision] = record }
    try await check(known, commits, twins, in: world.memory, seed: seed)
  }

  private func check(
    _ known: [Revision: Record<Board>], _ commits: [Commit<Board>], _ twins: Set<EntryID>, in journal: MemoryJournal, seed: UInt64
  ) async throws {
    let records = known.values.sorted { $0.revision < $1.revision }
    #expect(records.count == (try await journal.head().revision.number), "seed \(seed)")
    let expected = definedState(of: records)
    #expect(expected.suppressed.isEmpty, "seed \(seed)")
    var places: [String: [Revision]] = [:]
    for record in records {
      guard case .changes(let changes) = record.kind, case .note(let text)? = changes.last else { continue }
      places[text, default: []].append(record.revision)
    }
    for (number, commit) in commits.enumerated() {
      let there = places["#\(number)"] ?? []
      #expect(there.count <= 1, "seed \(seed): change \(number) is at \(there)")
      switch await commit.result() {
      case .success(let revision): #expect(there == [revision], "seed \(seed): change \(number)")
      case .failure(.dropped), .failure(.requirementDropped):
        // The other store may have replayed it on an earlier state, which accepted it.
        if !twins.contains(commit.id) { #expect(there == [], "seed \(seed): change \(number)") }
      case .failure: continue
      }
    }
    for window in [0, 3, 1_000] {
      var options = StoreOptions.notFollowing
      options.undoWindow = window
      let store = try await Store.open(Board(), in: journal, options: options)
      #expect(store.state == expected.state, "seed \(seed)")
      await store.close()
    }
    try await Store<Board>.verify(journal)
  }
}
