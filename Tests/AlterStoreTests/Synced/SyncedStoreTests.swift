import Alter
import AlterSyncCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

@Suite("Stores of a synced journal")
struct SyncedStoreTests {
  private func open(_ sync: MemorySync, device: Int = 0, origin: UInt8) async throws -> Store<Board> {
    var options = StoreOptions()
    options.environment.origin = { .test(origin) }
    return try await Store.open(SyncedBoard.initial(Data([1])), in: MemorySyncedJournal(sync, device: device), options: options)
  }

  /// Waits until a store shows a state.
  private func wait(_ store: Store<Board>, until condition: @escaping @Sendable (Board) -> Bool) async {
    for await isMet in store.values(of: condition) where isMet { return }
  }

  /// Waits until a store has absorbed all transactions of its device.
  private func catchUp(_ store: Store<Board>, _ sync: MemorySync, device: Int = 0) async throws {
    let count = sync.contents.withLock { Int64($0.devices[device].log.count) }
    var version: Int64 = -1
    while store.core.withLock({ $0.synced.transaction }) < count {
      try await store.watch.wait(past: version)
      version = store.core.withLock { $0.version }
    }
  }

  @Test("a change is durable offline, and confirmed once the server has decided; the initial state stands until the first contact")
  func offlineFirst() async throws {
    let sync = MemorySync()
    sync.setOnlineFromTheStart(false)
    let store = try await open(sync, origin: 1)
    #expect(store.state.notes == ["initial 1"] && store.revision == 0)
    let commit = try store.change(.note("5"))
    try await commit.durable()
    #expect(store.state.notes == ["initial 1", "5"] && store.revision == 0)
    #expect(store.unconfirmed.map(\.record.id) == [commit.id])
    #expect(commit.promise?.current == nil)
    sync.setOnline(true)
    #expect(try await commit.confirmed() == 2)
    try await catchUp(store, sync)
    #expect(store.state.notes == ["initial 7", "5"] && store.confirmed.state == store.state)
    #expect(store.unconfirmed.isEmpty && store.refusals.isEmpty)
    await store.close()
  }

  @Test("closing waits until everything is durable, and not for the server; the next process has the same view, and learns the verdict")
  func closing() async throws {
    let sync = MemorySync()
    let store = try await open(sync, origin: 1)
    sync.setOnline(false)
    let commit = try store.change(.put("a", 1))
    #expect(await store.close().isEmpty)
    #expect(throws: CommitError<Refusal>.notYet(.closed("device 0"))) { try commit.promise?.current?.get() }
    try await commit.durable()
    let next = try await open(sync, origin: 2)
    #expect(next.state.values == ["a": 1] && next.unconfirmed.map(\.record.id) == [commit.id])
    sync.setOnline(true)
    try await catchUp(next, sync)
    #expect(next.unconfirmed.isEmpty && next.confirmed.state.values == ["a": 1])
    await next.close()
  }

  @Test("two processes of a device share the outbox; what another process has made impossible is hidden, and the server decides")
  func twoProcesses() async throws {
    let sync = MemorySync(devices: 2)
    let first = try await open(sync, origin: 1)
    let second = try await open(sync, origin: 2)
    let far = try await open(sync, device: 1, origin: 3)
    sync.setOnline(false)
    let mine = try first.change(.put("a", 1))
    try await mine.durable()
    await wait(second) { $0.values["a"] == 1 }
    let dependent = try second.change(.add("a", 1))
    try await dependent.durable()
    // Another device takes the name first.
    _ = try await far.change(.put("a", 10)).confirmed()
    sync.setOnline(true)
    await #expect(throws: CommitError<Refusal>.refused(code: "refused")) { try await mine.confirmed() }
    #expect(try await dependent.confirmed() == 4)
    for store in [first, second] { try await catchUp(store, sync) }
    #expect(first.state.values == ["a": 11] && second.state == first.state)
    #expect(first.refusals.map(\.record.id) == [mine.id] && second.refusals.map(\.code) == ["refused"])
    for store in [first, second, far] { await store.close() }
  }

  @Test("refused changes are retried and dismissed in bulk and in order; a retry makes the same ids")
  func retries() async throws {
    let sync = MemorySync()
    let denied: [Board.Change] = [.put("a", 1), .mark, .note("3")]
    sync.perform { $0.policy.denied = Set(denied.map { SyncedBoard.payload([$0]) }) }
    let store = try await open(sync, origin: 1)
    var commits: [Commit<Board>] = []
    let made = try denied.map { change in
      commits.append(try store.change(change))
      return store.state.notes.last
    }
    for commit in commits {
      await #expect(throws: CommitError<Refusal>.refused(code: "denied")) { try await commit.confirmed() }
    }
    try await catchUp(store, sync)
    #expect(store.state.notes == ["initial 7"] && store.refusals.map(\.record.id) == commits.map(\.id))
    sync.perform { $0.policy.denied = [] }
    let listed = store.refusals
    let results = store.retry(listed.prefix(2))
    // At once, and only once.
    #expect(store.refusals.map(\.record.id) == [commits[2].id])
    #expect(try store.retry(listed[0]) == nil)
    let second = try #require(try results[commits[1].id]?.get())
    #expect(try await second.confirmed() == 6)
    #expect(try await results[commits[0].id]?.get().confirmed() == 5)
    try await catchUp(store, sync)
    #expect(store.state.values == ["a": 1] && store.state.notes.last == made[1])
    try await store.dismiss([listed[2], listed[0]])
    #expect(store.refusals.isEmpty)
    // A change that the state refuses now stays in the list.
    sync.perform { $0.policy.denied = [SyncedBoard.payload([.put("b", 1)])] }
    let late = try store.change(.put("b", 1))
    _ = try? await late.confirmed()
    try await catchUp(store, sync)
    sync.perform { $0.policy.denied = [] }
    _ = try await store.change(.put("b", 2)).confirmed()
    try await catchUp(store, sync)
    let error = #expect(throws: RetryError<Refusal>.self) { try store.retry(store.refusals[0]) }
    #expect(error?.description.hasPrefix("The visible state refuses the change, too.") == true)
    #expect(store.refusals.map(\.record.id) == [late.id])
    await store.close()
  }

  @Test(
    "two processes that retry the same refused change at once make it once; a dismissal after a retry is ignored", arguments: [false, true])
  func retriedTwice(isSecondTold: Bool) async throws {
    let sync = MemorySync()
    let payload = SyncedBoard.payload([.note("3")])
    sync.perform { $0.policy.denied = [payload] }
    let stores = [try await open(sync, origin: 1), try await open(sync, origin: 2)]
    _ = try? await stores[0].change(.note("3")).confirmed()
    for store in stores { try await catchUp(store, sync) }
    sync.perform { $0.policy.denied = [] }
    sync.setOnline(false)
    let refused = stores[0].refusals
    // The second process learns of the first one's retry before it writes its own.
    let turn = isSecondTold ? try await stores[1].gate.take() : nil
    let retries = try stores.map { try #require(try $0.retry(refused[0])) }
    if let turn {
      try await retries[0].durable()
      try await stores[1].absorb(from: MemorySyncedJournal(sync))
      turn.end()
    }
    for store in stores { try await store.dismiss(refused) }
    var errors: [CommitError<Refusal>] = []
    for retry in retries { do throws(CommitError<Refusal>) { try await retry.durable() } catch { errors.append(error) } }
    guard errors.count == 1, case .failed(let error) = errors[0] else {
      Issue.record("\(errors)")
      return
    }
    #expect(error.code == .conflict && error.description.contains("another process of the device has retried or dismissed it"))
    for store in stores {
      try await catchUp(store, sync)
      #expect(store.unconfirmed.count == 1 && store.refusals.isEmpty && store.state.notes == ["initial 7", "3"])
    }
    sync.setOnline(true)
    for store in stores {
      try await catchUp(store, sync)
      #expect(store.unconfirmed.isEmpty && store.confirmed.state.notes == ["initial 7", "3"])
      await store.close()
    }
  }

  @Test("an undo and a redo are made when the file has them, also offline; their commits wait for the server", .timeLimit(.minutes(2)))
  func undoOffline() async throws {
    let sync = MemorySync()
    let store = try await open(sync, origin: 1)
    let change = try store.change(.put("a", 1))
    _ = try await change.confirmed()
    sync.setOnline(false)
    let undone = try await store.undo()
    #expect(undone.records.map(\.id) == [change.id] && store.state.values.isEmpty)
    let redone = try await store.redo()
    #expect(redone.records.map(\.id) == [change.id] && store.state.values == ["a": 1])
    #expect(store.unconfirmed.map(\.id) == [undone.commit.id, redone.commit.id] && undone.commit.promise?.current == nil)
    sync.setOnline(true)
    #expect(try await [undone.commit.confirmed(), redone.commit.confirmed()] == [3, 4])
    await store.close()
  }

  @Test("a change that was undone before the server has refused it is not listed; one that was redone is")
  func undoneBefore() async throws {
    let sync = MemorySync()
    sync.perform { $0.policy.denied = [SyncedBoard.payload([.put("a", 1)]), SyncedBoard.payload([.put("b", 2)])] }
    let store = try await open(sync, origin: 1)
    sync.setOnline(false)
    _ = try store.change(.put("a", 1))
    try await store.undo()
    let redone = try store.change(.put("b", 2))
    try await store.undo()
    let last = try await store.redo().commit
    sync.setOnline(true)
    _ = try? await last.confirmed()
    try await catchUp(store, sync)
    #expect(store.unconfirmed.isEmpty && store.refusals.map(\.id) == [redone.id])
    await store.close()
  }

  @Test("observers receive accepted entries alone, a new start after a floor or a restart; the first contact is a transition of its own")
  func starts() async throws {
    let sync = MemorySync(devices: 2, window: 2)
    sync.setOnlineFromTheStart(false)
    let (store, far) = (try await open(sync, origin: 1), try await open(sync, device: 1, origin: 2))
    var transitions = store.transitions.makeAsyncIterator()
    sync.setOnline(true)
    try await catchUp(store, sync)
    sync.perform { $0.policy.denied = [SyncedBoard.payload([.note("9")])] }
    let told = Lock<[String]>([])
    let token = store.observe { record, state in
      told.withLock { $0.append("\(record.map { "\($0.revision)" } ?? "start"): \(state.notes.last ?? "")") }
    }
    let first = sync.contents.withLock { $0.database }
    _ = try? await far.change(.note("9")).confirmed()
    _ = try await far.change(.note("1")).confirmed()
    try await catchUp(store, sync)
    #expect(told.withLock { $0 } == ["start: initial 7", "3: 1"])
    sync.setOnline(false)
    for number in 2...6 { _ = try await far.change(.note("\(number)")).confirmed() }
    let isCompacted = sync.perform { contents in
      defer { contents.process.restart(contents.database) }
      return contents.database.compact(to: 6)
    }
    #expect(isCompacted)
    sync.setOnline(true)
    try await catchUp(store, sync)
    #expect(told.withLock { $0 }.dropFirst(2) == ["start: 4", "7: 5", "8: 6"])
    // The server is restored from a backup, and the operator changes the generation.
    sync.perform { contents in
      contents.database = first
      contents.database.begin(Generation(2))
    }
    try await catchUp(store, sync)
    #expect(told.withLock { $0 }.last == "start: initial 7" && store.state.notes == ["initial 7"])
    var starts: [String] = []
    token.cancel()
    for store in [store, far] { await store.close() }
    while let transition = await transitions.next() {
      switch transition {
      case .contacted(let state): starts.append("contacted: \(state.notes)")
      case .skipped(let revision, _): starts.append("skipped to \(revision)")
      case .restarted: starts.append("restarted")
      default: break
      }
    }
    // Once each: the entry of the initial state is no start of its own.
    #expect(starts == [#"contacted: ["initial 7"]"#, "skipped to 6", "restarted"])
  }

  @Test("a store whose app is outdated shows its own accepted changes, and confirms them")
  func outdated() async throws {
    let sync = MemorySync(devices: 2, schemas: [1, 2])
    let (store, newer) = (try await open(sync, origin: 1), try await open(sync, device: 1, origin: 2))
    _ = try await newer.change(.note("1")).confirmed()
    let commit = try store.change(.note("2"))
    #expect(try await commit.confirmed() == 3)
    try await catchUp(store, sync)
    #expect(store.state.notes == ["initial 7", "2"] && store.revision == 1)
    #expect(store.unconfirmed.isEmpty)
    try await catchUp(newer, sync, device: 1)
    #expect(newer.state.notes == ["initial 7", "1", "2"])
    for store in [store, newer] { await store.close() }
  }

  @Test("an undo names one change for good: two devices that undo it at once revert it once")
  func undo() async throws {
    let sync = MemorySync(devices: 2)
    let (store, far) = (try await open(sync, origin: 1), try await open(sync, device: 1, origin: 2))
    for number in [1, 2] { _ = try await store.change(.note("\(number)")).confirmed() }
    try await catchUp(far, sync, device: 1)
    sync.setOnline(false)
    try store.takeBackAtOnce(redo: false)
    #expect(store.state.notes == ["initial 7", "1"])
    _ = try await far.undo()
    await store.flush()
    sync.setOnline(true)
    try await catchUp(store, sync)
    #expect(store.state.notes == ["initial 7", "1"] && store.refusals.map(\.code) == ["superseded"])
    for store in [store, far] { await store.close() }
  }

  @Test("many tasks of several processes and devices, with a network that comes and goes: every change is confirmed once, and all agree")
  func stress() async throws {
    let sync = MemorySync(devices: 2)
    var stores: [Store<Board>] = []
    for number in 0..<4 { stores.append(try await open(sync, device: number / 2, origin: UInt8(number + 1))) }
    let revisions = try await withThrowingTaskGroup(of: [Revision].self) { group in
      for (number, store) in stores.enumerated() {
        for part in 0..<3 {
          group.addTask {
            var commits: [Commit<Board>] = []
            for value in 0..<40 {
              commits.append(try store.change(.note("\(number * 1_000 + part * 100 + value)")))
              if value % 10 == number { sync.setOnline(value % 20 == number, device: number / 2) }
              if value % 8 == 0 { try await commits[commits.count - 1].durable() }
            }
            var revisions: [Revision] = []
            // Every task ends the outages that it has begun.
            for commit in commits { try await commit.durable() }
            sync.setOnline(true, device: number / 2)
            for commit in commits { revisions.append(try await commit.confirmed()) }
            return revisions
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(revisions).count == 480 && revisions.count == 480)
    for (number, store) in stores.enumerated() { try await catchUp(store, sync, device: number / 2) }
    let state = sync.contents.withLock { $0.database.timeline.state.board }
    #expect(state.notes.count == 481)
    for store in stores {
      #expect(store.state == state && store.confirmed.state == state && store.unconfirmed.isEmpty)
      await store.close()
    }
  }

  @Test("a change that the outbox cannot hold is dropped alone, and a disk that fails for good ends the store")
  func failingDisk() async throws {
    let sync = MemorySync()
    let store = try await open(sync, origin: 1)
    sync.perform { $0.devices[0].unencodable = "2" }
    let commits = try ["1", "2", "3"].map { try store.change(.note($0)) }
    try await commits[0].durable()
    await #expect(throws: CommitError<Refusal>.self) { try await commits[1].durable() }
    #expect(try await commits[2].confirmed() == 3)
    try await catchUp(store, sync)
    #expect(store.state.notes == ["initial 7", "1", "3"])
    #expect(throws: ChangeError<Refusal>.self) { try store.reset(to: Board()) }
    sync.perform { $0.devices[0].failure = JournalError(.failed, journal: "device 0", message: "lost its disk.") }
    let lost = try store.change(.note("4"))
    await #expect(throws: CommitError<Refusal>.self) { try await lost.durable() }
    #expect(await store.close().map(\.record.id) == [lost.id])
  }
}

extension MemorySync {
  /// Sets the network before a device's engine has started.
  func setOnlineFromTheStart(_ isOnline: Bool) { contents.withLock { $0.devices[0].isOnline = isOnline } }
}
