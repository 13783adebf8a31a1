import Alter
import AlterCore
import Dispatch
import Testing

@testable import AlterStore

/// A state with two properties, one of them of elements.
private struct Panel: Alterable {
  struct Dial: Identifiable, Equatable, Sendable {
    let id: Int
    var value = 0
  }

  enum Change: Sendable { case set(Int, Int), remove(Int), move(Int, Int), rename(String) }

  private(set) var dials = IdentityArray((0..<100).map { Dial(id: $0) })
  private(set) var name = "panel"

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .set(let id, let value): dials.put(Dial(id: id, value: value))
    case .remove(let id): dials.removeIfPresent(id: id)
    case .move(let id, let position): try? dials.move(id, to: position)
    case .rename(let name): self.name = name
    }
  }
}

/// Changes a panel, and follows it with a task that the test starts.
private final class Watched: Sendable {
  let store = Store(Panel())
  let computed = Lock(0)

  /// A task that waits for a value, and counts how often it is computed.
  func wait(_ input: DeclaredInput<Panel>?, past version: Int64, until differs: @escaping @Sendable (Panel) -> Bool) -> Task<Bool, Never> {
    let (store, computed) = (store, computed)
    return Task {
      await store.followers.wait(past: version, in: store.watch, input: input) {
        computed.withLock { $0 += 1 }
        return differs($0)
      }
    }
  }

  var version: Int64 { store.watch.present()?.version ?? -1 }

  func waitForFollowers(_ count: Int) async {
    while store.followers.count < count { await Task.yield() }
  }
}

@Suite("Declared inputs", .serialized, .timeLimit(.minutes(20)))
struct DeclaredInputTests {
  private let watched = Watched()

  private var store: Store<Panel> { watched.store }

  @Test("of many values only those are computed whose element differs")
  func elements() async throws {
    let version = watched.version
    let waiting = (0..<100).map { id in watched.wait(.element(\.dials, id), past: version) { $0.dials[id: id]?.value != 0 } }
    await watched.waitForFollowers(100)
    try store.change(.set(7, 1))
    #expect(await waiting[7].value)
    #expect(watched.computed.withLock { $0 } == 1)
    for task in waiting { task.cancel() }
    for (id, task) in waiting.enumerated() where id != 7 { #expect(await task.value == false) }
    #expect(store.followers.count == 0)
  }

  @Test("a value is not computed for a change of another property, or of the order")
  func otherParts() async throws {
    let version = watched.version
    let renamed = watched.wait(.property(\.name), past: version) { $0.name != "panel" }
    let dial = watched.wait(.element(\.dials, 1), past: version) { $0.dials[id: 1]?.value != 0 }
    await watched.waitForFollowers(2)
    try store.change(.move(1, 50))
    try store.change(.set(2, 9))
    try store.change(.rename("other"))
    #expect(await renamed.value)
    #expect(watched.computed.withLock { $0 } == 1)
    try store.change(.set(1, 9))
    #expect(await dial.value)
    #expect(watched.computed.withLock { $0 } == 2)
  }

  @Test("a value that stays the same though its input differs wakes no task")
  func sameValue() async throws {
    let version = watched.version
    let large = watched.wait(.element(\.dials, 1), past: version) { ($0.dials[id: 1]?.value ?? 0) > 10 }
    await watched.waitForFollowers(1)
    for value in [1, 2, 11] { try store.change(.set(1, value)) }
    #expect(await large.value)
  }

  @Test("a follower that has seen an older version than its property is compared with is told to look again")
  func lostWakeUp() async throws {
    let old = watched.version
    try store.change(.set(1, 1))
    let first = watched.wait(.element(\.dials, 2), past: watched.version) { _ in false }
    await watched.waitForFollowers(1)
    #expect(await watched.wait(.element(\.dials, 1), past: old, until: { _ in true }).value)
    #expect(watched.computed.withLock { $0 } == 0)
    first.cancel()
    #expect(await first.value == false)
  }

  @Test("a follower that has seen a newer version than its property is compared with learns that the value is the older one again")
  func returnedValue() async throws {
    let (isBlocked, mayContinue) = (Waiter<Void>(), DispatchSemaphore(value: 0))
    let blocking = watched.wait(.element(\.dials, 2), past: watched.version) { _ in
      isBlocked.finish(())
      mayContinue.wait()
      return true
    }
    await watched.waitForFollowers(1)
    try store.change(.set(2, 1))
    // From now on the follower task has compared everything up to this change, and waits.
    _ = await isBlocked.value()
    try store.change(.set(1, 5))
    let late = watched.wait(.element(\.dials, 1), past: watched.version) { $0.dials[id: 1]?.value != 5 }
    await watched.waitForFollowers(2)
    try store.change(.set(1, 0))
    mayContinue.signal()
    #expect(await late.value)
    #expect(await blocking.value)
    #expect(store.followers.count == 0)
  }

  @Test("a property that loses its last follower during a comparison, and gets another one, is compared with what that one has seen")
  func returnedProperty() async throws {
    let (isBlocked, mayContinue) = (Waiter<Void>(), DispatchSemaphore(value: 0))
    let version = watched.version
    // Declares no input, and is computed between the beginning and the end of the comparison.
    let blocking = watched.wait(nil, past: version) { _ in
      isBlocked.finish(())
      mayContinue.wait()
      return true
    }
    let first = watched.wait(.element(\.dials, 1), past: version) { _ in false }
    await watched.waitForFollowers(2)
    try store.change(.set(2, 1))
    _ = await isBlocked.value()
    first.cancel()
    #expect(await first.value == false)
    try store.change(.set(1, 5))
    let late = watched.wait(.element(\.dials, 1), past: watched.version) { $0.dials[id: 1]?.value != 5 }
    await watched.waitForFollowers(2)
    try store.change(.set(1, 0))
    mayContinue.signal()
    #expect(await late.value)
    #expect(await blocking.value)
    #expect(store.followers.count == 0)
  }

  @Test("an element appears, changes and disappears for its followers; nil is a value")
  func sequence() async throws {
    var values = store.values(from: \.dials, id: 500).makeAsyncIterator()
    #expect(await values.next() == .some(nil))
    try store.change(.set(500, 1))
    #expect(await values.next() == Panel.Dial(id: 500, value: 1))
    try store.change(.set(3, 1))
    try store.change(.set(500, 2))
    #expect(await values.next() == Panel.Dial(id: 500, value: 2))
    try store.change(.remove(500))
    #expect(await values.next() == .some(nil))
    await store.close()
    #expect(await values.next() == nil)
  }

  @Test("the values of a property, and of a function of it, are those of a closure")
  func property() async throws {
    var names = store.values(from: \.name).makeAsyncIterator()
    var sums = store.values(from: \.dials) { $0.reduce(0) { $0 + $1.value } }.makeAsyncIterator()
    #expect(await names.next() == "panel")
    #expect(await sums.next() == 0)
    try store.change(.set(1, 1))
    #expect(await sums.next() == 1)
    // Another change of the input with the same value is skipped.
    try store.change(.move(1, 50))
    try store.change(.rename("other"))
    #expect(await names.next() == "other")
    try store.change(.set(2, 2))
    #expect(await sums.next() == 3)
  }

  @Test("followers in all forms see the last value of random changes", arguments: 0..<20)
  func random(seed: Int) async throws {
    let store = store
    var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1
    func next(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state >> 33) % bound
    }
    let last = 1_000_000
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 0..<5 {
        group.addTask { for await dial in store.values(from: \.dials, id: id) where dial?.value == last + id { break } }
        group.addTask { for await value in store.values(of: { $0.dials[id: id]?.value }) where value == last + id { break } }
        group.addTask { for await sum in store.values(from: \.dials, { $0.count { $0.value >= last } }) where sum == 5 { break } }
      }
      for _ in 0..<200 {
        switch next(8) {
        case 0: try store.change(.remove(next(5)))
        case 1: try store.change(.move(next(5), next(90)))
        case 2: try store.change(.rename("\(next(3))"))
        case 3: await Task.yield()
        default: try store.change(.set(next(5), next(3)))
        }
      }
      for id in 0..<5 { try store.change(.set(id, last + id)) }
      try await group.waitForAll()
    }
    #expect(store.followers.count == 0)
  }

  @Test("values of a declared input end with the store")
  func end() async {
    let waiting = watched.wait(.element(\.dials, 1), past: watched.version) { _ in true }
    await watched.waitForFollowers(1)
    await store.close()
    #expect(await waiting.value == false)
    #expect(store.followers.count == 0)
  }
}
