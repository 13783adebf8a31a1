import Alter
import AlterCore
import AlterTesting
import StoreTesting
import Testing

@testable import AlterStore

@Suite("The snapshot of an orderly close", .timeLimit(.minutes(20)))
struct ClosingSnapshotTests {
  let journal = MemoryJournal()

  private var options: StoreOptions { StoreOptions.notFollowing }

  /// Makes notes of some 290 bytes in a store, and closes it.
  private func write(_ count: Int, in journal: any Journal, options: StoreOptions) async throws {
    let store = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<count { try store.change(.note("\(number) \(String(repeating: "x", count: 200))")) }
    await store.close()
  }

  private func places() async throws -> [Snapshot.Place] { try await journal.snapshots(upTo: Revision(.max), limit: 10) }

  @Test("saves the next opening all entries, if they are worth it: 16 KB")
  func worthIt() async throws {
    try await write(40, in: journal, options: options)
    #expect(try await places().isEmpty)
    try await write(40, in: journal, options: options)
    let place = try #require(try await places().first)
    #expect(place.revision == 81 && place.base == 81)
    let counting = ScriptedJournal(journal)
    let store = try await Store.open(Board(), in: counting, options: options)
    #expect(store.state.notes.count == 80)
    // That of its checksum.
    #expect(counting.entriesRead == 1)
    // The undo has all its steps: it reads them now.
    #expect(try await store.undo().records.map(\.revision) == [81])
    await store.close()
    try await Store<Board>.verify(journal)
  }

  @Test("follows when a quarter of the last one's size was written, and replaces it")
  func quarter() async throws {
    try await write(400, in: journal, options: options)
    try await write(60, in: journal, options: options)
    // 60 notes are 17 kB, and the snapshot has 83 kB.
    #expect(try await places().map(\.revision) == [401])
    try await write(60, in: journal, options: options)
    #expect(try await places().map(\.revision).first == 521)
    for _ in 0..<6 { try await write(150, in: journal, options: options) }
    #expect(try await places().count <= 4, "one serves the next opening, one lasts, and two will serve an undo")
  }

  @Test("is not made by a store that has only read, that makes no snapshots, or whose window lies behind the last one")
  func unwanted() async throws {
    var none = options
    none.snapshotSpacing = .max
    try await write(200, in: journal, options: none)
    #expect(try await places().isEmpty)
    let reading = try await Store.open(Board(), in: journal, options: options)
    await reading.close()
    #expect(try await places().isEmpty)
    // Its base would be the beginning.
    try await write(1, in: journal, options: .sharedJournal)
    #expect(try await places().isEmpty)
    var narrow = StoreOptions.sharedJournal
    narrow.undoWindow = 50
    try await write(1, in: journal, options: narrow)
    #expect(try await places().map(\.base) == [153])
  }

  @Test("is left out if the journal refuses it, and after a failure of the store")
  func failure() async throws {
    let refusing = ScriptedJournal(journal)
    refusing.fail(.keep, with: JournalError(.failed, journal: "memory", message: "has a full disk."))
    try await write(100, in: refusing, options: options)
    #expect(refusing.count(.keep) == 1)
    #expect(try await places().isEmpty)

    let failing = ScriptedJournal(journal)
    let store = try await Store.open(Board(), in: failing, options: options)
    try await store.change(.note("a")).durable()
    failing.fail(.append, with: JournalError(.failed, journal: "memory", message: "has lost its disk."))
    _ = try? await store.change(.note("b")).durable()
    #expect(await store.close().count == 1)
    #expect(failing.count(.keep) == 0)
    #expect(try await places().isEmpty)
  }

  @Test("does not hold up a close beyond its deadline")
  func deadline() async throws {
    let simulated = ScriptedJournal(journal)
    let clock = TestClock()
    let (begun, go) = (Promise<Void>(), Promise<Void>())
    simulated.onNext(.keep) { _ in
      begun.resolve(())
      _ = await go.value()
    }
    let store = try await Store.open(Board(), in: simulated, options: clock.options(options))
    for number in 0..<100 { try store.change(.note("\(number) \(String(repeating: "x", count: 200))")) }
    let closing = Task { await store.close(deadline: .seconds(5)) }
    _ = await begun.value()
    clock.advance(by: .seconds(6))
    #expect(await closing.value.isEmpty)
    #expect(store.status == .closed)
    #expect(try await places().isEmpty)
    go.resolve(())
    while try await places().isEmpty { await Task.yield() }
    #expect(try await places().map(\.revision) == [101])
  }

  @Test("does not hold up a close while a reading hangs, of a store that follows others or is about to", arguments: [false, true])
  func hangingReading(followsLater: Bool) async throws {
    let scripted = ScriptedJournal(journal)
    var reading = StoreOptions.sharedJournal
    reading.followsLater = followsLater
    let store = try await Store.open(Board(), in: scripted, options: reading)
    try await store.change(.note("own")).durable()
    let (begun, answer) = (Promise<Void>(), Promise<Void>())
    scripted.onNext(.entries) { _ in
      begun.resolve(())
      // A connection that gives no answer: only a cancellation ends the call.
      if await answer.value() == nil { throw JournalError(.cancelled, journal: "memory", message: "was cancelled.") }
    }
    let other = try await Store.open(Board(), in: journal, options: options)
    try await other.change(.note("theirs")).durable()
    let following = Task { () -> JournalError.Code? in
      do throws(JournalError) {
        try await store.beginFollowing(cancelled: .cancelled("memory"))
        return nil
      } catch {
        return error.code
      }
    }
    _ = await begun.value()
    #expect(await store.close().isEmpty)
    #expect(store.status == .closed)
    #expect(await following.value == (followsLater ? JournalError.Code.cancelled : nil))
    answer.resolve(())
  }

  @Test("does not hold up a close while the store reads others' entries: it does not read all of them")
  func longReading() async throws {
    let scripted = ScriptedJournal(journal)
    var reading = StoreOptions.sharedJournal
    reading.followsLater = true
    let store = try await Store.open(Board(), in: scripted, options: reading)
    try await store.change(.note("own")).durable()
    let (begun, go) = (Promise<Void>(), Promise<Void>())
    scripted.onNext(.entries) { _ in
      begun.resolve(())
      _ = await go.value()
    }
    let other = try await Store.open(Board(), in: journal, options: options)
    for number in 0..<20_000 { try other.change(.note("\(number)")) }
    await other.close()
    let following = Task { try? await store.beginFollowing(cancelled: .cancelled("memory")) }
    _ = await begun.value()
    let closing = Task { await store.close() }
    while store.takesChanges { await Task.yield() }
    go.resolve(())
    _ = await closing.value
    await following.value
    #expect(scripted.entriesRead < 5_000)
    #expect(store.revision > 2)
  }
}
