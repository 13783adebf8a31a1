import Alter
import AlterCore
import AlterTesting
import ProcessTesting
import StoreTesting
import Testing

#if SQLite
  import AlterSQLite
#endif

// The laws of docs/laws.md, "Effects". Each suite has its number.

private func journaled(_ journal: any Journal, now: TestClock? = nil) async throws -> Store<Desk> {
  var options = now?.options() ?? StoreOptions()
  options.keepsJournalOpen = true
  return try await Store.open(Desk(), in: journal, options: options)
}

@Suite("Law 1: a run suspends or takes an event")
struct SpinTests {
  @Test("as many runs as wait for a refused lease leave the processors to others")
  func memory() async throws {
    let journal = MemoryJournal()
    try await refused { journal }
  }

  #if SQLite
    @Test("as many runs as wait for a refused lease of a file leave the processors to others")
    func file() async throws {
      let folder = try Folder()
      try await refused { try await SQLiteJournal(at: folder.path("desk.db")) }
    }
  #endif

  private func refused(_ open: () async throws -> any Journal) async throws {
    let service = Service()
    let holder = try await open()
    _ = try await holder.lease("feedback/save", for: .random(), lasting: .seconds(600))
    let clock = TestClock()
    var options = FeedbackOptions()
    options.clock = clock.clock
    var stores: [Store<Desk>] = []
    for _ in 0..<8 {
      let store = try await journaled(open())
      stores.append(store)
      try store.run([.save], in: service, options: options)
    }
    try await stores[0].change(.begin).durable()
    // All of them wait by the clock, which stands still. One timer serves them.
    await clock.sleepers(1)
    for store in stores { await store.waitForEffects { $0.map(\.phase) == [.waiting] } }
    let watchdog = Task { 1 }
    #expect(await watchdog.value == 1 && service.requests == [])
    for store in stores { await store.close() }
    await holder.close()
  }
}

@Suite("Law 2: a run refuses what it cannot perform")
struct RefusalTests {
  private let service = Service()

  @Test("in a journal: a local feedback that acts, a lease that is too short or too long, a name twice")
  func journal() async throws {
    let store = try await journaled(MemoryJournal())
    #expect(throws: FeedbackError.actingIsNotLocal("charge")) { try store.run([.save, Feedback.charge.local], in: service) }
    #expect(throws: FeedbackError.duplicate("save")) { try store.run([.save, .search, .save], in: service) }
    // Composed and decomposed, as a syllable and its parts, and a copy of a letter.
    for (name, isRefused) in [
      ("caf\u{E9}", false), ("cafe\u{301}", true), ("\u{AC00}", false), ("\u{1100}\u{1161}", true), ("\u{212B}", true),
    ] {
      let feedback = Feedback<Desk, Service>(name, request: \.search) { _, _ in .search(nil) }
      if isRefused {
        #expect(throws: FeedbackError.name(name)) { try store.run([feedback], in: service) }
      } else {
        try await store.run([feedback], in: service).stop()
      }
    }
    for lease in [Duration.zero, .seconds(-1), .milliseconds(999), .seconds(86_401)] {
      var options = FeedbackOptions()
      options.lease = lease
      #expect(throws: FeedbackError.lease(lease)) { try store.run([.save], in: service, options: options) }
      // Local ones need no lease.
      try await store.run([Feedback.save.local], in: service, options: options).stop()
    }
    #expect(store.effects.isEmpty)
    await store.close()
  }

  @Test("in memory nothing but a name twice")
  func memory() async throws {
    let store = Store(Desk())
    var options = FeedbackOptions()
    options.lease = .zero
    try await store.run([.save, Feedback.charge.local], in: service, options: options).stop()
    #expect(throws: FeedbackError.duplicate("save")) { try store.run([.save, .save], in: service) }
  }

  @Test("over a journal that a server decides nothing begins, and that is reported")
  func served() async throws {
    let journal = MemoryJournal()
    let before = try await journaled(journal)
    try await before.change(.begin).durable()
    await before.close()
    try await journal.serve(Lineage(Generation(1)), schema: 1)
    let store = try await journaled(journal)
    try store.run([.save], in: service)
    #expect(await store.nextProblem()?.contains("the journal's server decides") == true)
    #expect(service.requests == [])
    await store.close()
  }
}

@Suite("Law 3: a name has one performer")
struct OnePerformerTests {
  private let store = Store(Desk())
  private let service = Service()

  @Test("a second run of a store waits until the first one stops, and that is reported")
  func queue() async throws {
    let clock = TestClock()
    var options = FeedbackOptions()
    options.clock = clock.clock
    let first = try store.run([.search], in: service, options: options)
    let second = try store.run([.search], in: service, options: options)
    let third = try store.run([.search], in: service, options: options)
    try store.change(.search("a"))
    await service.waitForCalls(1)
    await clock.sleepers(2)
    clock.advance(by: .seconds(5))
    #expect(await store.nextProblem()?.contains("another run of this store performs a feedback of this name") == true)
    // One that ends while it waits leaves its place.
    await second.stop()
    #expect(service.requests == ["a"])
    async let stopped: Void = first.stop()
    await service.waitForCancellations(1)
    service.fail(0)
    await stopped
    await service.waitForCalls(2)
    service.answer(1, "third")
    await store.rest()
    #expect(store.state.found == ["third"] && service.requests.count == 2)
    await third.stop()
  }

  @Test("a run that is asked for while the same task is being cancelled follows it")
  func taskTwice() async throws {
    let (store, service) = (store, service)
    try store.change(.search("a"))
    let first = Task { try await store.run([.search], in: service).untilCancelled() }
    await service.waitForCalls(1)
    let second = Task { try await store.run([.search], in: service).untilCancelled() }
    first.cancel()
    await service.waitForCancellations(1)
    service.fail(0)
    try await first.value
    await service.waitForCalls(2)
    service.answer(1, "second")
    await store.rest()
    #expect(store.state.found == ["second"] && service.requests.count == 2)
    second.cancel()
    try await second.value
  }
}

@Suite("Law 6: a throw decides nothing")
struct UndecidedTests {
  private let clock = TestClock()
  private let service = Service()

  private func run(_ feedback: Feedback<Desk, Service>) throws -> (Store<Desk>, FeedbackRun) {
    let store = Store(Desk(), options: clock.options())
    var options = FeedbackOptions()
    options.clock = clock.clock
    return (store, try store.run([feedback], in: service, options: options))
  }

  @Test("a timeout leaves the request, and is repeated with the same key after pauses that double")
  func timeoutIsNotDeclined() async throws {
    let (store, run) = try run(.charge)
    try store.change(.pay(5))
    let before = store.state
    for attempt in 1...9 {
      await service.waitForCalls(attempt)
      service.fail(attempt - 1)
      await store.waitForEffects { $0.first?.phase.description == "pausing" }
      guard case .pausing(let until, attempt, "Timeout()") = store.effects[0].phase else {
        Issue.record("\(store.effects)")
        return
      }
      let seconds = Double(min(1 << (attempt - 1), 100))
      let pause = Double(until - clock.now) / 1e6
      #expect(pause >= seconds * 0.8 && pause <= seconds * 1.2, "attempt \(attempt)")
      #expect(store.state == before)
      await clock.sleepers(1)
      clock.advance(by: .seconds(121))
    }
    await service.waitForCalls(10)
    #expect(Set(service.calls.map(\.key)).count == 1)
    service.answer(9)
    await store.rest()
    #expect(store.state.paid == ["answer"])
    await run.stop()
  }

  @Test("at the limit of attempts the change of `unclear:` is made; asking again continues with the same key")
  func unclear() async throws {
    let (store, run) = try run(Feedback.carefulCharge.attempts(2, within: nil))
    try store.change(.pay(5))
    for attempt in 1...2 {
      await service.waitForCalls(attempt)
      service.fail(attempt - 1)
      if attempt == 1 {
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
      }
    }
    await store.rest()
    #expect(store.state.unclear?.value == 5 && store.state.payment == nil)
    try store.change(.checkAgain)
    await service.waitForCalls(3)
    #expect(Set(service.calls.map(\.key)).count == 1)
    service.answer(2)
    await store.rest()
    #expect(store.state.paid == ["answer"])
    await run.stop()
  }

  @Test("at the limit without `unclear:` the request is stuck and reported")
  func stuck() async throws {
    let (store, run) = try run(Feedback.search.attempts(1, within: nil))
    try store.change(.search("a"))
    await service.waitForCalls(1)
    service.fail(0)
    #expect(await store.nextProblem()?.contains("no further attempt is made. The last one has failed: Timeout()") == true)
    #expect(store.phases == ["stuck"])
    await run.stop()
  }

  @Test("an element that is removed while its request pauses withdraws it")
  func withdrawn() async throws {
    let (store, run) = try run(.search)
    try store.change(.search("a"))
    await service.waitForCalls(1)
    service.fail(0)
    await clock.sleepers(1)
    try store.change(.search(nil))
    #expect(store.effects.isEmpty)
    clock.advance(by: .seconds(200))
    await run.stop()
    #expect(service.requests == ["a"])
  }
}

@Suite("Law 7: a request that acts is not begun after its horizon")
struct HorizonTests {
  private let service = Service()

  @Test("after 23 hours it is unclear without another attempt, in another process, too")
  func restart() async throws {
    let journal = MemoryJournal()
    let clock = TestClock()
    let before = try await journaled(journal, now: clock)
    try await before.change(.pay(5)).durable()
    await before.close()
    clock.advance(by: .seconds(23 * 3_600))
    let store = try await journaled(journal, now: clock)
    try store.run([.carefulCharge], in: service)
    await store.wait { $0.unclear != nil }
    await store.rest()
    #expect(service.requests == [] && store.state.payment == nil)
    await store.close()
  }

  @Test("just before, it is begun; without a limit, also afterwards")
  func limits() async throws {
    for (hours, feedback) in [(22, Feedback.charge), (100, Feedback.charge.attempts(within: nil))] {
      let (clock, service) = (TestClock(), Service())
      let store = Store(Desk(), options: clock.options())
      try store.change(.pay(5))
      clock.advance(by: .seconds(hours * 3_600))
      try store.run([feedback], in: service)
      await service.waitForCalls(1)
      service.answer(0)
      await store.rest()
      await store.close()
    }
  }

  @Test("a time in the future does not lengthen the horizon")
  func future() async throws {
    let clock = TestClock()
    let (ahead, journal) = (TestClock(), MemoryJournal())
    ahead.advance(by: .seconds(365 * 86_400))
    let other = try await journaled(journal, now: ahead)
    try await other.change(.pay(5)).durable()
    await other.close()
    let store = try await journaled(journal, now: clock)
    var options = FeedbackOptions()
    options.clock = clock.clock
    try store.run([.charge], in: service, options: options)
    await service.waitForCalls(1)
    clock.advance(by: .seconds(24 * 3_600))
    service.fail(0)
    #expect(await store.nextProblem()?.contains("is stuck: no further attempt") == true)
    await store.close()
  }
}

@Suite("Law 8: an answer counts for the request that is asked")
struct FinishTests {
  @Test("edits that are faster than the effect are all saved, and each save ends")
  func edits() async throws {
    let (store, service) = (Store(Desk()), Service())
    let saving = Feedback<Desk, Service>("store", of: \.document, when: { $0.document != $0.stored }) { version, service in
      _ = try await service.ask("\(version)")
      return .stored(version)
    }
    let run = try store.run([saving], in: service)
    var saved = 0
    for edit in 1...20 {
      try store.change(.write(edit))
      // Every second edit, the save that runs ends.
      await service.waitForCalls(saved + 1)
      if edit % 2 == 0 {
        service.answer(saved)
        saved += 1
        await service.waitForCalls(saved + (Int(service.requests[saved - 1]) == edit ? 0 : 1))
      }
    }
    while store.state.stored != 20 {
      await service.waitForCalls(saved + 1)
      service.answer(saved)
      saved += 1
      await store.waitForEffects { $0.isEmpty || service.requests.count > saved }
    }
    #expect(service.cancelled == [] && service.requests.last == "20")
    await run.stop()
  }
}

@Suite("Law 10: no answer is an undo step, and none clears redo")
struct UndoTests {
  private let service = Service()

  private func stores() async throws -> [(Store<Desk>, isLocal: Bool)] {
    [
      (Store(Desk()), false), (try await journaled(MemoryJournal()), false), (try await journaled(MemoryJournal()), true),
    ]
  }

  @Test("the answer to a request is undone with it; a redo asks again")
  func withRequest() async throws {
    for (store, isLocal) in try await stores() {
      let service = Service()
      let feedback = isLocal ? Feedback.search.local : .search
      let run = try store.run([feedback], in: service)
      try store.change(.search("a"))
      await service.waitForCalls(1)
      service.answer(0, "one")
      await store.rest()
      try await store.undo()
      #expect(store.state.found == [] && store.state.search == nil)
      try await store.redo()
      await service.waitForCalls(2)
      service.answer(1, "two")
      await store.rest()
      #expect(store.state.found == ["two"])
      await run.stop()
      await store.close()
    }
  }

  @Test("each of many quick answers belongs to the entry that asked for it", arguments: [false, true])
  func quick(isLocal: Bool) async throws {
    let store = try await journaled(MemoryJournal())
    let echo = Feedback<Desk, Service>("echo", request: \.search) { text, _ in .found(text) }
    let run = try store.run([isLocal ? echo.local : echo], in: service)
    var asked: [EntryID] = []
    for number in 0..<20 {
      asked.append(try store.change(.search("\(number)")).id)
      try store.change(.count(number))
      await store.wait { $0.found.count == number + 1 }
    }
    await store.rest()
    try await store.change(.count(0)).durable()
    let answers = try await store.entries(in: 1...store.revision).compactMap(\.cause?.answers)
    #expect(answers == asked)
    await run.stop()
    await store.close()
  }
}

@Suite("Law 12: rounds are bounded")
struct RoundsTests {
  private let service = Service()
  private let store = Store(Desk())

  private static let endless = Feedback<Desk, Service>("endless", request: { $0.isWanted ? $0.count : nil }) { count, service in
    service.tell("\(count)")
    return .count(count + 1)
  }

  @Test("a chain is stuck after five rounds, and continues with a change from outside")
  func bounded() async throws {
    let run = try store.run([Self.endless], in: service)
    try store.change(.begin)
    #expect(await store.nextProblem()?.contains("feedbacks have answered each other 5 times without a change from outside") == true)
    #expect(service.requests == ["0", "1", "2", "3", "4"] && store.state.count == 5 && store.phases == ["stuck"])
    #expect(store.effects[0].depth == 5)
    try store.change(.failed("from outside"))
    await store.waitForEffects { $0.first?.depth == 5 && service.requests.count == 10 && $0.first?.phase != .running }
    #expect(store.state.count == 10)
    await run.stop()
  }

  @Test("two feedbacks that answer each other are one chain")
  func chainOfTwo() async throws {
    func feedback(_ name: String, _ rest: Int) -> Feedback<Desk, Service> {
      Feedback(name, request: { $0.isWanted && $0.count % 2 == rest ? $0.count : nil }) { count, _ in .count(count + 1) }
    }
    var options = FeedbackOptions()
    options.rounds = 3
    let run = try store.run([feedback("even", 0), feedback("odd", 1)], in: service, options: options)
    try store.change(.begin)
    #expect(await store.nextProblem()?.hasPrefix("The feedback 'odd'") == true)
    #expect(store.state.count == 3)
    await run.stop()
  }

  @Test("requests that are there at the start begin, however many rounds the head is of; those that follow are bounded")
  func start() async throws {
    let store = try await journaled(MemoryJournal())
    try store.change(.begin)
    try await store.change(.failed("at the end of a long chain"), cause: Cause(feedback: "other", depth: 9)).durable()
    let run = try store.run([Self.endless], in: service)
    #expect(await store.nextProblem()?.contains("feedbacks have answered each other 5 times") == true)
    #expect(service.requests == ["0"] && store.state.count == 1)
    await run.stop()
    await store.close()
  }

  @Test("thousands of parallel chains are bounded")
  func parallelChains() async throws {
    let count = Effort.count(short: 2_000, full: 10_000)
    let performed = Lock(0)
    let all = Gate()
    let letters = Feedback<Desk, Service>("letters", each: \.letters, request: { $0.progress }) { progress, _ in
      if performed.withLock({
        $0 += 1
        return $0 == 5 * count
      }) {
        all.open()
      }
      return .progress(progress / 100, progress + 1)
    }
    try store.change((0..<count).map { .letter(.init(id: $0, progress: $0 * 100)) })
    let run = try store.run([letters], in: service)
    await all.wait()
    await store.waitForEffects { $0.count == count && $0.allSatisfy { $0.phase.description == "stuck" } }
    #expect(performed.withLock { $0 } == 5 * count)
    await run.stop()
  }
}

@Suite("Law 14: nothing begins that the newest state does not ask")
struct WithdrawnTests {
  @Test("a request that a later entry has withdrawn is not begun, when both come from the journal together")
  func together() async throws {
    let journal = MemoryJournal()
    let service = Service()
    let simulated = SimulatedJournal(journal)
    let store = try await journaled(simulated)
    let run = try store.run([.charge], in: service)
    let other = try await journaled(journal)
    // A device pays and undoes, and pushes both. The store reads nothing until all of it is there.
    simulated.nextReads(.hold)
    try other.change(.pay(1))
    try await other.undo()
    try await other.change(.pay(2)).durable()
    await simulated.waitUntilHeld()
    simulated.release()
    await service.waitForCalls(1)
    #expect(service.requests == ["2"])
    service.answer(0)
    await store.rest()
    await run.stop()
    await store.close()
    await other.close()
  }
}

@Suite("Law 15: nothing begins after a takeover that was answered before")
struct TakeoverTests {
  @Test("a new holder reads what the former one has answered, before it begins")
  func barrier() async throws {
    let (journal, service) = (MemoryJournal(), Service())
    // The second store has not heard of the answer: it follows nobody, until the grant makes it read.
    var options = StoreOptions()
    options.keepsJournalOpen = true
    options.followsOthers = false
    let first = try await journaled(journal)
    try await first.change(.pay(1)).durable()
    let second = try await Store.open(Desk(), in: journal, options: options)
    let run = try first.run([.charge], in: service)
    await service.waitForCalls(1)
    service.answer(0)
    await first.rest()
    await run.stop()
    #expect(second.state.payment != nil)
    try second.run([.charge], in: service)
    await second.rest()
    #expect(service.requests == ["1"] && second.state.paid == ["answer"])
    await first.close()
    await second.close()
  }
}

@Suite("Law 16: a run lives as long as its store")
struct OwnershipTests {
  private let service = Service()

  @Test("releasing the run stops nothing")
  func discardedToken() async throws {
    let store = Store(Desk())
    try store.run([.search], in: service)
    try store.change(.search("a"))
    await service.waitForCalls(1)
    service.answer(0)
    await store.rest()
    #expect(store.state.found == ["answer"])
  }

  @Test("a store that is released ends its run, and is not kept by it")
  func released() async throws {
    weak var weakStore: Store<Desk>?
    weak var weakRun: FeedbackRun?
    do {
      let store = Store(Desk())
      (weakStore, weakRun) = (store, try store.run([.search], in: service))
      try store.change(.search("a"))
      await service.waitForCalls(1)
      service.answer(0)
      await store.rest()
    }
    while weakStore != nil || weakRun != nil { await Task.yield() }
  }
}

@Suite("Law 13: a run examines each visible state")
struct VisibleTests {
  @Test("work that is dropped withdraws a local request, although no entry follows")
  func dropped() async throws {
    let (time, service) = (TestClock(), Service())
    let journal = MemoryJournal(now: { time.now })
    let simulated = SimulatedJournal(journal)
    let store = try await journaled(simulated)
    let run = try store.run([Feedback.search.local], in: service)
    // Another replica has the lease before the journal has the change.
    let lease = try await journal.lease("other", for: store.origin, lasting: .seconds(1))
    time.advance(by: .seconds(2))
    _ = try await journal.lease("other", for: .random(), lasting: .seconds(1))
    simulated.nextAppends(.hold)
    try store.change(.search("a"), under: lease)
    await service.waitForCalls(1)
    await simulated.waitUntilHeld()
    simulated.release()
    await service.waitForCancellations(1)
    service.fail(0)
    await store.rest()
    await run.stop()
    await store.close()
  }
}
