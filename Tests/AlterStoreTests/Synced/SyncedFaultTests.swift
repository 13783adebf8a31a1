import Alter
import AlterSyncCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Stores of a synced journal: releases, refusals, outages and clones")
struct SyncedFaultTests {
  private func open(_ sync: MemorySync, device: Int = 0, origin: UInt8) async throws -> Store<Board> {
    var options = StoreOptions()
    options.environment.origin = { .test(origin) }
    return try await Store.open(SyncedBoard.initial(Data([1])), in: MemorySyncedJournal(sync, device: device), options: options)
  }

  private func catchUp(_ store: Store<Board>, _ sync: MemorySync, device: Int = 0) async throws {
    let count = sync.contents.withLock { Int64($0.devices[device].log.count) }
    var version: Int64 = -1
    while store.core.withLock({ $0.synced.transaction }) < count {
      try await store.watch.wait(past: version)
      version = store.core.withLock { $0.version }
    }
  }

  @Test("a store that is released without being closed answers the commits that wait for the server")
  func released() async throws {
    let sync = MemorySync()
    var store: Store<Board>? = try await open(sync, origin: 1)
    sync.setOnline(false)
    let commit = try #require(store).change(.note("1"))
    try await commit.durable()
    weak let released = store
    store = nil
    while released != nil { await Task.yield() }
    #expect(throws: CommitError<Refusal>.notYet(.closed("device 0"))) { try commit.promise?.current?.get() }
  }

  @Test("an observer that is told of a refusal finds it in the list")
  func listed() async throws {
    let sync = MemorySync()
    sync.perform { $0.policy.denied = [SyncedBoard.payload([.note("1")])] }
    let store = try await open(sync, origin: 1)
    sync.setOnline(false)
    let commits = try ["1", "2"].map { try store.change(.note($0)) }
    for commit in commits { try await commit.durable() }
    let told = Lock<[[EntryID]]>([])
    let token = store.observe { [weak store] _, _ in
      if let listed = store?.refusals.map(\.record.id) { told.withLock { $0.append(listed) } }
    }
    sync.setOnline(true)
    try await catchUp(store, sync)
    #expect(told.withLock { $0 } == [[], [commits[0].id]])
    token.cancel()
    await store.close()
  }

  @Test("the commit of an empty list is durable with its requirement, and does not wait for the server")
  func nothing() async throws {
    let sync = MemorySync()
    let store = try await open(sync, origin: 1)
    sync.setOnline(false)
    let commit = try store.change(.note("1"))
    let empty = try store.change([], requires: commit)
    try await commit.durable()
    #expect(try empty.stored?.current?.get() == 1)
    await store.close()
  }

  @Test("the status is open again after a failed wait, although there are no news", .timeLimit(.minutes(20)))
  func away() async throws {
    let sync = MemorySync()
    sync.contents.withLock { $0.devices[0].waitFailures = [JournalError(.unavailable, journal: "device 0", message: "is out of reach.")] }
    let (pauses, pausing) = AsyncStream<Void>.makeStream()
    var options = StoreOptions()
    options.environment.origin = { .test(1) }
    options.environment.sleep = { _ in pausing.yield() }
    let store = try await Store.open(
      SyncedBoard.initial(Data([1])), in: MemorySyncedJournal(sync), options: options)
    for await _ in pauses { break }
    for await status in store.statuses where status == .open { break }
    #expect(store.status == .open)
    await store.close()
  }

  @Test("a retry that the outbox cannot hold leaves the refused change in the list")
  func unencodable() async throws {
    let sync = MemorySync()
    sync.perform { $0.policy.denied = [SyncedBoard.payload([.note("3")])] }
    let store = try await open(sync, origin: 1)
    let commit = try store.change(.note("3"))
    await #expect(throws: CommitError<Refusal>.refused(code: "denied")) { try await commit.confirmed() }
    try await catchUp(store, sync)
    sync.perform { $0.devices[0].unencodable = "3" }
    let retry = try #require(try store.retry(store.refusals[0]))
    await #expect(throws: CommitError<Refusal>.self) { try await retry.durable() }
    #expect(store.refusals.map(\.record.id) == [commit.id])
    await store.close()
  }

  private func news(_ steps: [MirrorNews<Counting>.Step] = [], to revision: Int64? = nil, entering: [MirrorNews<Counting>.Entering] = [])
    -> MirrorNews<Counting>
  {
    var news = MirrorNews<Counting>()
    news.steps = steps
    news.entering = entering
    news.head = revision.map {
      Head(journal: JournalID(Origin.test(0).uuid), revision: Revision($0), checksum: Checksum(high: 0, low: UInt64($0)))
    }
    return news
  }

  @Test("hidden work is no step to undo")
  func steps() throws {
    var replica = Replica(synced: Counting(), window: 100, origin: .test(1), scope: .journal, limit: 100_000)
    var report = Replica<Counting>.Report()
    for change in [Counting.Change.add(1), .take] { _ = try replica.change(.changes([change]), cause: nil, requirement: nil, now: 0) }
    try replica.absorb(news(entering: replica.takeUnqueued()), wantsSteps: false, into: &report)
    let other = Record<Counting>(revision: 1, id: EntryID(origin: .test(9), sequence: 1), time: 0, kind: .changes([.take]))
    try replica.absorb(news([.accepted(other)], to: 1), wantsSteps: false, into: &report)
    replica.rebase(into: &report)
    #expect(replica.undecided.map(\.isHidden) == [false, true])
    let steps = replica.folded.undoSteps(in: .journal)
    #expect(steps.undoable == [other.id, EntryID(origin: .test(1), sequence: 1)])
    #expect(try replica.undo(redo: false, now: 0).targets.first == steps.undoable.last)
  }

  @Test("a retry that the state refuses changes nothing")
  func refusedRetry() throws {
    var replica = Replica(synced: Counting(), window: 100, origin: .test(1), scope: .journal, limit: 100_000)
    func refused(_ change: Counting.Change, _ number: Int64) -> Record<Counting> {
      Record(revision: 1, id: EntryID(origin: .test(2), sequence: number), time: 0, kind: .changes([change]))
    }
    func fails(_ number: Int64) -> Bool {
      do { _ = try replica.retry(refused(.take, number), requires: nil, keepsStamp: true) } catch { return true }
      return false
    }
    #expect(!fails(1) && fails(2))
    _ = try replica.retry(refused(.add(5), 3), requires: nil, keepsStamp: true)
    #expect(fails(4) && replica.state.total == 5 && replica.state.tickets == 0 && replica.pendingCount == 2)
    _ = try replica.change(.changes([.add(1)]), cause: nil, requirement: nil, now: 0)
    #expect(replica.state.total == 6)
    var empty = Replica(synced: Counting(), window: 100, origin: .test(1), scope: .journal, limit: 100_000)
    var report = Replica<Counting>.Report()
    let other = Record<Counting>(revision: 1, id: EntryID(origin: .test(9), sequence: 1), time: 0, kind: .changes([.take]))
    try empty.absorb(news([.accepted(other)], to: 1), wantsSteps: false, into: &report)
    #expect(throws: CommitError<Refusal>.self) { try empty.retry(refused(.take, 1), requires: nil, keepsStamp: true) }
    #expect(empty.pendingCount == 0 && empty.state == empty.history.state)
  }

  @Test("a file that takes a draft and does not show it ends the store", .timeLimit(.minutes(20)))
  func endless() async throws {
    let sync = MemorySync(devices: 2)
    let (first, clone) = (try await open(sync, origin: 1), try await open(sync, device: 1, origin: 1))
    _ = try await first.change(.note("1")).confirmed()
    try await catchUp(clone, sync, device: 1)
    let commit = try clone.change(.note("2"))
    await #expect(throws: CommitError<Refusal>.self) { try await commit.durable() }
    #expect(await clone.close().map(\.record.id) == [commit.id])
    await first.close()
  }
}
