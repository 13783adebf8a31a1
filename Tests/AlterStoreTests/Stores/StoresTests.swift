import Alter
import AlterCore
import AlterTesting
import ProcessTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Stores by key", .timeLimit(.minutes(20)))
struct StoresTests {
  let disk = MemoryDisk()

  /// A budget whose accesses wait as long as it takes. A pause of no length counts in full.
  func patient(_ stores: Int, bytes: Int = .max) -> StoresBudget {
    var budget = StoresBudget(stores: stores, bytes: bytes)
    budget.timeout = .seconds(1_000_000_000)
    return budget
  }

  func makeStores(_ disk: MemoryDisk? = nil, budget: StoresBudget = StoresBudget(), _ options: StoreOptions = StoreOptions())
    -> Stores<Counter>
  {
    Stores(in: (disk ?? self.disk).places, budget: budget, options: options) { _ in Counter() }
  }

  /// A pause of no length, for the waits of stores that must not take time.
  var quick: StoreOptions {
    var options = StoreOptions()
    options.environment.sleep = { _ in await Task.yield() }
    return options
  }

  /// Waits until a condition is met, which other tasks bring about.
  func until(_ condition: @Sendable () -> Bool) async { while !condition() { await Task.yield() } }

  @Test("open a key once, however many callers ask, and hand out one instance")
  func once() async throws {
    let stores = makeStores()
    let opened = try await withThrowingTaskGroup(of: Store<Counter>.self) { group in
      for _ in 0..<50 { group.addTask { try await stores["a"] } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(opened.allSatisfy { $0 === opened[0] })
    #expect(disk.openings("a") == 1)
    #expect(try await stores["b"] !== opened[0])
    #expect(stores.report.open == 2 && stores.report.opened == 2)
    await stores.close()
  }

  @Test("say whether a key has a journal, and open one that is there, without making any")
  func contains() async throws {
    let stores = makeStores()
    #expect(try await !stores.contains("a"))
    #expect(try await stores.existing("a") == nil)
    try await stores["a"].change(.add(1)).durable()
    #expect(try await stores.contains("a"))
    #expect(try await stores.existing("a") === stores["a"])
    await stores.close()
    let again = makeStores()
    #expect(try await again.contains("a"))
    #expect(try await again.existing("a")?.state.count == 1)
    #expect(try await again.existing("b") == nil)
    #expect(again.openKeys == ["a"])
    await again.close()
    await #expect { try await again.contains("a") } throws: { ($0 as? JournalError)?.code == .closed }
    #expect(disk.openHandles == 0)
    let places = JournalPlaces(isMissing: { _ in true }) { key throws(JournalError) in
      throw JournalError(.failed, journal: key, message: "was opened.")
    }
    #expect(try await Stores<Counter>(in: places) { _ in Counter() }.existing("a") == nil)
  }

  @Test("keys of different bytes have stores of their own, also if Swift calls the texts equal")
  func equalTexts() async throws {
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    try #require(one == two)
    let opened = Lock<[[UInt8]]>([])
    let places = JournalPlaces { key in
      opened.withLock { $0.append(Array(key.utf8)) }
      return MemoryJournal()
    }
    let stores = Stores<Counter>(in: places) { _ in Counter() }
    let (first, second) = (try await stores[one], try await stores[two])
    #expect(first !== second)
    #expect(try await stores[one] === first)
    #expect(try await stores[two] === second)
    #expect(opened.withLock { $0 } == [Array(one.utf8), Array(two.utf8)])
    #expect(stores.openKeys.count == 2)
    await stores.close()
  }

  @Test("a cancelled caller ends at once, and the opening continues for the others")
  func cancelled() async throws {
    let simulated = Lock<SimulatedJournal?>(nil)
    let disk = MemoryDisk(wrapping: { key, journal in
      let held = SimulatedJournal(journal, reads: [.hold])
      simulated.withLock { $0 = held }
      return held
    })
    let stores = makeStores(disk)
    let first = Task { try await stores["a"] }
    await until { simulated.withLock { $0 } != nil }
    await simulated.withLock { $0 }!.waitUntilHeld()
    let second = Task { try await stores["a"] }
    first.cancel()
    let result = await first.result
    #expect { try result.get() } throws: { ($0 as? JournalError)?.code == .cancelled }
    simulated.withLock { $0 }!.release()
    let store = try await second.value
    #expect(try await stores["a"] === store)
    #expect(disk.openings("a") == 1)
    await stores.close()
  }

  @Test("a key that fails to open fails for its callers alone, and is tried again at the next access")
  func failing() async throws {
    let disk = MemoryDisk(refusing: { key, number in
      key == "bad" && number <= 2 ? JournalError(.unreachable, journal: key, message: "is not there.") : nil
    })
    let stores = makeStores(disk)
    for _ in 1...2 {
      await #expect(throws: JournalError(.unreachable, journal: "bad", message: "is not there.")) { try await stores["bad"] }
      _ = try await stores["good"]
    }
    try await stores["bad"].change(.add(1)).durable()
    #expect(stores.report.failed == 2 && stores.report.open == 2)
    await stores.close()
    #expect(disk.openHandles == 0)
  }

  @Test("a store that cannot be read closes its journal, so that the next access can open it")
  func unreadable() async throws {
    let disk = MemoryDisk(wrapping: { key, journal in
      SimulatedJournal(journal, reads: [.fail(JournalError(.damaged, journal: key, message: "is damaged."))])
    })
    let stores = makeStores(disk)
    await #expect(throws: JournalError.self) { try await stores["a"] }
    #expect(disk.openHandles == 0)
    await stores.close()
  }

  @Test("the least recently used idle store is closed first, and opened again with its changes")
  func leastRecent() async throws {
    let stores = makeStores(budget: patient(3), quick)
    for key in ["a", "b", "c"] { try await stores[key].change(.add(1)).durable() }
    _ = try await stores["a"]
    _ = try await stores["d"]
    #expect(disk.openKeys == ["a", "c", "d"])
    let again = try await stores["b"]
    #expect(again.state.count == 1 && disk.openings("b") == 2)
    #expect(disk.openKeys == ["a", "d", "b"])
    #expect(stores.report.evicted == 2)
    await stores.close()
    #expect(disk.mostHandles <= 3 && disk.clashes == 0)
  }

  /// The ways of using a store without a reference to it, and with one.
  enum Use: CaseIterable {
    case reference, observer, values, valuesIterator, revisions, entries, transitions, statuses, problems, attachment, observed, action
  }

  @MainActor
  private func begin(_ use: Use, _ store: Store<Counter>) -> Any {
    switch use {
    case .reference: store
    case .observer: store.observe { _, _ in }
    case .values: store.values(of: \.count)
    case .valuesIterator: store.values(of: \.count).makeAsyncIterator()
    case .revisions: store.revisions.makeAsyncIterator()
    case .entries: store.entries().makeAsyncIterator()
    case .transitions: store.transitions
    case .statuses: store.statuses
    case .problems: store.problems
    case .attachment:
      Ending { [weak store, run = OwnedRun(store)] in store?.disown(run) }
    case .observed: store.observed(\.count)
    case .action: UserAction(store, .add(1))
    }
  }

  /// Ends a use when it is released.
  private final class Ending {
    let end: () -> Void
    init(end: @escaping () -> Void) { self.end = end }
    deinit { end() }
  }

  @Test("a store in use is not closed, however it is used, and is closed after the use", arguments: Use.allCases)
  @MainActor
  func inUse(use: Use) async throws {
    let stores = makeStores(budget: patient(2), quick)
    var uses: [Any] = [begin(use, try await stores["used"])]
    for number in 0..<20 { _ = try await stores["\(number)"] }
    #expect(disk.openKeys.contains("used") && disk.openings("used") == 1)
    // The task of the last opening may hold its store for a moment.
    while disk.openKeys.count > 1 {
      stores.closeIdle()
      await Task.yield()
    }
    #expect(disk.openKeys == ["used"])
    uses = []
    _ = uses
    // The tasks of an observation end in the background.
    while disk.openKeys.contains("used") {
      stores.closeIdle()
      await Task.yield()
    }
    await stores.close()
    #expect(disk.mostHandles <= 2)
  }

  @Test("a store with a pending change is not closed, although no variable refers to it")
  func pending() async throws {
    let simulated = Lock<SimulatedJournal?>(nil)
    let disk = MemoryDisk(wrapping: { key, journal in
      guard key == "a" else { return journal }
      let held = SimulatedJournal(journal, appends: [.pass, .hold])
      simulated.withLock { $0 = held }
      return held
    })
    let stores = makeStores(disk, budget: patient(2), quick)
    let commit = try await stores["a"].change(.add(1))
    await simulated.withLock { $0 }!.waitUntilHeld()
    for number in 0..<10 { _ = try await stores["\(number)"] }
    #expect(disk.openKeys.contains("a"))
    simulated.withLock { $0 }!.release()
    try await commit.durable()
    while disk.openKeys.contains("a") {
      stores.closeIdle()
      await Task.yield()
    }
    await stores.close()
  }

  @Test("a key that is accessed while its store is being closed is opened afterwards, never twice at once")
  func reopening() async throws {
    let gate = Gate()
    let disk = MemoryDisk(beforeClosing: { _ in await gate.wait() })
    let stores = makeStores(disk, budget: StoresBudget(stores: 4))
    try await stores["a"].change(.add(1)).durable()
    while stores.report.closing == 0 {
      stores.closeIdle()
      await Task.yield()
    }
    let reader = Task { try await stores["a"] }
    await until { stores.contents.withLock { $0.callers["a"] != nil } }
    #expect(disk.openings("a") == 1)
    gate.open()
    #expect(try await reader.value.state.count == 1)
    #expect(disk.openings("a") == 2 && disk.clashes == 0)
    await stores.close()
  }

  @Test("close waits until every change is durable, refuses every later access, and leaves nothing open")
  func closing() async throws {
    let stores = makeStores()
    var commits: [Commit<Counter>] = []
    for key in ["a", "b", "c"] { commits.append(try await stores[key].change(.add(1))) }
    let held = try await stores["a"]
    #expect(await stores.close().isEmpty)
    for commit in commits { try await commit.durable() }
    #expect(disk.openHandles == 0)
    #expect(throws: ChangeError<Never>.self) { try held.change(.add(1)) }
    await #expect { try await stores["a"] } throws: { ($0 as? JournalError)?.code == .closed && "\($0)".contains("its Stores was closed") }
    #expect(await stores.close().isEmpty)
    #expect(stores.report.open == 0)
  }

  @Test("close returns at its deadline with the changes that may be unwritten, and cancels the openings")
  func deadline() async throws {
    let simulated = Lock<[String: SimulatedJournal]>([:])
    let disk = MemoryDisk(wrapping: { key, journal in
      let held = key == "held" ? SimulatedJournal(journal, reads: [.hold]) : SimulatedJournal(journal, appends: [.pass, .hold])
      simulated.withLock { $0[key] = held }
      return held
    })
    let clock = TestClock()
    let stores = makeStores(disk, clock.options(StoreOptions()))
    let commit = try await stores["a"].change(.add(1))
    await simulated.withLock { $0["a"]! }.waitUntilHeld()
    let opening = Task { try await stores["held"] }
    await until { simulated.withLock { $0["held"] } != nil }
    await simulated.withLock { $0["held"]! }.waitUntilHeld()
    async let closing = stores.close(deadline: .seconds(5))
    await clock.sleepers(2)
    clock.advance(by: .seconds(5))
    let leftOver = await closing
    #expect(leftOver["a"]?.count == 1)
    if (try? await commit.confirmed()) != nil { Issue.record("written?") }
    for journal in simulated.withLock({ Array($0.values) }) { journal.release() }
    if case .success = await opening.result { Issue.record("opened after the end") }
    await until { disk.openHandles == 0 }
  }

  @Test(
    "a store that has failed is replaced at the next access, and its changes are resumed if the app wants it", arguments: [true, false])
  func failedStore(isResumed: Bool) async throws {
    let disk = MemoryDisk(wrapping: { key, journal in
      SimulatedJournal(journal, onAppend: { $0 == 2 ? .fail(JournalError(.failed, journal: key, message: "has failed.")) : .pass })
    })
    let all: @Sendable (String, [Unwritten<Counter>]) -> [Unwritten<Counter>] = { $1 }
    let stores = Stores<Counter>(in: disk.places, resuming: isResumed ? all : nil) { _ in Counter() }
    let first = try await stores["a"]
    let commit = try first.change(.add(1))
    await #expect(throws: CommitError<Never>.self) { try await commit.durable() }
    let second = try await stores["a"]
    #expect(second !== first && disk.clashes == 0)
    #expect(second.state.count == (isResumed ? 1 : 0))
    #expect(stores.report.replaced == 1 && stores.report.unwritten == (isResumed ? 0 : 1))
    let leftOver = await stores.close()
    #expect(leftOver["a"]?.count == (isResumed ? nil : 1))
  }

  @Test("100,000 keys are visited in a loop within a budget of 1,000, and none is lost; 2,000 and 50 in the short run")
  func manyKeys() async throws {
    let (count, places) = Effort.isFull ? (100_000, 1_000) : (2_000, 50)
    let disk = MemoryDisk()
    var options = StoreOptions()
    options.followsOthers = false
    let stores = makeStores(disk, budget: StoresBudget(stores: places), options)
    for number in 0..<count { try await stores["\(number)"].change(.add(number)).durable() }
    let report = stores.report
    #expect(report.opened == count && report.open + report.closing <= places)
    #expect(disk.mostHandles <= places && disk.clashes == 0)
    #expect(try await stores["1777"].state.count == 1_777)
    await stores.close()
    #expect(disk.openHandles == 0)
  }

  @Test(
    "callers, keys, failures and cancellations in any order: nothing in use is closed, no change is lost, the budget is kept",
    arguments: Effort.seeds(1, short: 4, full: 12))
  func random(seed: UInt64) async throws {
    let disk = MemoryDisk(refusing: { key, number in
      (number + key.count + Int(seed)) % 5 == 0 ? JournalError(.unavailable, journal: key, message: "is away.") : nil
    })
    var budget = patient(4)
    budget.openingsAtOnce = 3
    let stores = makeStores(disk, budget: budget, quick)
    let expected = Lock<[String: Int]>([:])
    await withTaskGroup(of: Void.self) { group in
      for caller in 0..<8 {
        group.addTask {
          var generator = SeededGenerator(seed: seed * 100 + UInt64(caller))
          for _ in 0..<60 {
            let key = "key \(Int.random(in: 0..<12, using: &generator))"
            let access = Task { try await stores[key] }
            if Int.random(in: 0..<6, using: &generator) == 0 { access.cancel() }
            guard case .success(let store) = await access.result else { continue }
            let token = Int.random(in: 0..<4, using: &generator) == 0 ? store.observe { _, _ in } : nil
            for _ in 0..<Int.random(in: 0..<6, using: &generator) { await Task.yield() }
            do {
              let commit = try store.change(.add(1))
              expected.withLock { $0[key, default: 0] += 1 }
              if Bool.random(using: &generator) { try await commit.durable() }
            } catch {
              Issue.record("The store of '\(key)' was closed in use: \(error)")
            }
            token?.cancel()
          }
        }
      }
    }
    #expect(await stores.close().isEmpty)
    #expect(disk.openHandles == 0 && disk.clashes == 0 && disk.mostHandles <= 4)
    for (key, count) in expected.withLock({ $0 }) {
      let store = try await Store.open(Counter(), in: disk.journal(key)!)
      #expect(store.state.count == count)
      await store.close()
    }
    let report = stores.report
    #expect(report.open == 0 && report.waiting == 0 && report.opening == 0 && report.closing == 0)
  }
}
