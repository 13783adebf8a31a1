import Alter
import AlterCore
import AlterTesting
import Testing

@Suite("A feedback")
struct FeedbackTests {
  private let store = Store(Desk())
  private let service = Service()

  @Test("starts the effect of a request that appears, leaves one that stays alone, and makes its answer")
  func starts() async throws {
    let run = try store.run([.search], in: service)
    #expect(service.requests == [])
    try store.change(.search("abc"))
    await service.waitForCalls(1)
    try store.change(.count(1))
    try store.change(.search("abc"))
    #expect(store.phases == ["running"] && store.effects[0].request == "abc" && store.effects[0].depth == 0)
    service.answer(0, "result")
    await store.wait { $0.found == ["result"] }
    #expect(service.requests == ["abc"] && service.cancelled == [])
    await run.stop()
  }

  @Test("begins with what the state asks for at the start")
  func atStart() async throws {
    try store.change(.search("early"))
    let run = try store.run([.search], in: service)
    await service.waitForCalls(1)
    service.answer(0)
    await store.wait { $0.found == ["answer"] }
    await run.stop()
  }

  @Test("whose request changes finishes, and its answer is dropped; then it begins with the newest request")
  func finishes() async throws {
    let run = try store.run([.search], in: service)
    try store.change(.search("first"))
    await service.waitForCalls(1)
    try store.change(.search("second"))
    try store.change(.search("third"))
    #expect(store.phases == ["running"] && service.requests == ["first"] && service.cancelled == [])
    service.answer(0, "late")
    await service.waitForCalls(2)
    #expect(service.requests == ["first", "third"] && store.state.found == [])
    service.answer(1, "in time")
    await store.rest()
    #expect(store.state.found == ["in time"])
    await run.stop()
  }

  @Test("in which the latest request wins cancels the former one, and begins when that has ended")
  func latestWins() async throws {
    let run = try store.run([Feedback.search.latestWins], in: service)
    try store.change(.search("first"))
    await service.waitForCalls(1)
    try store.change(.search("second"))
    await service.waitForCancellations(1)
    service.answer(0, "late")
    await service.waitForCalls(2)
    service.answer(1, "in time")
    await store.rest()
    #expect(store.state.found == ["in time"] && service.cancelled == ["first"])
    await run.stop()
  }

  @Test("whose request disappears is cancelled, and its answer is dropped, also if the same request comes back")
  func cancels() async throws {
    let run = try store.run([.search], in: service)
    try store.change(.search("gone"))
    await service.waitForCalls(1)
    try store.change(.search(nil))
    await service.waitForCancellations(1)
    service.answer(0, "late")
    await store.rest()
    #expect(store.state.found == [])
    await run.stop()
  }

  @Test("sends changes while it runs, as long as its request is there")
  func progress() async throws {
    let sending = Feedback<Desk, Service>("send", each: \.letters, request: { $0.isSent ? nil : $0.id }) { id, service, effect in
      try await effect.send(.progress(id, 50))
      _ = try await service.ask("\(id)")
      try await effect.send(.progress(id, 90))
      return .sent(id)
    }
    let run = try store.run([sending], in: service)
    try store.change(.letter(.init(id: 1)), .letter(.init(id: 2)))
    await service.waitForCalls(2)
    #expect(store.state.letters.allSatisfy { $0.progress == 50 })
    try store.change(.remove(2))
    await service.waitForCancellations(1)
    for call in 0..<2 { service.answer(call) }
    await store.rest()
    #expect(store.state.letters.map(\.progress) == [90] && store.state.letters[id: 1]?.isSent == true)
    await run.stop()
  }

  @Test("for each element looks only at those that a change touched")
  func each() async throws {
    let looks = Lock(0)
    let urgent = Feedback<Desk, Service>(
      "urgent", each: \.letters,
      request: { letter in
        looks.withLock { $0 += 1 }
        return letter.isUrgent && !letter.isSent ? letter.id : nil
      }
    ) { id, service in
      service.tell("\(id)")
      return .sent(id)
    }
    for id in 0..<2_000 { try store.change(.letter(.init(id: id))) }
    let run = try store.run([urgent], in: service)
    looks.withLock { $0 = 0 }
    try store.change(.letter(.init(id: 1_234, isUrgent: true)))
    await store.rest()
    #expect(store.state.letters[id: 1_234]?.isSent == true && service.requests == ["1234"])
    // Before and after each of two changes, and when the answer is made.
    #expect(looks.withLock { $0 } <= 5)
    await run.stop()
  }

  @Test("whose answer the state refuses is stuck, and that is reported; a retry begins again")
  func refused() async throws {
    let counting = Feedback<Desk, Service>("count", of: { _ in 1 }, when: \.isWanted) { _, service, effect in
      service.tell("count")
      if service.requests.count == 2 { return .done("second") }
      return .count(1_000)
    }
    let run = try store.run([counting], in: service)
    try store.change(.begin)
    #expect(
      await store.nextProblem()
        == "The feedback 'count': The request 1 is stuck: the state refused the answer: the count would be 1000 `FeedbackRun.retry` begins it again."
    )
    #expect(store.phases == ["stuck"])
    run.retry("other")
    #expect(store.phases == ["stuck"])
    run.retry("count")
    await store.rest()
    #expect(store.state.results == ["second"])
    await run.stop()
  }

  /// A state whose changes can be nested without a limit.
  private struct Nest: Journaled, Hashable {
    indirect enum Change: Hashable, Codable, Sendable { case ask(Int), answer(Int), inside(Change) }

    private(set) var asked: Int?
    private(set) var answers: [Int] = []

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .ask(let number): asked = number
      case .answer(let number): (answers, asked) = (answers + [number], nil)
      case .inside(let change): apply(change, at: stamp)
      }
    }
  }

  @Test("whose answer is too deep to be stored is stuck, and that is reported; the next request is answered")
  func tooDeep() async throws {
    let store = try await Store.open(Nest(), in: MemoryJournal())
    let feedback = Feedback<Nest, Void>("dig", request: \.asked) { depth, _ in
      var change = Nest.Change.answer(depth)
      for _ in 0..<depth { change = .inside(change) }
      return change
    }
    let run = try store.run([feedback], in: ())
    try store.change(.ask(5_000))
    let problem = await store.nextProblem()
    #expect(problem?.contains("The request 5000 is stuck") == true, "\(problem ?? "none")")
    #expect(problem?.contains("it is nested more than 128 levels deep") == true, "\(problem ?? "none")")
    #expect(store.state.answers == [] && store.revision == 2)
    try store.change(.ask(5))
    await store.wait { $0.answers == [5] }
    await run.stop()
    await store.close()
  }

  @Test("whose answer leaves its request is stuck, and that is reported; another request begins")
  func unanswered() async throws {
    let forgetful = Feedback<Desk, Service>("forget", request: \.search) { text, service in
      service.tell(text)
      return .count(1)
    }
    let run = try store.run([forgetful], in: service)
    try store.change(.search("a"))
    #expect(await store.nextProblem()?.contains("the state still asks for the same after the answer") == true)
    #expect(store.phases == ["stuck"])
    try store.change(.search("b"))
    await store.waitForEffects { $0.first?.request == "b" && $0.first?.phase.description == "stuck" }
    #expect(service.requests == ["a", "b"])
    try store.change(.search(nil))
    #expect(store.effects.isEmpty)
    await run.stop()
  }

  @Test("debounces by waiting in an effect that a newer request cancels")
  func debounce() async throws {
    struct World: Sendable {
      let clock: any Clock<Duration>
      let service: Service
    }
    let clock = TestClock()
    let debounced = Feedback<Desk, World>("search", request: \.search) { text, world in
      try await world.clock.sleep(for: .milliseconds(300))
      world.service.tell(text)
      return .found(text)
    }.latestWins.local
    let run = try store.run([debounced], in: World(clock: clock.clock, service: service))
    for text in ["a", "ab", "abc"] {
      try store.change(.search(text))
      // The cancelled sleep ends before the next one begins.
      await store.waitForEffects { $0.map(\.request) == [text] }
      await clock.sleepers(1)
    }
    clock.advance(by: .milliseconds(299))
    #expect(service.requests == [])
    clock.advance(by: .milliseconds(1))
    await store.rest()
    #expect(service.requests == ["abc"] && store.state.found == ["abc"])
    await run.stop()
  }

  @Test("receives its part of the run's environment, beside feedbacks with other parts")
  func environments() async throws {
    struct World: Sendable { let one: Service, other: Service }
    let other = Service()
    let run = try store.run(
      [Feedback.search.provide(\.one), Feedback.save.provide(\.other)], in: World(one: service, other: other))
    try store.change(.search("one"), .begin)
    await service.waitForCalls(1)
    await other.waitForCalls(1)
    #expect(service.requests == ["one"] && other.requests == ["save"])
    service.answer(0)
    other.answer(0)
    await store.rest()
    await run.stop()
    let supplied = Feedback.search.provide { (_: Void) in service }
    try await Store(Desk()).run([supplied]).stop()
    #expect(supplied.name == "search")
  }

  @Test("that never answers keeps no other from being performed, up to the limit; then the next begins in order")
  func atOnce() async throws {
    var options = FeedbackOptions()
    options.atOnce = 2
    let letters = Feedback<Desk, Service>("letters", each: \.letters, request: { $0.isSent ? nil : $0.id }) { id, service in
      _ = try await service.ask("\(id)")
      return .sent(id)
    }
    let run = try store.run([letters, .search], in: service, options: options)
    for id in 1...4 { try store.change(.letter(.init(id: id))) }
    await service.waitForCalls(2)
    #expect(Set(service.requests) == ["1", "2"] && store.phases == ["running", "running", "waiting", "waiting"])
    try store.change(.search("last"))
    for call in 2...4 {
      service.answer(call - 2)
      await service.waitForCalls(call + 1)
    }
    #expect(service.requests[2...] == ["3", "4", "last"])
    service.answer(3)
    service.answer(4)
    await store.rest()
    await run.stop()
  }

  // MARK: - The end

  @Test("has ended when its run is stopped: the changes that are returned until then are made")
  func stop() async throws {
    let run = try store.run([.search, .save], in: service)
    try store.change(.search("a"), .begin)
    await service.waitForCalls(2)
    async let stopped: Void = run.stop()
    await service.waitForCancellations(2)
    for (number, request) in service.requests.enumerated() {
      if request == "a" { service.answer(number, "found") } else { service.fail(number) }
    }
    await stopped
    #expect(store.state.found == ["found"] && store.effects.isEmpty && store.state.isWanted)
    try store.change(.search("b"))
    #expect(service.requests.count == 2)
  }

  @Test("stops its own run without waiting for itself")
  func stopInside() async throws {
    let box = Lock<FeedbackRun?>(nil)
    let stopping = Feedback<Desk, Service>("stop", of: { _ in 0 }, when: \.isWanted) { _, _ in
      await box.withLock { $0 }?.stop()
      return .done("stopped")
    }
    let run = try store.run([stopping], in: service)
    box.withLock { $0 = run }
    try store.change(.begin)
    await store.wait { $0.results == ["stopped"] }
    await run.untilCancelled()
    #expect(store.effects.isEmpty)
    box.withLock { $0 = nil }
  }

  @Test("that waits for another run does not begin when the store is closed")
  func closeBoth() async throws {
    try store.run([.search], in: service)
    try store.run([.search], in: service)
    try store.change(.search("a"))
    await service.waitForCalls(1)
    async let closed = store.close()
    await service.waitForCancellations(1)
    service.fail(0)
    _ = await closed
    #expect(service.requests == ["a"])
  }

  @Test("is stopped by the store's close, before it refuses changes")
  func close() async throws {
    try store.run([.search], in: service)
    try store.change(.search("a"))
    await service.waitForCalls(1)
    async let closed = store.close()
    await service.waitForCancellations(1)
    service.answer(0, "found")
    _ = await closed
    #expect(store.state.found == ["found"])
    #expect(throws: FeedbackError.closed) { try store.run([.search], in: service) }
  }
}
