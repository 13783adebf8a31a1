import Alter
import AlterCore
import AlterTesting
import Foundation
import StoreTesting
import Testing

@testable import AlterStore

/// A list whose `apply` calls a hook of the test. The hook is not part of the state, so that the state stays a value. Tests run at the same
/// time, so a line with a hook belongs to one test.
private struct Hooked: Journaled, Hashable {
  enum Change: Hashable, Codable { case add(String) }
  private(set) var lines: [String] = []

  static let hooks = Lock<[String: @Sendable () -> Void]>([:])

  mutating func apply(_ change: Change, at stamp: Stamp) {
    let line =
      switch change {
      case .add(let line): line
      }
    lines.append(line)
    Self.hooks.withLock { $0[line] }?()
  }
}

/// Options of a store that reads other writers' entries only when it appends, with a clock that stands still.
private func apart(_ clock: TestClock = TestClock(), _ change: (inout StoreOptions) -> Void) -> StoreOptions {
  var options = clock.options(.notFollowing)
  change(&options)
  return options
}

@Suite("Long work")
struct LongWorkTests {
  private let journal = MemoryJournal()
  private let options = apart { $0.snapshotSpacing = .max }

  /// Calls `body` each time `line` is applied, until the work ends.
  private func hooking(_ line: String, _ body: @escaping @Sendable () -> Void, during work: () async throws -> Void) async rethrows {
    Hooked.hooks.withLock { $0[line] = body }
    defer { Hooked.hooks.withLock { $0[line] = nil } }
    try await work()
  }

  @Test("a rebase keeps nobody from reading and changing the state, and what is changed meanwhile is made again on top, once")
  func rebase() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await Store.open(Hooked(), in: simulated, options: options)
    let other = try await Store.open(Hooked(), in: journal, options: options)
    let seen = Lock<[[String]]>([])
    for number in 0..<5 { try await other.change(.add("theirs \(number)")).durable() }
    let changed = Lock<Commit<Hooked>?>(nil)
    try await hooking("rebased") {
      // If `apply` were called under the store's lock here, reading would end the process.
      guard let commit = try? store.change(.add("meanwhile \(seen.withLock { $0.count })")) else { return }
      changed.withLock { $0 = commit }
      seen.withLock { $0.append(store.state.lines) }
      Hooked.hooks.withLock { $0["rebased"] = nil }
    } during: {
      // `change` applies it for the first time under the lock, so the hook is disabled. The rebase begins when it is enabled again.
      simulated.nextAppends(.hold)
      let hook = Hooked.hooks.withLock { $0.removeValue(forKey: "rebased") }
      let commit = try store.change(.add("rebased"))
      Hooked.hooks.withLock { $0["rebased"] = hook }
      await simulated.waitUntilHeld()
      simulated.release()
      try await commit.durable()
      try await #require(changed.withLock { $0 }).durable()
    }
    #expect(seen.withLock { $0 } == [["rebased", "meanwhile 0"]])
    let lines = (0..<5).map { "theirs \($0)" } + ["rebased", "meanwhile 0"]
    #expect(store.state.lines == lines)
    #expect(try await Store.open(Hooked(), in: journal, options: options).state.lines == lines)
    await other.close()
    await store.close()
  }

  @Test("an undo keeps nobody from reading the state, in a journal and in memory", arguments: [true, false])
  func undo(isInMemory: Bool) async throws {
    let store = isInMemory ? Store(Hooked(), options: options) : try await Store.open(Hooked(), in: journal, options: options)
    let kept = "kept \(isInMemory)"
    try store.change(.add(kept))
    try store.change(.add("taken back"))
    let seen = Lock<[[String]]>([])
    try await hooking(kept) {
      Hooked.hooks.withLock { $0[kept] = nil }
      seen.withLock { $0.append(store.state.lines) }
    } during: {
      try await store.undo()
    }
    #expect(seen.withLock { $0 } == [[kept, "taken back"]])
    #expect(store.state.lines == [kept])
    await store.close()
  }

  @Test("an undo that others are always quicker than is made all the same")
  func busyUndo() async throws {
    let store = Store(Hooked(), options: options)
    try store.change(.add("busy"))
    try store.change(.add("last"))
    let count = Lock(0)
    try await hooking("busy") {
      // New changes arrive for as long as the store tries the undo outside of the lock.
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number <= 4 { _ = try? store.change(.add("quick \(number)")) }
    } during: {
      try await store.undo()
    }
    #expect(store.state.lines == ["busy", "last", "quick 1", "quick 2", "quick 3"])
    await store.close()
  }

  @Test("`apply` that calls its own store ends the process with a message, and does not hang")
  func recursion() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store(Hooked())
      Hooked.hooks.withLock { $0["twice"] = { _ = store.state } }
      _ = try? store.change(.add("twice"))
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("has called its own store"))
  }

  @Test("of a page of others' work, only what was read before a failure counts")
  func interrupted() async throws {
    let failures = Lock(0)
    let simulated = SimulatedJournal(
      journal, onAppend: { _ in .pass },
      onRead: { _ in
        failures.withLock { count in
          count -= 1
          return count == 0 ? .fail(JournalError(.unavailable, journal: "memory", message: "is away.")) : .pass
        }
      })
    var impatient = options
    // Pauses end at once, and timeouts never.
    impatient.environment.sleep = { if $0 > .seconds(1) { try await Task.sleep(for: .seconds(3_600)) } }
    let store = try await Store.open(Hooked(), in: simulated, options: impatient)
    let other = try await Store.open(Hooked(), in: journal, options: options)
    for number in 0..<2_500 { try other.change(.add("\(number)")) }
    _ = try await other.change(.add("end")).confirmed()
    failures.withLock { $0 = 4 }
    try await store.change(.add("mine")).durable()
    #expect(store.state.lines == (0..<2_500).map(String.init) + ["end", "mine"])
    await other.close()
    await store.close()
  }
}

@Suite("Bytes")
struct BytesTests {
  private let journal = MemoryJournal()
  private let options = apart { $0.snapshotSpacing = .max }
  private let text = String(repeating: "x", count: 1 << 20)

  @Test("of pending work have a limit: change throws full, ready() waits for room, and nothing of it is lost")
  func pending() async throws {
    let isAway = Lock(false)
    let away = JournalError(.unavailable, journal: "memory", message: "is away.")
    let simulated = SimulatedJournal(journal, onAppend: { _ in isAway.withLock { $0 } ? .fail(away) : .pass })
    let clock = TestClock()
    var options = options
    options.environment.sleep = clock.options().environment.sleep
    options.pendingBytesLimit = 8 << 20
    let store = try await Store.open(Hooked(), in: simulated, options: options)
    isAway.withLock { $0 = true }
    var made: [String] = []
    var refusal: ChangeError<Never>?
    // The first append is in flight and waits. The store counts the size of the others in the meantime.
    for number in 0..<200 where refusal == nil {
      do throws(ChangeError<Never>) {
        try store.change(.add("\(number) \(text)"))
        made.append("\(number) ")
      } catch { refusal = error }
      await clock.sleepers(2)
      clock.advance(by: .milliseconds(1_100))
    }
    #expect(refusal == .full(limit: .bytes(8 << 20)))
    #expect((8...40).contains(made.count), "\(made.count)")
    // The append that the last move of the clock has caused has failed, too, and no other one is under way.
    await clock.sleepers(2)
    isAway.withLock { $0 = false }
    let ready = Task { try await store.ready() }
    clock.advance(by: .seconds(600))
    try await ready.value
    _ = try await store.change(.add("last")).confirmed()
    #expect(store.state.lines.map { String($0.prefix(while: { $0 != "x" })) } == made + ["last"])
    await store.close()
  }

  @Test("of large entries bound how far an undo reaches, in the same way on every replica, and what is kept")
  func window() async throws {
    let store = try await Store.open(Hooked(), in: journal, options: options)
    try store.change(.add("small"))
    for number in 0..<200 { try await store.change(.add("\(number) \(text)")).durable() }
    let reach = store.core.withLock { $0.replica.history.records.count }
    #expect(reach < 150, "what lies more than twice 64 MiB back is let go of")
    let opened = try await Store.open(Hooked(), in: journal, options: options)
    for replica in [store, opened] {
      let (undone, error) = await undoAll(replica)
      #expect(error == .outsideWindow(1_000))
      // The first replica has undone these entries, so the second can't undo them again.
      #expect(undone == (replica === store ? 63 : 0), "\(undone)")
    }
    await opened.close()
    await store.close()
  }

  private func undoAll(_ store: Store<Hooked>) async -> (Int, UndoError) {
    var undone = 0
    while true {
      do throws(UndoError) { try await store.undo() } catch { return (undone, error) }
      undone += 1
    }
  }

  @Test("of what others write bound the pages that are read: many large entries are taken in, each once")
  func pages() async throws {
    let store = try await Store.open(Hooked(), in: journal, options: options)
    let other = try await Store.open(Hooked(), in: journal, options: options)
    for number in 0..<40 { try other.change(.add("\(number) \(text)")) }
    _ = try await other.change(.add("end")).confirmed()
    try await store.change(.add("mine")).durable()
    #expect(store.state.lines.map { String($0.prefix(while: { $0 != "x" })) } == (0..<40).map { "\($0) " } + ["end", "mine"])
    #expect(try await Store.open(Hooked(), in: journal, options: options).state == store.state)
    await other.close()
    await store.close()
  }
}

@Suite("Another writer that means harm")
struct TrustTests {
  private let journal = MemoryJournal()
  private let options = apart(TestClock(microseconds: 1_000_000)) { $0.scope = "mine" }

  @Test(
    "can say any time, number and scope: nothing overflows, and others' times and undos stay their own",
    arguments: [Int64.max, .min, 0, -1], [Int64.max, 1])
  func extremes(time: Int64, sequence: Int64) async throws {
    let store = try await Store.open(Hooked(), in: journal, options: options)
    try await store.change(.add("first")).durable()
    let foreign = Entry.Draft(
      kind: .changes, id: EntryID(origin: .test(9), sequence: sequence), time: time, scope: "mine",
      payload: Data(#"[{"add":{"_0":"forged"}}]"#.utf8))
    _ = try await journal.append([foreign], after: try await journal.head())
    let commit = try store.change(.add("second"))
    #expect(try await commit.confirmed() == 4)
    let records = try await store.entries(in: 2...4)
    #expect(records.map(\.time) == [1_000_000, time, 1_000_000])
    #expect(store.state.lines == ["first", "forged", "second"])
    // A forged scope gives no rights. It only means that an undo of this scope reverts the entry.
    for expected in [["first", "forged"], ["first"], []] {
      try await store.undo()
      #expect(store.state.lines == expected)
    }
    let opened = try await Store.open(Hooked(), in: journal, options: options)
    #expect(opened.state.lines == [])
    try await opened.change(.add("third")).durable()
    #expect(try await Store<Hooked>.verify(journal).revision == 8)
    await opened.close()
    await store.close()
  }
}
