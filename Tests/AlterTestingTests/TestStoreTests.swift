import Alter
import AlterTesting
import Testing

@Suite("A test store")
struct TestStoreTests {
  let clock = TestClock(microseconds: 1_000_000)
  var world: World { World(clock: clock.clock) }

  @Test("checks what each change does to the state, and nothing else")
  func changes() async {
    let store = TestStore(Desk(), clock: clock)
    store.send(.search("milk")) { $0.query = "milk" }
    store.send(.put(1, Desk.Item(name: "a")), .progress(5)) {
      $0.items = [1: Desk.Item(name: "a")]
      $0.progress = 5
    }
    store.send(.progress(5))
    store.send(.toss(1), changing: ["items[1]": nil])
    #expect(store.state == Desk(query: "milk", progress: 5))
    await store.finish()
  }

  @Test("expects refusals, which change nothing")
  func refusals() async {
    let store = TestStore(Desk(progress: 1))
    #expect(store.refuses(.progress(2), .search("")) == .empty)
    store.refuses(.saved(7), because: .unknown(7))
    #expect(store.state.progress == 1)
    await store.finish()
  }

  @Test("stamps by its clock and with the same origin at every run; an expectation can use the stamp")
  func stamps() async {
    let store = TestStore(Desk(), clock: clock)
    clock.advance(by: .seconds(2))
    store.send(.mark) { $0.marked = 3_000_000 }
    clock.advance(by: .seconds(1))
    store.send(.mark) { $0.marked = store.stamp.time }
    clock.advance(by: .seconds(1))
    store.send(.mark, changing: ["marked": Stamped { $0.time }])
    #expect(store.stamp.origin == .testing && store.stamp.time == 5_000_000)
    await store.finish()
  }

  @Test("runs no effect by itself")
  func nothingByItself() async {
    let store = TestStore(Desk(), feedbacks: [.save], in: world, clock: clock)
    store.send(.put(1, Desk.Item(name: "a"))) { $0.items = [1: Desk.Item(name: "a")] }
    for _ in 0..<100 { await Task.yield() }
    #expect(store.state.items[1]?.isSaved == false)
    #expect(store.effects.map(\.feedback) == ["save"] && store.effects.map(\.phase) == [.running])
    await store.receive(.saved(1)) { $0.items[1]?.isSaved = true }
    #expect(store.effects.isEmpty)
    await store.finish()
  }

  @Test("begins what the first state asks for, when it is told to")
  func requestsAtTheStart() async {
    let store = TestStore(Desk(items: [3: Desk.Item(name: "c")]), feedbacks: [.save], in: world, clock: clock)
    #expect(store.effects.count == 1)
    await store.receive(.saved(3)) { $0.items[3]?.isSaved = true }
    await store.finish()
  }

  @Test("shows a debounced search: what is typed in time cancels what waits, and only the clock moves it")
  func debouncing() async {
    let store = TestStore(Desk(), feedbacks: [.search], in: world, clock: clock)
    store.send(.search("m")) { $0.query = "m" }
    await store.advance(by: .milliseconds(299))
    store.send(.search("mi")) { $0.query = "mi" }
    await store.advance(by: .milliseconds(299))
    #expect(store.state.results.isEmpty && store.effects.map(\.request) == ["mi"])
    await store.advance(by: .milliseconds(1))
    await store.receive(.found(["mis"])) {
      $0.query = nil
      $0.results = ["mis"]
    }
    store.send(.search("milk")) {
      $0.query = "milk"
      $0.results = []
    }
    await store.settle()
    store.send(.search(nil)) { $0.query = nil }
    await store.advance(by: .seconds(60))
    await store.finish()
  }

  @Test("stops at each moment at which an effect wakes, on the way to where the clock is moved")
  func stepsOfTheClock() async {
    let clock = clock
    let ticking = Feedback<Desk, Void>("ticks", request: \.query) { _, _, effect in
      for number in 1...3 {
        try await clock.clock.sleep(for: .seconds(1))
        try await effect.send(.progress(number), .mark)
      }
      return .search(nil)
    }
    let store = TestStore(Desk(), feedbacks: [ticking], clock: clock)
    store.send(.search("x")) { $0.query = "x" }
    await store.advance(by: .milliseconds(2_500))
    for number in 1...2 {
      await store.receive(.progress(number), .mark) {
        $0.progress = number
        $0.marked = 1_000_000 + Int64(number) * 1_000_000
      }
    }
    #expect(clock.elapsed == .milliseconds(2_500) && clock.untilNext == .milliseconds(500))
    await store.advance(by: .milliseconds(500))
    await store.receive(.progress(3), .mark) {
      $0.progress = 3
      $0.marked = 4_000_000
    }
    await store.receive("a search for nothing", matching: { if case .search = $0 { true } else { false } }) { $0.query = nil }
    await store.finish()
  }

  @Test("runs on its own executor what an effect does in child tasks and on actors, and waits for the main actor")
  func wholeEffects() async {
    actor Shelf {
      var names: [String] = []
      func put(_ name: String) -> Int {
        names.append(name)
        return names.count
      }
    }
    let shelf = Shelf()
    var world = world
    world.search = { text in
      await withTaskGroup(of: Int.self) { group in
        for number in 0..<10 { group.addTask { await shelf.put("\(text)\(number)") } }
        await group.waitForAll()
      }
      let isMain = await onMainActor()
      return await shelf.names.sorted() + [isMain]
    }
    let store = TestStore(Desk(query: "a"), feedbacks: [.search], in: world, clock: clock)
    await store.advance(by: .milliseconds(300))
    await store.receive(.found((0..<10).map { "a\($0)" } + ["main"])) {
      $0.query = nil
      $0.results = (0..<10).map { "a\($0)" } + ["main"]
    }
    await store.finish()
  }

  @Test("is used from the main actor like from anywhere")
  @MainActor func onTheMainActor() async {
    var world = world
    world.search = { _ in [await onMainActor()] }
    let store = TestStore(Desk(query: "a"), feedbacks: [.search], in: world, clock: clock)
    await store.advance(by: .milliseconds(300))
    await store.nonExhaustively { await store.receive(.found(["main"])) }
    await store.finish()
  }

  @Test("takes what is done through the store itself as received: actions and bindings can be tested")
  func throughTheStore() async throws {
    let store = TestStore(Desk(), feedbacks: [.save], in: world, clock: clock)
    let action = UserAction(store.store, .put(1, Desk.Item(name: "a")))
    action()
    await store.receive(.put(1, Desk.Item(name: "a"))) { $0.items[1] = Desk.Item(name: "a") }
    await store.receive(.saved(1)) { $0.items[1]?.isSaved = true }
    await store.finish()
  }

  @Test("undoes and redoes, and an undo takes the answers back with the request")
  func undo() async {
    let store = TestStore(Desk(), feedbacks: [.save], in: world, clock: clock)
    store.send(.put(1, Desk.Item(name: "a"))) { $0.items[1] = Desk.Item(name: "a") }
    await store.receive(.saved(1)) { $0.items[1]?.isSaved = true }
    await store.undo { $0 = Desk() }
    await store.settle()
    await store.redo { $0.items[1] = Desk.Item(name: "a") }
    await store.receive(.saved(1)) { $0.items[1]?.isSaved = true }
    await store.finish()
  }

  @Test("expects that an undo is refused, which changes nothing")
  func refusedUndo() async throws {
    let store = TestStore(Desk())
    let error = try #require(await store.refusesUndo())
    guard case .nothingToUndo = error else {
      Issue.record(error)
      return
    }
    await store.finish()
  }

  @Test("hears of a chain of feedback that does not end")
  func chains() async {
    let forever = Feedback<Desk, Void>("ping", request: \.ping) { number, _ in .ping(number + 1) }
    let store = TestStore(Desk(), feedbacks: [forever], rounds: 3)
    store.send(.ping(0)) { $0.ping = 0 }
    for number in 1...3 { await store.receive(.ping(number)) { $0.ping = number } }
    await store.receiveProblem("feedbacks have answered each other 3 times")
    #expect(store.effects.map(\.phase.description) == ["stuck"] && store.problems.isEmpty)
    await store.nonExhaustively { await store.finish() }
  }

  @Test("asserts that an effect is undecided, and begins the next attempt when its pause is over")
  func undecided() async {
    struct Timeout: Error {}
    let attempts = AsyncStream<Int>.makeStream()
    var world = world
    world.charge = { amount in
      attempts.continuation.yield(amount)
      throw Timeout()
    }
    let store = TestStore(Desk(), feedbacks: [.charge], in: world, clock: clock)
    store.send(.pay(5)) { $0.payment = Requested(5, store.stamp) }
    await store.undecided("charge", Timeout.self)
    #expect(store.effects.map(\.phase.description) == ["pausing"])
    await store.advance(by: .seconds(2))
    await store.undecided("charge", Timeout.self)
    let keys = store.keys("charge")
    #expect(keys.count == 2 && Set(keys) == [RequestID(store.stamp)])
    await store.nonExhaustively { await store.finish() }
    attempts.continuation.finish()
    #expect(await attempts.stream.reduce(into: []) { $0.append($1) } == [5, 5])
  }

  @Test("survives a crash: no answer of a running effect counts, and it begins again with the same key")
  func crash() async {
    let (clock, calls) = (clock, AsyncStream<Int>.makeStream())
    var world = world
    world.charge = { amount in
      calls.continuation.yield(amount)
      try await clock.clock.sleep(for: .seconds(60))
    }
    let store = TestStore(Desk(), feedbacks: [.charge], in: world, clock: clock)
    store.send(.pay(5)) { $0.payment = Requested(5, store.stamp) }
    let id = RequestID(store.stamp)
    await store.settle()
    await store.crash()
    await store.settle()
    #expect(store.state.payment != nil && store.keys("charge") == [id, id])
    await store.advance(by: .seconds(60))
    await store.receive(.paid(id)) { $0.payment = nil }
    await store.finish()
    calls.continuation.finish()
    #expect(await calls.stream.reduce(into: []) { $0.append($1) } == [5, 5])
  }

  @Test("asserts only what is said inside of a scope that says so, and everything again after it")
  func nonExhaustive() async {
    let store = TestStore(Desk(), feedbacks: [.save, .search], in: world, clock: clock)
    await store.nonExhaustively {
      store.send(.put(1, Desk.Item(name: "a")), .put(2, Desk.Item(name: "b")), .progress(9))
      await store.receive(.saved(2)) { $0.items[2]?.isSaved = true }
      store.send(.search("x")) { $0.query = "x" }
      await store.advance(by: .seconds(1))
    }
    store.send(.progress(10)) { $0.progress = 10 }
    #expect(store.state.items[1]?.isSaved == true && store.state.results == ["xs"])
    await store.finish()
  }

  @Test("knows nothing of others at the same time: what one is given can't leak into another")
  func sideBySide() async {
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask {
          let clock = TestClock()
          let world = World(clock: clock.clock, search: { _ in ["\(number)"] })
          let store = TestStore(Desk(query: "x"), feedbacks: [.search], in: world, clock: clock)
          await store.advance(by: .milliseconds(300))
          await store.receive(.found(["\(number)"])) {
            $0.query = nil
            $0.results = ["\(number)"]
          }
          await store.finish()
        }
      }
    }
  }

  // MARK: - Order

  private func order(of seed: UInt64) async -> [Int] {
    let saved = AsyncStream<Int>.makeStream()
    var world = world
    world.save = { saved.continuation.yield(Int($0.name) ?? 0) }
    let desk = Desk(items: Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, Desk.Item(name: "\($0)")) }))
    let store = TestStore(desk, feedbacks: [.save], in: world, clock: clock, order: .shuffled(seed: seed))
    await store.receive(inAnyOrder: .saved(0), .saved(1), .saved(2), .saved(3), .saved(4), .saved(5)) {
      for id in 0..<6 { $0.items[id]?.isSaved = true }
    }
    await store.finish()
    saved.continuation.finish()
    return await saved.stream.reduce(into: []) { $0.append($1) }
  }

  @Test("shuffles the order that is not promised, and the same way for the same seed")
  func shuffling() async {
    var orders: Set<[Int]> = []
    for seed in 1...40 as ClosedRange<UInt64> {
      let first = await order(of: seed)
      #expect(await order(of: seed) == first)
      #expect(first.sorted() == Array(0..<6))
      orders.insert(first)
    }
    #expect(orders.count > 20)
  }

  @Test("runs in the order in which things became ready, unless it is told to shuffle")
  func steadyOrder() async {
    for _ in 0..<20 {
      let desk = Desk(items: Dictionary(uniqueKeysWithValues: (0..<6).map { ($0, Desk.Item(name: "\($0)")) }))
      let store = TestStore(desk, feedbacks: [.save], in: world, clock: clock)
      for id in 0..<6 { await store.receive(.saved(id)) { $0.items[id]?.isSaved = true } }
      await store.finish()
    }
  }

  @Test("leaves no task behind when it is finished: what was cancelled has ended")
  func nothingBehind() async {
    final class Held: Sendable {}
    weak var weakly: Held?
    do {
      let held = Held()
      weakly = held
      var world = world
      world.save = { [held] _ in _ = held }
      let store = TestStore(Desk(query: "x"), feedbacks: [.save, .search], in: world, clock: clock)
      await store.settle()
      await store.nonExhaustively { await store.finish() }
    }
    #expect(weakly == nil)
    #expect(clock.untilNext == nil)
  }
}

@MainActor private func onMainActor() async -> String {
  MainActor.assertIsolated()
  await Task.yield()
  return "main"
}
