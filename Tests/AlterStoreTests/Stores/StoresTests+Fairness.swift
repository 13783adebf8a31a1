import Alter
import AlterCore
import AlterTesting
import StoreTesting
import Testing

@testable import AlterStore

extension StoresTests {
  @Test("24 keys on 12 places make progress, although each has callers at every moment")
  func steadyUse() async throws {
    var options = StoreOptions()
    // The time passes with the work of the callers.
    options.environment.sleep = { pause in for _ in 0..<Int(pause / .milliseconds(2)) { await Task.yield() } }
    let stores = makeStores(budget: StoresBudget(stores: 12), options)
    let counts = Lock(Array(repeating: 0, count: 24))
    await withTaskGroup(of: Void.self) { group in
      for caller in 0..<72 {
        let key = caller % 24
        group.addTask {
          do {
            while counts.withLock({ $0.contains { $0 < 15 } }) {
              let store = try await stores["\(key)"]
              try await store.change(.add(1)).durable()
              counts.withLock { $0[key] += 1 }
              for _ in 0..<20 { await Task.yield() }
              withExtendedLifetime(store) {}
            }
          } catch {
            Issue.record("key \(key): \(error)")
            counts.withLock { $0 = $0.map { _ in .max / 2 } }
          }
        }
      }
    }
    #expect(await stores.close().isEmpty)
    #expect(disk.mostHandles <= 12 && disk.clashes == 0)
  }

  /// Stores with a place for one key.
  private func makeStores(_ disk: MemoryDisk, _ clock: TestClock) -> Stores<Counter> {
    makeStores(disk, budget: StoresBudget(stores: 1), clock.options(StoreOptions()))
  }

  /// Uses the key "a", and lets "b" wait until the store of "a" is recalled.
  private func recall(_ stores: Stores<Counter>, _ clock: TestClock) async throws -> (Store<Counter>?, Task<Store<Counter>, any Error>?) {
    let store = try await stores["a"]
    let other = Task { try await stores["b"] }
    while !stores.contents.withLock({ $0.table.isRecalling }) { await pass(clock) }
    return (store, other)
  }

  /// Lets the time pass until the next look at the stores.
  private func pass(_ clock: TestClock) async {
    if let next = clock.untilNext { clock.advance(by: next) }
    await Task.yield()
  }

  @Test("while another key waits, an access of a key in use waits for the end of the use, and then behind that key")
  func behind() async throws {
    let clock = TestClock()
    let stores = makeStores(disk, clock)
    // A task that has ended keeps its result.
    var (first, other) = try await recall(stores, clock)
    var again: Task<Store<Counter>, any Error>? = Task { try await stores["a"] }
    await until { stores.contents.withLock { $0.table.isParked("a") } }
    #expect(stores.report.open == 1 && disk.openKeys == ["a"])
    first = nil
    _ = first
    while disk.openings("b") == 0 { await pass(clock) }
    #expect(disk.openings("a") == 1 && stores.report.evicted == 1)
    _ = try await other?.value
    other = nil
    while disk.openings("a") == 1 { await pass(clock) }
    _ = try await again?.value
    again = nil
    await stores.close()
    #expect(disk.mostHandles == 1)
  }

  @Test("a caller that holds a store and accesses it again gets it after a moment, and later at once")
  func again() async throws {
    let clock = TestClock()
    let stores = makeStores(disk, clock)
    let (first, other) = try await recall(stores, clock)
    let start = clock.elapsed
    let again = Task { try await stores["a"] }
    await until { stores.contents.withLock { $0.table.isParked("a") } }
    while stores.contents.withLock({ $0.table.isParked("a") }) { await pass(clock) }
    #expect(try await again.value === first && clock.elapsed - start <= .seconds(2))
    // The time stands still now.
    #expect(try await stores["a"] === first)
    #expect(stores.report.waiting == 1)
    while stores.report.waiting > 0 { await pass(clock) }
    await #expect(throws: JournalError.self) { try await other?.value }
    #expect(try await stores["a"] === first)
    await stores.close()
  }

  @Test("a store that fails while callers wait for the end of its use is replaced for them")
  func failsMeanwhile() async throws {
    let clock = TestClock()
    let disk = MemoryDisk(wrapping: { key, journal in
      SimulatedJournal(journal, onAppend: { $0 == 2 ? .fail(JournalError(.failed, journal: key, message: "has failed.")) : .pass })
    })
    let stores = makeStores(disk, clock)
    let (first, other) = try await recall(stores, clock)
    let again = Task { try await stores["a"] }
    await until { stores.contents.withLock { $0.table.isParked("a") } }
    await #expect(throws: CommitError<Never>.self) { try await first?.change(.add(1)).durable() }
    while stores.report.replaced == 0 { await pass(clock) }
    _ = try await other?.value
    #expect(disk.openings("b") == 1)
    await stores.close()
    await #expect(throws: JournalError.self) { try await again.value }
  }

  @Test("closing refuses the callers that wait for the end of a use")
  func closedMeanwhile() async throws {
    let clock = TestClock()
    let stores = makeStores(disk, clock)
    let (first, other) = try await recall(stores, clock)
    let again = Task { try await stores["a"] }
    await until { stores.contents.withLock { $0.table.isParked("a") } }
    await stores.close()
    for access in [again, try #require(other)] {
      await #expect { try await access.value } throws: { ($0 as? JournalError)?.code == .closed }
    }
    #expect(first?.status == .closed && disk.openHandles == 0)
  }
}
