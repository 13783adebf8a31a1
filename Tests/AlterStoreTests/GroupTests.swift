import Alter
import AlterCore
import AlterTesting
import StoreTesting
import Testing

@testable import AlterJournal
@testable import AlterStore

/// Stores of one process that wait for turns of one journal, and append together.
@Suite("A group of stores", .timeLimit(.minutes(20))) struct GroupTests {
  private static func stores(_ count: Int, _ shared: GroupJournal.Shared, _ clock: TestClock? = nil) async throws -> [Store<Board>] {
    var stores: [Store<Board>] = []
    for number in 0..<count {
      var options = patient(.sharedJournal, clock)
      options.scope = UndoScope(rawValue: "store \(number)")
      stores.append(try await Store.open(Board(), in: GroupJournal(shared), options: options))
    }
    return stores
  }

  /// Options with which no waiting ends with `notYet`: the clock of a test may run faster than its stores.
  private static func patient(_ options: StoreOptions, _ clock: TestClock?) -> StoreOptions {
    var options = clock?.options(options) ?? options
    options.outageTimeout = .seconds(1_000_000_000)
    return options
  }

  /// The stores that wait, by their changes: the first one leads.
  private static func contend(_ stores: [Store<Board>]) {
    for store in stores { store.core.withLock { $0.contention.lost() } }
  }

  /// Holds the next turn until a number of stores wait for the one that takes it.
  ///
  /// - Returns: A promise that is kept when the turn begins.
  @discardableResult
  private static func hold(_ shared: GroupJournal.Shared, until waiting: Int) -> Promise<Void> {
    let begun = Promise<Void>()
    shared.beforeTurn.withLock { hook in
      hook = {
        begun.resolve(())
        while shared.group.waitingCount < waiting { await Task.yield() }
        shared.beforeTurn.withLock { $0 = nil }
        return nil
      }
    }
    return begun
  }

  /// Moves a clock without pause.
  private static func time(of clock: TestClock) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        clock.advance(by: .milliseconds(100))
        await Task.yield()
      }
    }
  }

  private static func notes(in shared: GroupJournal.Shared) async throws -> [String] {
    try await Store<Board>.state(at: try await shared.memory.verify().revision, in: shared.memory).notes
  }

  @Test("appends the work of all that wait with one append, and each store shows all of it")
  func together() async throws {
    let shared = GroupJournal.Shared(MemoryJournal())
    let stores = try await Self.stores(4, shared)
    Self.contend(stores)
    Self.hold(shared, until: 3)
    let commits = try stores.enumerated().map { number, store in try store.change([.note("\(number)"), .mark]) }
    for commit in commits { try await commit.durable() }
    #expect(shared.parts.withLock { $0 } == [4])
    #expect(try await shared.memory.verify().revision == 5)
    for store in stores {
      for await notes in store.values(of: { $0.notes }) where notes.count == 8 { break }
      await store.close()
    }
    #expect(Set(try await Self.notes(in: shared)).isSuperset(of: ["0", "1", "2", "3"]))
  }

  @Test("keeps each writer's order, and each change once, whatever becomes of the appends", arguments: 0..<12)
  func faults(seed: UInt64) async throws {
    let shared = GroupJournal.Shared(MemoryJournal())
    let clock = TestClock()
    let stores = try await Self.stores(6, shared, clock)
    Self.contend(stores)
    var generator = SeededGenerator(seed: seed)
    shared.faults.withLock { faults in
      faults = (0..<40).map { _ in
        Bool.random(using: &generator) ? .none : GroupJournal.Fault.allCases.randomElement(using: &generator)!
      }
    }
    // The first append is that of all six.
    Self.hold(shared, until: 5)
    let time = Self.time(of: clock)
    defer { time.cancel() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask { for change in 0..<30 { try await store.change(.note("\(number) \(change)")).durable() } }
      }
      try await group.waitForAll()
    }
    let notes = try await Self.notes(in: shared)
    #expect(notes.count == 6 * 30)
    for number in 0..<6 { #expect(notes.filter { $0.hasPrefix("\(number) ") } == (0..<30).map { "\(number) \($0)" }) }
    for store in stores {
      for await count in store.values(of: { $0.notes.count }) where count == notes.count { break }
      #expect(store.state.notes == notes)
      await store.close()
    }
    #expect(shared.parts.withLock { $0.contains { $0 > 1 } })
  }

  @Test("takes only work that needs no turn of its own, and the rest gets the outcome that it has alone")
  func alone() async throws {
    let shared = GroupJournal.Shared(MemoryJournal())
    let stores = try await Self.stores(6, shared)
    let lease = try await shared.memory.lease("work", for: .random(), lasting: .seconds(600))
    try await stores[2].change(.note("undone")).durable()
    // The others' work is in other undo scopes.
    for store in stores { for await notes in store.values(of: { $0.notes.count }) where notes == 1 { break } }
    Self.contend(stores)
    let begun = Self.hold(shared, until: 5)
    // The first one leads.
    let leader = try stores[0].change(.put("x", 1))
    _ = await begun.value()
    let plain = try stores[1].change(.note("plain"))
    async let undo = stores[2].undo()
    let refused = try stores[3].change(.put("x", 2))
    let conditional = try stores[4].make(.change(.note("never")), cause: nil, requires: nil, under: nil) { $0.values["x"] == nil }
    let leased = try stores[5].change(.note("leased"), under: lease)
    try await leader.durable()
    try await plain.durable()
    _ = try await undo
    try await leased.durable()
    await #expect { try await refused.durable() } throws: {
      if case .dropped = $0 as? CommitError<Refusal> { true } else { false }
    }
    await #expect { try await conditional.durable() } throws: {
      if case .conditionFailed = $0 as? CommitError<Refusal> { true } else { false }
    }
    let end = try await shared.memory.verify().revision
    let state = try await Store<Board>.state(at: end, in: shared.memory)
    #expect(state.values == ["x": 1] && Set(state.notes) == ["plain", "leased"])
    for store in stores {
      for await confirmed in store.revisions where confirmed >= end { break }
      #expect(store.state == state)
      await store.close()
    }
  }

  @Test("ends the wait of a store whose journal is out of reach, so that its status shows it")
  func outage() async throws {
    let shared = GroupJournal.Shared(MemoryJournal())
    let clock = TestClock()
    let stores = try await Self.stores(3, shared, clock)
    Self.contend(stores)
    shared.beforeTurn.withLock { hook in
      hook = { JournalError(.unavailable, journal: "memory", message: "is out of reach.") }
    }
    let commits = try stores.enumerated().map { number, store in try store.change(.note("\(number)")) }
    for store in stores { for await status in store.statuses where status != .open { break } }
    shared.beforeTurn.withLock { $0 = nil }
    let time = Self.time(of: clock)
    defer { time.cancel() }
    for commit in commits { try await commit.durable() }
    for store in stores {
      for await status in store.statuses where status == .open { break }
      await store.close()
    }
    #expect(Set(try await Self.notes(in: shared)) == ["0", "1", "2"])
  }

  @Test("never drops work that another store has appended, when its own store has many entries to read before")
  func behind() async throws {
    let shared = GroupJournal.Shared(MemoryJournal())
    let store = try await Store.open(Board(), in: GroupJournal(shared), options: .notFollowing)
    let rival = try await Store.open(Board(), in: shared.memory, options: .sharedJournal)
    // In the middle of what the store has to read, a state refuses its work.
    try rival.change(.put("x", 1))
    for number in 0..<1_500 { try rival.change(.note("\(number)")) }
    try await rival.change(.take("x")).durable()
    await rival.close()
    let leader = try await Store.open(Board(), in: GroupJournal(shared), options: .notFollowing)
    Self.contend([leader, store])
    let begun = Self.hold(shared, until: 1)
    let first = try leader.change(.note("leader"))
    _ = await begun.value()
    let commit = try store.change(.put("x", 2))
    try await first.durable()
    try await commit.durable()
    #expect(shared.parts.withLock { $0 } == [2])
    #expect(store.state.values == ["x": 2] && store.state.notes.count == 1_501)
    await store.close()
    await leader.close()
  }

  @Test("reports work as possibly written as long as an append of unknown outcome may still be made, also of a store that is behind")
  func doubtful() async throws {
    let shared = GroupJournal.Shared(MemoryJournal())
    let clock = TestClock()
    var stores: [Store<Board>] = []
    for _ in 0..<2 {
      stores.append(try await Store.open(Board(), in: GroupJournal(shared), options: Self.patient(.notFollowing, clock)))
    }
    let rival = try await Store.open(Board(), in: shared.memory, options: .sharedJournal)
    try await rival.change(.note("rival")).durable()
    await rival.close()
    Self.contend(stores)
    let begun = Self.hold(shared, until: 1)
    let (made, make) = (Promise<Void>(), Promise<Void>())
    shared.faults.withLock { $0 = [.lostMeanwhile] }
    shared.meanwhile.withLock { meanwhile in
      meanwhile = {
        made.resolve(())
        _ = await make.value()
      }
    }
    let leader = try stores[0].change(.note("leader"))
    _ = await begun.value()
    let other = try stores[1].change(.note("other"))
    _ = await made.value()
    // It waits for the row.
    while stores[1].core.withLock({ $0.replica.writing.number != nil }) { await Task.yield() }
    let time = Self.time(of: clock)
    defer { time.cancel() }
    let leftOver = await stores[1].close(deadline: .seconds(5))
    #expect(leftOver.count == 1 && leftOver.allSatisfy(\.mayBeWritten))
    await #expect { try await other.durable() } throws: {
      if case .unknown = $0 as? CommitError<Refusal> { true } else { false }
    }
    #expect(shared.doubts.withLock { $0.contains(other.id) })
    make.resolve(())
    try await leader.durable()
    #expect(try await Self.notes(in: shared) == ["rival", "leader", "other"])
    let resumed = try await Store.open(Board(), in: GroupJournal(shared), resuming: leftOver, options: .sharedJournal)
    await resumed.close()
    #expect(try await Self.notes(in: shared) == ["rival", "leader", "other"])
    await stores[0].close()
  }

  @Test("leaves the work of a store that was closed at its deadline, and of one that waits, to the stores")
  func closed() async throws {
    let shared = GroupJournal.Shared(MemoryJournal())
    let clock = TestClock()
    let stores = try await Self.stores(3, shared, clock)
    Self.contend(stores)
    let (held, hold) = (Promise<Void>(), Lock(true))
    shared.beforeTurn.withLock { hook in
      hook = {
        let isFirst = hold.withLock { hold in
          defer { hold = false }
          return hold
        }
        if isFirst { _ = await held.value() }
        return nil
      }
    }
    let leader = try stores[0].change(.note("leader"))
    while hold.withLock({ $0 }) { await Task.yield() }
    let left = try stores[1].change(.note("left"))
    let kept = try stores[2].change(.note("kept"))
    while shared.group.waitingCount < 2 { await Task.yield() }
    let leftOver = await closeAtDeadline(stores[1], clock)
    #expect(leftOver.count == 1 && leftOver.allSatisfy { !$0.mayBeWritten })
    await #expect(throws: CommitError<Refusal>.self) { try await left.durable() }
    held.resolve(())
    try await leader.durable()
    try await kept.durable()
    #expect(Set(try await Self.notes(in: shared)) == ["leader", "kept"])
    // The store that resumes the work writes it once.
    let resumed = try await Store.open(Board(), in: GroupJournal(shared), resuming: leftOver, options: .sharedJournal)
    await resumed.close()
    #expect(Set(try await Self.notes(in: shared)) == ["leader", "kept", "left"])
    await stores[0].close()
    await stores[2].close()
  }
}

@Suite("The group of a journal's writers") struct AppendGroupTests {
  private final class Member: GroupMember {
    let calls = Lock<[String]>([])
    let leadership = Lock<Turn?>(nil)
    func lead(_ leadership: Turn) {
      calls.withLock { $0.append("lead") }
      self.leadership.withLock { $0 = leadership }
    }
    func goAlone() { calls.withLock { $0.append("alone") } }
  }

  @Test("has one leader at a time, in the order of joining, and replaces a leader whose leadership was released")
  func order() throws {
    let group = AppendGroup()
    let members = (0..<4).map { _ in Member() }
    var first = group.join(members[0])
    #expect(first != nil && members.dropFirst().allSatisfy { group.join($0) == nil })
    #expect(group.claim() === members[1])
    first?.end()
    first?.end()
    #expect(members.map { $0.calls.withLock { $0 } } == [[], [], ["lead"], []])
    // Dropped, not ended.
    members[2].leadership.withLock { $0 = nil }
    #expect(members[3].calls.withLock { $0 } == ["lead"])
    first = nil
    #expect(group.join(members[0]) == nil && group.waitingCount == 1)
    group.dissolve()
    #expect(members[0].calls.withLock { $0 } == ["alone"])
    // The end of a leadership from before changes nothing.
    let next = try #require(group.join(members[1]))
    members[3].leadership.withLock { $0 }?.end()
    #expect(group.join(members[2]) == nil)
    next.end()
    #expect(members[2].calls.withLock { $0 } == ["lead", "lead"] && group.claim() == nil)
  }
}
