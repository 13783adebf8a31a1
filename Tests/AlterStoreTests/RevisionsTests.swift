import Alter
import AlterCore
import AlterTesting
import Testing

@testable import AlterStore

@Suite("The revisions of a store", .timeLimit(.minutes(20)))
struct RevisionsTests {
  private let journal = MemoryJournal()

  @Test("begin with the present one, and go on with whatever is confirmed, whoever wrote it")
  func others() async throws {
    let store = try await Store.open(Board(), in: journal, options: .sharedJournal)
    let other = try await Store.open(Board(), in: journal, options: .sharedJournal)
    var revisions = store.revisions.makeAsyncIterator()
    #expect(await revisions.next() == 1)
    try await store.change(.note("mine")).durable()
    #expect(await revisions.next() == 2)
    try await other.change(.note("theirs")).durable()
    #expect(await revisions.next() == 3)
    #expect(store.revision == 3)
    await other.close()
    await store.close()
  }

  @Test("are coalesced: those that come before they are taken are one, the newest", arguments: [true, false])
  func coalesced(isInMemory: Bool) async throws {
    let store = isInMemory ? Store(Board()) : try await Store.open(Board(), in: journal, options: .notFollowing)
    var revisions = store.revisions.makeAsyncIterator()
    #expect(await revisions.next() == 1)
    for number in 0..<10 { try await store.change(.note("\(number)")).durable() }
    #expect(await revisions.next() == 11)
    try await store.change(.note("last")).durable()
    #expect(await revisions.next() == 12)
    await store.close()
    #expect(await revisions.next() == nil)
  }

  @Test("do not repeat one while changes are pending")
  func pending() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Board(), in: simulated, options: .notFollowing)
    let (delivered, deliver) = AsyncStream<Revision>.makeStream()
    let revisions = store.revisions
    let following = Task { for await revision in revisions { deliver.yield(revision) } }
    var seen = delivered.makeAsyncIterator()
    #expect(await seen.next() == 1)
    simulated.nextAppends(.hold)
    let commit = try store.change(.note("held"))
    await simulated.waitUntilHeld()
    simulated.release()
    try await commit.durable()
    // Two versions have passed, but only one revision.
    #expect(await seen.next() == 2)
    following.cancel()
    await following.value
    deliver.finish()
    #expect(await seen.next() == nil)
    await store.close()
  }

  @Test("end with their task")
  func cancelled() async throws {
    let store = try await Store.open(Board(), in: journal, options: .notFollowing)
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let revisions = store.revisions
    let following = Task {
      var count = 0
      for await _ in revisions {
        count += 1
        begin.yield()
      }
      return count
    }
    for await _ in begun { break }
    following.cancel()
    #expect(await following.value == 1)
    await store.close()
  }

  @Test("end after the last one when the store is closed, and don't keep it alive")
  func closed() async throws {
    var store: Store<Board>? = try await Store.open(Board(), in: journal, options: .notFollowing)
    weak let kept = store
    var revisions = try #require(store).revisions.makeAsyncIterator()
    try await store?.change(.note("x")).durable()
    await store?.close()
    #expect(await revisions.next() == 2)
    #expect(await revisions.next() == nil)
    store = nil
    // The task that has closed it may still be ending.
    while kept != nil, !Task.isCancelled { await Task.yield() }
    #expect(kept == nil)
  }

  @Test("increase, however many write at once")
  func increasing() async throws {
    let stores = [
      try await Store.open(Board(), in: journal, options: .sharedJournal),
      try await Store.open(Board(), in: journal, options: .sharedJournal),
    ]
    let following = stores.map { store in
      let revisions = store.revisions
      return Task {
        var seen: [Revision] = []
        for await revision in revisions { seen.append(revision) }
        return seen
      }
    }
    await withTaskGroup { group in
      for store in stores { group.addTask { for number in 0..<100 { try? await store.change(.note("\(number)")).durable() } } }
    }
    for store in stores { await store.close() }
    for following in following {
      let seen = await following.value
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 })
      #expect((101...201).contains(try #require(seen.last)))
    }
  }

  @Test("don't make the store apply its own changes again, as an observer does")
  func steps() async throws {
    let store = try await Store.open(Board(), in: journal, options: .notFollowing)
    var revisions = store.revisions.makeAsyncIterator()
    #expect(await revisions.next() == 1)
    #expect(!store.core.withLock { $0.wantsSteps })
    let token = store.observe { _, _ in }
    #expect(store.core.withLock { $0.wantsSteps })
    token.cancel()
    await store.close()
  }
}
