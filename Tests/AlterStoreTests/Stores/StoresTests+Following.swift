import Alter
import AlterCore
import AlterTesting
import StoreTesting
import Testing

@testable import AlterStore

// Stores that are only kept open, as by the service of sync.
extension StoresTests {
  /// A disk with one journal, which has some entries of another writer.
  private func watched(_ prepare: @escaping @Sendable (ScriptedJournal) -> Void = { _ in }) -> (MemoryDisk, Lock<ScriptedJournal?>) {
    let journal = Lock<ScriptedJournal?>(nil)
    let disk = MemoryDisk(wrapping: { _, base in
      let watched = ScriptedJournal(base)
      prepare(watched)
      journal.withLock { $0 = watched }
      return watched
    })
    return (disk, journal)
  }

  private func write(_ count: Int, to disk: MemoryDisk) async throws {
    var options = StoreOptions.notFollowing
    options.keepsJournalOpen = true
    let other = try await Store.open(Counter(), in: try #require(disk.journal("a")), options: options)
    for _ in 0..<count { try await other.change(.add(1)).durable() }
    await other.close()
  }

  @Test("a store that is only kept open waits for no entry; the first access brings it to the present, and it follows from then on")
  func keptOpen() async throws {
    let (disk, journal) = watched()
    let stores = makeStores(disk)
    let kept = try await stores.unfollowed("a")
    let watched = try #require(journal.withLock { $0 })
    await until { watched.count(.wait) > 0 }
    #expect(watched.calls(.wait).map(\.revision) == [Revision(.max)])
    try await write(5, to: disk)
    #expect(try await stores.unfollowed("a") === kept)
    #expect(kept.state.count == 0 && watched.calls(.wait).map(\.revision) == [Revision(.max)])
    // Each of them waits for the present state, whichever comes first.
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await stores["a"].state.count } }
      for try await count in group { #expect(count == 5) }
    }
    try await write(2, to: disk)
    for await count in kept.values(of: \.count) where count == 7 { break }
    #expect(disk.openings("a") == 1)
    // It is idle like any other.
    try await kept.change(.add(1)).durable()
    #expect(kept.state.count == 8)
    await stores.close()
  }

  @Test("a store that is only kept open fails with its journal, and the next access opens another one")
  func keptOpenFails() async throws {
    let isFirst = Lock(true)
    let (disk, _) = watched { journal in
      let fails = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard fails else { return }
      journal.fail(.wait, with: JournalError(.diverged, journal: "a", message: "was replaced."))
    }
    let stores = makeStores(disk)
    let kept = try await stores.unfollowed("a")
    await until { !kept.takesChanges }
    #expect(try await stores["a"] !== kept)
    #expect(disk.openings("a") == 2)
    await stores.close()
  }

  @Test("the first access fails as long as the journal is out of reach, and has the present state afterwards")
  func keptOpenDuringOutage() async throws {
    let (disk, journal) = watched()
    let stores = makeStores(disk, quick)
    let kept = try await stores.unfollowed("a")
    let watched = try #require(journal.withLock { $0 })
    try await write(3, to: disk)
    watched.fail([.head, .entries], with: JournalError(.unavailable, journal: "a", message: "is out of reach."))
    for _ in 0..<2 {
      let error = await #expect(throws: JournalError.self) { try await stores["a"] }
      #expect(error?.code == .unavailable)
      #expect(kept.takesChanges)
    }
    watched.fail([.head, .entries], with: nil)
    let store = try await stores["a"]
    #expect(store === kept && store.state.count == 3)
    try await write(1, to: disk)
    for await count in kept.values(of: \.count) where count == 4 { break }
    await stores.close()
  }

  @Test("the first access fails, and the store ends, if the journal is damaged")
  func keptOpenDamaged() async throws {
    let (disk, journal) = watched()
    let stores = makeStores(disk)
    let kept = try await stores.unfollowed("a")
    try await write(3, to: disk)
    try #require(journal.withLock { $0 }).fail([.head, .entries], with: JournalError(.damaged, journal: "a", message: "is damaged."))
    let error = await #expect(throws: JournalError.self) { try await stores["a"] }
    #expect(error?.code == .damaged)
    #expect(!kept.takesChanges)
    // The next access opens another one, with another handle.
    #expect(try await stores["a"].state.count == 3)
    #expect(disk.openings("a") == 2)
    await stores.close()
  }

  @Test("a store that is opened for an access follows at once, without another reading")
  func openedFollowing() async throws {
    let (disk, journal) = watched()
    let stores = makeStores(disk)
    let store = try await stores["a"]
    let watched = try #require(journal.withLock { $0 })
    await until { watched.count(.wait) > 0 }
    #expect(watched.calls(.wait).map(\.revision) == [1])
    try await write(2, to: disk)
    for await count in store.values(of: \.count) where count == 2 { break }
    await stores.close()
  }

  @Test("an access that is cancelled while the store comes to the present throws, and the store follows all the same")
  func cancelledAccess() async throws {
    let (disk, _) = watched()
    let stores = makeStores(disk)
    let kept = try await stores.unfollowed("a")
    try await write(3, to: disk)
    let turn = try await kept.gate.take()
    let access = Task { try await stores["a"] }
    await until { if case .beginning = kept.following.withLock({ $0 }) { true } else { false } }
    access.cancel()
    let error = await #expect(throws: JournalError.self) { try await access.value }
    #expect(error?.code == .cancelled)
    turn.end()
    for await count in kept.values(of: \.count) where count == 3 { break }
    #expect(try await stores["a"] === kept)
    await stores.close()
  }
}
