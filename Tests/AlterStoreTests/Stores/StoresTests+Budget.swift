import Alter
import AlterCore
import AlterTesting
import StoreTesting
import Testing

@testable import AlterStore

extension StoresTests {
  /// Lets the time pass until no key waits for a place.
  private func expire(_ stores: Stores<Counter>, _ clock: TestClock) async {
    await clock.sleepers(1)
    while stores.report.waiting > 0 {
      if let next = clock.untilNext { clock.advance(by: next) }
      await Task.yield()
    }
  }

  @Test("if all stores are in use, another key waits, and fails after the timeout")
  func allInUse() async throws {
    let clock = TestClock()
    var budget = StoresBudget(stores: 2)
    budget.timeout = .seconds(1)
    let stores = makeStores(budget: budget, clock.options(StoreOptions()))
    let held = [try await stores["a"], try await stores["b"]]
    let third = Task { try await stores["c"] }
    await expire(stores, clock)
    if case .failure(let error as JournalError) = await third.result {
      #expect(error.code == .unavailable && error.isTransient)
      #expect(error.description.contains("StoresBudget.stores allows 2"))
    } else {
      Issue.record("opened beyond the budget")
    }
    #expect(stores.report.waiting == 0)
    withExtendedLifetime(held) {}
    await stores.close()
  }

  @Test("if all stores are in use, another key gets the first place that is free")
  func firstFree() async throws {
    let clock = TestClock()
    let stores = makeStores(budget: patient(2), clock.options(StoreOptions()))
    var held = [try await stores["a"], try await stores["b"]]
    let third = Task { try await stores["c"] }
    await clock.sleepers(1)
    held.removeFirst()
    while !disk.openKeys.contains("c") {
      // The opening of the store that was released may still hold it for a moment.
      if let next = clock.untilNext { clock.advance(by: next) }
      await Task.yield()
    }
    held.append(try await third.value)
    #expect(disk.openKeys == ["b", "c"] && disk.mostHandles == 2)
    await stores.close()
  }

  @Test("the error of an access that waited in vain names the limit that was reached", arguments: ["stores", "descriptors", "bytes"])
  func namedLimit(limit: String) async throws {
    let clock = TestClock()
    var budget = StoresBudget(stores: limit == "stores" ? 2 : 100, bytes: limit == "bytes" ? 200 : .max)
    budget.descriptors = limit == "descriptors" ? 14 : 1_000
    budget.timeout = .seconds(1)
    let stores = Stores<Counter>(
      in: disk.places(descriptors: 7), budget: budget, options: clock.options(StoreOptions()), size: { _ in 100 }
    ) { _ in Counter() }
    let held = [try await stores["a"], try await stores["b"]]
    let third = Task { try await stores["c"] }
    await expire(stores, clock)
    if case .failure(let error as JournalError) = await third.result {
      for other in ["stores", "descriptors", "bytes"] {
        #expect(error.description.contains("StoresBudget.\(other)") == (other == limit), "\(error)")
      }
    } else {
      Issue.record("opened beyond the budget")
    }
    _ = held
    await stores.close()
  }

  @Test("the timeout counts from the last time a waiting key got a place: while the line moves, no access fails")
  func movingLine() async throws {
    let clock = TestClock()
    var budget = StoresBudget(stores: 1)
    budget.timeout = .seconds(1)
    let stores = makeStores(budget: budget, clock.options(StoreOptions()))
    var held: [Store<Counter>] = [try await stores["a"]]
    // A task that has ended keeps its result.
    var second: Task<Store<Counter>, any Error>? = Task { try await stores["b"] }
    await clock.sleepers(1)
    while let pause = clock.untilNext, pause < .milliseconds(640) {
      clock.advance(by: pause)
      await clock.sleepers(1)
    }
    // The store becomes free, and the other one is opened, before the next look.
    held = []
    while disk.openKeys != ["b"] {
      stores.closeIdle()
      await Task.yield()
    }
    if let task = second { held = [try await task.value] }
    second = nil
    weak let other = held.first
    let third = Task { try await stores["c"] }
    await until { stores.report.waiting == 1 }
    clock.advance(by: .milliseconds(640))
    // It has looked, and either waits for the next look or has given up.
    await until { clock.untilNext != nil || stores.report.waiting == 0 }
    held = []
    // The task that has ended may keep the store for a moment, in which the clock must stand still.
    while other != nil, stores.report.waiting == 1 {
      stores.closeIdle()
      await Task.yield()
    }
    while case let report = stores.report, report.waiting + report.opening + report.closing > 0 {
      if clock.untilNext != nil { clock.advance(by: .milliseconds(100)) }
      await Task.yield()
    }
    #expect(try await third.value.state.count == 0)
    _ = held
    await stores.close()
  }

  @Test("the budget in bytes and in descriptors is kept, too")
  func otherBudgets() async throws {
    let bySize = Stores<Counter>(in: disk.places, budget: patient(100, bytes: 1_000), options: quick, size: { 100 + $0.count }) { _ in
      Counter()
    }
    for number in 0..<40 { _ = try await bySize["\(number)"] }
    #expect(bySize.report.bytes! <= 1_000 && bySize.report.open >= 8)
    try await bySize["39"].change(.add(950)).durable()
    _ = try await bySize["39"]
    #expect(bySize.report.bytes! >= 1_050)
    _ = try await bySize["40"]
    #expect(bySize.report.open <= 2)
    await bySize.close()
    let disk = MemoryDisk()
    var budget = patient(1_000)
    budget.descriptors = 36
    let byDescriptors = Stores<Counter>(in: disk.places(descriptors: 7), budget: budget, options: quick) { _ in Counter() }
    for number in 0..<40 { _ = try await byDescriptors["\(number)"] }
    #expect(disk.mostHandles <= 5 && byDescriptors.report.descriptors <= 35)
    await byDescriptors.close()
  }

  @Test("states that grow while no other key is opened: idle stores are closed as soon as an access shows it")
  func growing() async throws {
    let stores = Stores<Counter>(in: disk.places, budget: patient(100, bytes: 1_000), options: quick, size: { 100 + $0.count }) { _ in
      Counter()
    }
    for number in 0..<5 { _ = try await stores["\(number)"] }
    try await stores["0"].change(.add(600)).durable()
    repeat {
      _ = try await stores["0"]
      await Task.yield()
    } while stores.report.bytes! > 1_000
    #expect(stores.report.evicted >= 1 && stores.openKeys.contains("0"))
    await stores.close()
  }

  @Test("sizes without sense do not end the process", arguments: [Int.max, .min])
  func senselessSizes(size: Int) async throws {
    let stores = Stores<Counter>(in: disk.places, budget: patient(100, bytes: 1_000), options: quick, size: { _ in size }) { _ in Counter()
    }
    for _ in 0..<2 { for key in ["a", "b", "c"] { _ = try await stores[key] } }
    await stores.close()
    #expect(disk.openHandles == 0)
  }
}
