import Alter
import AlterCore
import AlterTesting
import Testing

@Suite("The search for the entry with which an old request appeared", .timeLimit(.minutes(20)))
struct SearchTests {
  private let service = Service()
  /// The journal's clock, by which leases expire.
  private let time = TestClock()
  private let clock = TestClock()
  private let journal: MemoryJournal

  init() {
    let time = time
    journal = MemoryJournal(now: { time.now })
  }

  private var saving: Feedback<Desk, Service> {
    Feedback("save", when: \.isWanted) { service, effect in
      .done(await service.ask("save", key: effect.key, epoch: effect.epoch))
    }
  }

  private var options: FeedbackOptions {
    var options = FeedbackOptions()
    options.lease = .seconds(30)
    options.clock = clock.clock
    return options
  }

  private func open<State: Journaled>(_ state: State, in journal: any Journal) async throws -> Store<State> {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    options.followsOthers = false
    return try await Store.open(state, in: journal, options: options)
  }

  /// Opens a journal with an old request, through a journal that can hold its reads.
  private func openWithOldRequest() async throws -> (store: Store<Desk>, simulated: SimulatedJournal, asked: EntryID) {
    let store = try await open(Desk(), in: journal)
    let asked = try store.change(.begin)
    for number in 0..<500 { try store.change(.count(number)) }
    await store.close()
    let simulated = SimulatedJournal(journal)
    return (try await open(Desk(), in: simulated), simulated, asked.id)
  }

  @Test("keeps the lease, however long it takes")
  func renews() async throws {
    let (store, simulated, asked) = try await openWithOldRequest()
    simulated.nextReads(.hold)
    let loop = store.run([saving], in: service, options: options)
    await simulated.waitUntilHeld()
    for _ in 0..<5 {
      await clock.sleepers(1)
      time.advance(by: .seconds(20))
      clock.advance(by: .seconds(10))
      await clock.sleepers(1)
      let lease = try #require(try await journal.leases().first)
      #expect(lease.expires == time.now + 30_000_000 && lease.epoch == 1)
    }
    await #expect(throws: JournalError.self) { try await journal.lease("feedback/save", for: .random(), lasting: .seconds(30)) }
    #expect(service.requests.isEmpty)
    simulated.release()
    await service.waitForCalls(1)
    #expect(service.calls[0].key?.entry == asked && service.calls[0].epoch == 1)
    service.answer(0)
    await loop.stop()
    await store.close()
  }

  @Test(
    "ends at the floor of a compacted journal: a request from below has one key in every store", arguments: [300, 501] as [Revision])
  func belowFloor(first: Revision) async throws {
    let (earlier, _, asked) = try await openWithOldRequest()
    await earlier.close()
    try await Store<Desk>.compact(journal, keeping: .from(first))
    #expect(try await journal.entry(asked) == nil)
    var keys: [EntryID?] = []
    for number in 0..<2 {
      let store = try await open(Desk(), in: journal)
      let loop = store.run([saving], in: service, options: options)
      await service.waitForCalls(number + 1)
      keys.append(service.calls[number].key?.entry)
      // The effect is cancelled, and its answer comes too late.
      async let stopped: Void = loop.stop()
      await service.waitForCancellations(number + 1)
      service.answer(number)
      await stopped
      #expect(store.state.isWanted)
      await store.close()
      time.advance(by: .seconds(31))
    }
    #expect(keys[0] == keys[1] && keys[0] != nil && keys[0] != asked)
  }

  @Test("finds a request above the floor, however short the journal is")
  func aboveFloor() async throws {
    let before = try await open(Desk(), in: journal)
    for number in 0..<20 { try before.change(.count(number)) }
    let asked = try before.change(.begin)
    await before.close()
    try await Store<Desk>.compact(journal, keeping: .from(10))
    let store = try await open(Desk(), in: journal)
    let loop = store.run([saving], in: service, options: options)
    await service.waitForCalls(1)
    #expect(service.calls[0].key?.entry == asked.id)
    service.answer(0)
    await loop.stop()
    await store.close()
  }

  @Test("goes on after a compaction that has overtaken it")
  func overtaken() async throws {
    let (store, simulated, asked) = try await openWithOldRequest()
    simulated.nextReads(.hold)
    let loop = store.run([saving], in: service, options: options)
    await simulated.waitUntilHeld()
    try await Store<Desk>.compact(journal, keeping: .from(400))
    simulated.release()
    // The next renewal of the lease begins another search.
    while service.calls.isEmpty {
      await clock.sleepers(1)
      clock.advance(by: .seconds(10))
      for _ in 0..<100 where service.calls.isEmpty { await Task.yield() }
    }
    #expect(service.calls[0].key?.entry != asked)
    service.answer(0)
    await loop.stop()
    await store.close()
  }

  @Test("starts no effect when the lease has been taken over meanwhile; it starts with what was found once the lease is back")
  func takenOver() async throws {
    let (store, simulated, asked) = try await openWithOldRequest()
    simulated.nextReads(.hold)
    let loop = store.run([saving], in: service, options: options)
    await simulated.waitUntilHeld()
    await clock.sleepers(1)
    // As if this process had been stopped: the clock of the other processes advanced.
    time.advance(by: .seconds(31))
    let other = try await journal.lease("feedback/save", for: .random(), lasting: .seconds(3_600))
    simulated.nextLeases(.hold)
    simulated.release()
    // The loop has found the entry. Before it starts the effect, it asks whether it still has the lease.
    let next = AsyncStream<String>.makeStream()
    Task {
      await simulated.waitUntilHeld()
      next.continuation.yield("asks")
    }
    Task { [service] in
      await service.waitForCalls(1)
      next.continuation.yield("starts")
    }
    for await what in next.stream {
      try #require(what == "asks")
      break
    }
    #expect(service.requests.isEmpty && loop.phases == [.waiting])
    let reads = simulated.readCount
    simulated.release()
    clock.advance(by: .seconds(10))
    await clock.sleepers(1)
    #expect(service.requests.isEmpty && loop.phases == [.waiting])
    try await journal.release(other)
    clock.advance(by: .seconds(10))
    await service.waitForCalls(1)
    #expect(service.calls[0].key?.entry == asked && service.calls[0].epoch == 3)
    #expect(simulated.readCount == reads)
    service.answer(0)
    await loop.stop()
    await store.close()
  }

  @Test("ends with a report when the journal can't be read, and is tried again after a passing failure")
  func fails() async throws {
    let (store, simulated, asked) = try await openWithOldRequest()
    var problems = store.problems.makeAsyncIterator()
    simulated.nextReads(.fail(JournalError(.unavailable, journal: "memory", message: "is busy.")))
    var loop = store.run([saving], in: service, options: options)
    // The search is repeated at the first renewal after its failure, which need not be the first renewal.
    while service.requests.isEmpty {
      await clock.sleepers(1)
      clock.advance(by: .seconds(10))
      await Task.yield()
    }
    #expect(service.calls[0].key?.entry == asked)
    service.answer(0)
    await loop.stop()

    // Only for a request that is confirmed when the loop starts is an entry sought.
    try await store.change(.begin).durable()
    simulated.nextReads(.fail(JournalError(.failed, journal: "memory", message: "can't be read.")))
    loop = store.run([saving], in: service, options: options)
    let problem = await problems.next()
    let words = "The feedback 'save': the entry of a request can't be found, so it has stopped."
    #expect(problem?.description.hasPrefix(words) == true)
    await loop.stop()
    // The loop has released its lease.
    _ = try await journal.lease("feedback/save", for: .random(), lasting: .seconds(30))
    await store.close()
  }

  @Test("leaves to the keeper what appears when the lease has run out by the clock of this process")
  func runOut() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await open(Desk(), in: simulated)
    let sending = Feedback<Desk, Service>("send", each: \.letters, where: { !$0.isSent }) { letter, service, effect in
      _ = await service.ask("\(letter.id)", key: effect.key, epoch: effect.epoch)
      return nil
    }
    let loop = store.run([sending], in: service, options: options)
    try store.change(.letter(Desk.Letter(id: 1)))
    await service.waitForCalls(1)
    await clock.sleepers(1)
    // The process was stopped for longer than the lease lasts. When it continues, it first asks for the lease.
    simulated.nextLeases(.hold)
    clock.advance(by: .seconds(31))
    await simulated.waitUntilHeld()
    let seen = AsyncStream<Void>.makeStream()
    let token = store.observe { _, state in if state.letters.count == 2 { seen.continuation.finish() } }
    try await store.change(.letter(Desk.Letter(id: 2))).durable()
    for await _ in seen.stream {}
    #expect(service.requests == ["1"] && loop.phases == [.running, .waiting])
    simulated.release()
    await service.waitForCalls(2)
    for call in 0..<2 { service.answer(call) }
    await loop.stop()
    await store.close()
    withExtendedLifetime(token) {}
  }

  // MARK: Memory

  /// Counts the living states. Each state has its own object for this.
  private final class Census: Sendable {
    private let counts = Lock((alive: 0, most: 0))
    var most: Int { counts.withLock { $0.most } }
    var alive: Int { counts.withLock { $0.alive } }
    func add(_ number: Int) {
      counts.withLock { counts in
        counts.alive += number
        counts.most = max(counts.most, counts.alive)
      }
    }
    func restart() { counts.withLock { $0.most = $0.alive } }
  }

  private final class Marker: Sendable {
    static let census = Census()
    init() { Self.census.add(1) }
    deinit { Self.census.add(-1) }
  }

  private struct Marked: Journaled {
    enum Change: Hashable, Codable { case begin, count(Int), done }
    private(set) var isWanted = false
    private(set) var count = 0
    private var marker = Marker()

    enum CodingKeys: CodingKey { case isWanted, count }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      marker = Marker()
      switch change {
      case .begin: isWanted = true
      case .count(let count): self.count = count
      case .done: isWanted = false
      }
    }
  }

  @Test("keeps few states at a time, although it passes some ten thousand entries")
  func memory() async throws {
    var store = try await open(Marked(), in: journal)
    for number in 0..<100 { try store.change(.count(number)) }
    let asked = try store.change(.begin)
    for number in 0..<20_000 {
      try store.change(.count(number))
      if number % 1_000 == 0 { try await store.change(.count(0)).durable() }
    }
    await store.close()
    store = try await open(Marked(), in: journal)
    let before = Marker.census.alive
    Marker.census.restart()
    let key = AsyncStream<IdempotencyKey>.makeStream()
    let feedback = Feedback<Marked, Void>("work", when: \.isWanted) { _, effect in
      key.continuation.yield(effect.key)
      return .done
    }
    let loop = store.run([feedback], options: options)
    for await key in key.stream {
      #expect(key.entry == asked.id)
      break
    }
    // The undo window needs one of 64 states, twice, and a few are being computed.
    #expect(Marker.census.most - before < 200, "\(Marker.census.most) with \(before) before")
    await loop.stop()
    await store.close()
  }
}
