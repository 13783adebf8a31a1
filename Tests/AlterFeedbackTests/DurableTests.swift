import Alter
import AlterCore
import AlterTesting
import Testing

@Suite("A durable feedback")
struct DurableTests {
  private let service = Service()
  /// The journal's clock, by which leases expire.
  private let time = TestClock()
  private let journal: MemoryJournal

  init() {
    let time = time
    journal = MemoryJournal(now: { time.now })
  }

  private func open(_ journal: (any Journal)? = nil) async throws -> Store<Desk> {
    var options = StoreOptions()
    options.keepsJournalOpen = true
    return try await Store.open(Desk(), in: journal ?? self.journal, options: options)
  }

  private func options(_ clock: TestClock) -> FeedbackOptions {
    var options = FeedbackOptions()
    options.lease = .seconds(30)
    options.clock = clock.clock
    return options
  }

  @Test("is performed by one replica at a time; when that one stops, another goes on with a higher epoch")
  func handedOver() async throws {
    let (first, second) = (try await open(), try await open())
    let (firstClock, secondClock) = (TestClock(), TestClock())
    let firstRun = try first.run([.save], in: service, options: options(firstClock))
    try first.change(.begin)
    await service.waitForCalls(1)
    let secondRun = try second.run([.save], in: service, options: options(secondClock))
    await secondClock.sleepers(1)
    #expect(service.requests.count == 1 && second.phases == ["waiting"])
    async let stopped: Void = firstRun.stop()
    await service.waitForCancellations(1)
    service.fail(0)
    await stopped
    secondClock.advance(by: .seconds(10))
    await service.waitForCalls(2)
    let calls = service.calls
    #expect(calls[0].epoch == 1 && calls[1].epoch == 2)
    service.answer(1, "second")
    await first.wait { $0.results == ["second"] }
    await second.wait { $0.results == ["second"] }
    await secondRun.stop()
    await first.close()
    await second.close()
  }

  @Test("whose performer hangs is taken over when the lease has run out, and its late answer is rejected by its epoch")
  func takenOver() async throws {
    let (first, second) = (try await open(), try await open())
    let (frozen, clock) = (TestClock(), TestClock())
    let firstRun = try first.run([.save], in: service, options: options(frozen))
    try first.change(.begin)
    await service.waitForCalls(1)
    let secondRun = try second.run([.save], in: service, options: options(clock))
    await clock.sleepers(1)
    time.advance(by: .seconds(29))
    clock.advance(by: .seconds(10))
    await clock.sleepers(1)
    #expect(service.requests.count == 1)
    time.advance(by: .seconds(2))
    clock.advance(by: .seconds(10))
    await service.waitForCalls(2)
    // The first store continues, and doesn't know that its lease was taken over.
    let transitions = first.transitions
    service.answer(0, "late")
    for await case .dropped(_, let error) in transitions {
      guard case .staleLease(let lease) = error else { continue }
      #expect(lease.name == "feedback/save" && lease.epoch == 1)
      break
    }
    service.answer(1, "in time")
    await first.wait { $0.results == ["in time"] }
    await secondRun.stop()
    await firstRun.stop()
    // The first store has seen the answer in the journal. The second one may not have heard yet that its append succeeded.
    let records = try await first.entries(in: 1...first.revision)
    #expect(records.count == 3 && records.last?.cause == Cause(feedback: "save", depth: 1))
    await first.close()
    await second.close()
  }

  @Test("reports once that it waits for another replica's lease, by name and holder and until when, if that takes longer than a renewal")
  func announced() async throws {
    let (first, second) = (try await open(), try await open())
    let clock = TestClock()
    let firstRun = try first.run([.save], in: service, options: options(TestClock()))
    try first.change(.begin)
    await service.waitForCalls(1)
    let secondRun = try second.run([.save], in: service, options: options(clock))
    for _ in 0..<4 {
      await clock.sleepers(1)
      clock.advance(by: .seconds(10))
    }
    await clock.sleepers(1)
    await secondRun.stop()
    // Another wait, which ends within one renewal.
    let thirdRun = try second.run([.save], in: service, options: options(clock))
    await clock.sleepers(1)
    service.answer(0, "first")
    await second.wait { $0.results == ["first"] }
    await thirdRun.stop()
    await firstRun.stop()
    let lease = try #require(try await journal.leases().first)
    await first.close()
    await second.close()
    var problems: [String] = []
    for await problem in second.problems { problems.append(problem.description) }
    #expect(problems.count == 1)
    let words = "The feedback 'save': it waits for the lease 'feedback/save', which replica \(lease.holder) holds (epoch 1) until "
    #expect(problems.first?.hasPrefix(words) == true)
    #expect(problems.first?.contains("Z by the journal's clock") == true)
  }

  @Test("drops an answer whose request is gone at the moment of appending")
  func gone() async throws {
    let simulated = SimulatedJournal(journal)
    let (first, second) = (try await open(simulated), try await open())
    let run = try first.run([.save], in: service, options: options(TestClock()))
    try await first.change(.begin).durable()
    await service.waitForCalls(1)
    simulated.nextAppends(.hold)
    service.answer(0, "of no use")
    await simulated.waitUntilHeld()
    try await second.change(.done("by hand")).durable()
    simulated.release()
    await first.wait { $0.results == ["by hand"] }
    await run.stop()
    #expect(try await journal.head().revision == 3)
    // There was no problem, so none is reported.
    await first.close()
    var problems: [StoreProblem] = []
    for await problem in first.problems { problems.append(problem) }
    #expect(problems.isEmpty)
    await second.close()
  }

  @Test("waits until its request is confirmed, where a local one begins as soon as it shows")
  func localAndDurable() async throws {
    let simulated = SimulatedJournal(journal)
    let store = try await open(simulated)
    let local = Feedback<Desk, Service>("show", of: { _ in 0 }, when: \.isWanted) { _, service in
      .failed(try await service.ask("show"))
    }.local
    let run = try store.run([local, .save], in: service, options: options(TestClock()))
    simulated.nextAppends(.hold)
    let commit = try store.change(.begin)
    await service.waitForCalls(1)
    #expect(service.requests == ["show"] && store.effects.map(\.feedback) == ["show"])
    await simulated.waitUntilHeld()
    simulated.release()
    try await commit.durable()
    await service.waitForCalls(2)
    #expect(service.requests == ["show", "save"])
    service.answer(1, "saved")
    await store.wait { $0.results == ["saved"] }
    service.fail(0)
    await run.stop()
    await store.close()
  }

  @Test("gives its lease back when there is nothing to do any more, and takes it again for what comes then")
  func leaseIsGivenBack() async throws {
    let store = try await open()
    let clock = TestClock()
    let run = try store.run([.save], in: service, options: options(clock))
    for round in 0..<2 {
      try store.change(.begin)
      await service.waitForCalls(round + 1)
      service.answer(round, "\(round)")
      // The loop keeps the lease while it has work, and the answer is its work until it is confirmed.
      await store.rest()
      await clock.sleepers(1)
      clock.advance(by: .seconds(10))
      // Any holder may have the lease until the loop requests it again.
      var lease: Lease?
      while lease == nil {
        await Task.yield()
        lease = try? await journal.lease("feedback/save", for: .random(), lasting: .seconds(60))
      }
      if let lease { try await journal.release(lease) }
    }
    await run.stop()
    await store.close()
  }

  @Test("reports a journal that can't give a lease, and stops")
  func noLease() async throws {
    let simulated = SimulatedJournal(journal)
    simulated.nextLeases(.fail(JournalError(.failed, journal: "memory", message: "can't write.")))
    let store = try await open(simulated)
    var problems = store.problems.makeAsyncIterator()
    let run = try store.run([.save], in: service, options: options(TestClock()))
    try store.change(.begin)
    let problem = await problems.next()
    #expect(problem?.description.hasPrefix("The feedback 'save': its lease can't be held, so it has stopped.") == true)
    await run.stop()
    #expect(service.requests == [])
    await store.close()
  }
}
