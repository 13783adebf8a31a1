import Alter
import AlterCore
import AlterTesting
import Testing

@Suite("A feedback")
struct FeedbackTests {
  private let store = Store(Desk())
  private let service = Service()

  private var search: Feedback<Desk, Service> {
    Feedback("search", request: \.search) { text, service in .found(await service.ask(text)) }
  }

  @Test("starts the effect of a request that appears, leaves one that stays alone, and makes its answer")
  func starts() async throws {
    let loop = store.run([search], in: service)
    #expect(service.requests == [])
    try store.change(.search("abc"))
    await service.waitForCalls(1)
    try store.change(.count(1))
    try store.change(.search("abc"))
    #expect(loop.phases == [.running] && loop.effects[0].request == "abc")
    service.answer(0, "result")
    await store.wait { $0.found == ["result"] }
    #expect(service.requests == ["abc"] && service.cancelled == [])
    await loop.stop()
  }

  @Test("begins with what the state asks for at the start")
  func atStart() async throws {
    try store.change(.search("early"))
    let loop = store.run([search], in: service)
    await service.waitForCalls(1)
    service.answer(0)
    await store.wait { $0.found == ["answer"] }
    await loop.stop()
  }

  @Test("cancels a request that disappears or changes, and nothing that comes from it afterwards counts")
  func cancels() async throws {
    let loop = store.run([search], in: service)
    try store.change(.search("first"))
    await service.waitForCalls(1)
    try store.change(.search("second"))
    await service.waitForCalls(2)
    try store.change(.search(nil))
    await service.waitForCancellations(2)
    #expect(service.cancelled == ["first", "second"] && loop.effects.isEmpty)
    // Both still answer while another request is active.
    try store.change(.search("third"))
    await service.waitForCalls(3)
    service.answer(0, "late")
    service.answer(1, "late, too")
    service.answer(2, "in time")
    await store.wait { !$0.found.isEmpty }
    await loop.stop()
    #expect(store.state.found == ["in time"])
  }

  @Test("of an effect that is cancelled and asked for again: only the second performance counts")
  func restarted() async throws {
    let loop = store.run([search], in: service)
    try store.change(.search("same"))
    await service.waitForCalls(1)
    try store.change(.search(nil))
    try store.change(.search("same"))
    await service.waitForCalls(2)
    service.answer(0, "first performance")
    service.answer(1, "second performance")
    await store.wait { !$0.found.isEmpty }
    await loop.stop()
    #expect(store.state.found == ["second performance"])
  }

  @Test("with the same request as another feedback goes its own way")
  func independent() async throws {
    let other = Feedback<Desk, Service>("other", request: \.search) { text, service in
      .failed(await service.ask("other \(text)"))
    }
    let loop = store.run([search, other], in: service)
    try store.change(.search("abc"))
    await service.waitForCalls(2)
    for (number, request) in service.requests.enumerated() where request.hasPrefix("other") { service.answer(number, "b") }
    await store.wait { $0.failures == ["b"] }
    #expect(service.cancelled == [])
    await loop.wait { $0.contains { $0.phase == .answered } }
    #expect(Set(loop.effects.map { "\($0.feedback) \($0.phase)" }) == ["search running", "other answered"])
    for (number, request) in service.requests.enumerated() where request == "abc" { service.answer(number, "a") }
    await store.wait { $0.found == ["a"] }
    await loop.stop()
  }

  @Test("tells of its progress, as long as its request is there")
  func progress() async throws {
    let sending = Feedback<Desk, Service>("send", each: \.letters, request: { $0.isSent || $0.isUrgent ? nil : $0.id }) {
      id, service, effect in
      effect.send(.progress(id, 50))
      _ = await service.ask("\(id)")
      #expect(effect.send(.progress(id, 90)) == !Task.isCancelled)
      return .sent(id)
    }
    let loop = store.run([sending], in: service)
    try store.change(.letter(.init(id: 1)), .letter(.init(id: 2)))
    await store.wait { $0.letters.allSatisfy { $0.progress == 50 } }
    await service.waitForCalls(2)
    try store.change(.remove(2))
    await service.waitForCancellations(1)
    for call in 0..<2 { service.answer(call) }
    await store.wait { $0.letters[id: 1]?.isSent == true }
    #expect(store.state.letters[id: 1]?.progress == 90)
    await loop.stop()
  }

  @Test("takes a set of requests, each with its own effect")
  func set() async throws {
    let failing = Feedback<Desk, Service>(
      "retry", requests: { state in Set(state.letters.filter { !$0.isSent }.map(\.text)) }
    ) { text, service in
      _ = await service.ask(text)
      return nil
    }
    let loop = store.run([failing], in: service)
    try store.change(.letter(.init(id: 1, text: "a")), .letter(.init(id: 2, text: "b")), .letter(.init(id: 3, text: "a")))
    await service.waitForCalls(2)
    // Effects run concurrently: which of two calls comes first is not promised.
    #expect(Set(service.requests) == ["a", "b"])
    try store.change(.sent(1))
    #expect(loop.effects.count == 2)
    try store.change(.sent(3))
    await service.waitForCancellations(1)
    #expect(service.cancelled == ["a"])
    for call in 0..<2 { service.answer(call) }
    await loop.stop()
  }

  @Test("takes requests by id, and begins one anew whose value changes")
  func byID() async throws {
    let byID = Feedback<Desk, Service>(
      "draft", requestsByID: { state in Dictionary(uniqueKeysWithValues: state.letters.map { ($0.id, $0.text) }) }
    ) { text, service in
      _ = await service.ask(text)
      return nil
    }
    let loop = store.run([byID], in: service)
    try store.change(.letter(.init(id: 1, text: "a")), .letter(.init(id: 2, text: "b")))
    await service.waitForCalls(2)
    try store.change(.text(1, "c"))
    await service.waitForCalls(3)
    // The first two run concurrently.
    #expect(service.cancelled == ["a"] && service.requests.sorted() == ["a", "b", "c"] && service.requests.last == "c")
    for call in 0..<3 { service.answer(call) }
    await loop.stop()
  }

  @Test("for each element looks only at those that a change touched")
  func each() async throws {
    let looks = Lock(0)
    let urgent = Feedback<Desk, Service>(
      "urgent", each: \.letters,
      where: { letter in
        looks.withLock { $0 += 1 }
        return letter.isUrgent && !letter.isSent
      }
    ) { letter, service in
      service.tell("\(letter.id)")
      return .sent(letter.id)
    }
    for id in 0..<2_000 { try store.change(.letter(.init(id: id))) }
    let loop = store.run([urgent], in: service)
    looks.withLock { $0 = 0 }
    try store.change(.letter(.init(id: 1_234, isUrgent: true)))
    await store.wait { $0.letters[id: 1_234]?.isSent == true }
    // The condition is evaluated when the letter becomes urgent, when the answer is made, and when the letter is sent.
    #expect(looks.withLock { $0 } <= 5)
    #expect(service.requests == ["1234"])
    await loop.stop()
  }

  @Test("answers with a change when it fails, and reports an answer that the state refuses")
  func failures() async throws {
    let failing = Feedback<Desk, Service>("count", request: { $0.isWanted ? 1 : nil }) { _, service, effect in
      effect.send(.failed("no network"))
      return .count(1_000)
    }
    var problems = store.problems.makeAsyncIterator()
    let loop = store.run([failing], in: service)
    try store.change(.begin)
    let problem = await problems.next()
    #expect(
      problem?.description
        == "The feedback 'count': its answer to 1 was refused: the count would be 1000 The request stays unanswered.")
    #expect(store.state.failures == ["no network"])
    await loop.stop()
  }

  @Test("debounces by waiting in an effect that a newer request cancels")
  func debounce() async throws {
    struct World: Sendable {
      let clock: any Clock<Duration>
      let service: Service
    }
    let clock = TestClock()
    let debounced = Feedback<Desk, World>("search", request: \.search) { text, world in
      guard (try? await world.clock.sleep(for: .milliseconds(300))) != nil else { return nil }
      world.service.tell(text)
      return .found(text)
    }
    let loop = store.run([debounced], in: World(clock: clock.clock, service: service))
    for text in ["a", "ab", "abc"] {
      try store.change(.search(text))
      await clock.sleepers(1)
    }
    clock.advance(by: .milliseconds(299))
    #expect(service.requests == [])
    clock.advance(by: .milliseconds(1))
    await store.wait { !$0.found.isEmpty }
    #expect(service.requests == ["abc"] && store.state.found == ["abc"])
    await loop.stop()
  }

  @Test("has its request and its answers taken back by one undo; a redo asks again, under another key")
  func undo() async throws {
    let saving = Feedback<Desk, Service>("save", when: \.isWanted) { service, effect in
      .done(await service.ask("save", key: effect.key))
    }
    let loop = store.run([saving], in: service)
    try store.change(.begin)
    await service.waitForCalls(1)
    service.answer(0, "one")
    await store.wait { $0.results == ["one"] }
    try await store.undo()
    #expect(store.state == Desk())
    try await store.redo()
    #expect(store.state.isWanted)
    await service.waitForCalls(2)
    service.answer(1, "two")
    await store.wait { $0.results == ["two"] }
    #expect(service.calls[0].key != service.calls[1].key)
    try await store.undo()
    #expect(store.state == Desk())
    await loop.stop()
  }

  @Test("without a journal gets a key of its own for each request that is there when a loop starts")
  func keysAtTheStart() async throws {
    let saving = Feedback<Desk, Service>("save", when: \.isWanted) { service, effect in
      .done(await service.ask("save", key: effect.key))
    }
    for turn in 0..<2 {
      try store.change(.begin)
      let loop = store.run([saving], in: service)
      await service.waitForCalls(turn + 1)
      service.answer(turn, "\(turn)")
      await store.wait { $0.results.count == turn + 1 }
      await loop.stop()
    }
    // These are two requests: a service that detects repetitions must not drop the second.
    #expect(service.calls[0].key != service.calls[1].key && service.calls[0].key?.feedback == "save")
  }

  @Test("that never answers keeps nobody else from being performed, and its request can still be withdrawn")
  func silent() async throws {
    let loop = store.run(
      [
        search,
        Feedback("letters", each: \.letters, where: { !$0.isSent }) { letter, service in
          _ = await service.ask("\(letter.id)")
          return .sent(letter.id)
        },
      ], in: service)
    try store.change(.search("never answered"))
    await service.waitForCalls(1)
    try store.change(.letter(.init(id: 1)), .letter(.init(id: 2)))
    await service.waitForCalls(3)
    service.answer(service.requests.firstIndex(of: "2") ?? 0)
    await store.wait { $0.letters[id: 2]?.isSent == true }
    try store.change(.search(nil))
    await service.waitForCancellations(1)
    #expect(service.cancelled == ["never answered"])
    for call in 0..<3 where service.requests[call] != "2" { service.answer(call) }
    await loop.stop()
  }

  @Test("has the environment that its loop was given, and no other's, at the same time")
  func environments() async throws {
    let (other, otherService) = (Store(Desk()), Service())
    let loops = (store.run([search], in: service), other.run([search], in: otherService))
    try store.change(.search("one"))
    try other.change(.search("two"))
    await service.waitForCalls(1)
    await otherService.waitForCalls(1)
    #expect(service.requests == ["one"] && otherService.requests == ["two"])
    service.answer(0, "first")
    otherService.answer(0, "second")
    await store.wait { $0.found == ["first"] }
    await other.wait { $0.found == ["second"] }
    await loops.0.stop()
    await loops.1.stop()
  }

  // MARK: - Chains

  @Test("that answers itself pauses after five rounds, says so, and goes on when somebody else changes something")
  func bounded() async throws {
    let endless = Feedback<Desk, Service>("endless", request: { $0.isWanted ? $0.count : nil }) { count, service in
      service.tell("\(count)")
      return .count(count + 1)
    }
    var problems = store.problems.makeAsyncIterator()
    let loop = store.run([endless], in: service)
    try store.change(.begin)
    let problem = await problems.next()
    #expect(service.requests == ["0", "1", "2", "3", "4"] && store.state.count == 5)
    #expect(loop.effects.map(\.phase) == [.paused])
    #expect(
      problem?.description == """
        The feedback 'endless': feedback has answered feedback 5 times without a change from outside \
        (endless → endless → endless → endless → endless). The request 5 is paused until such a change. Does an answer cause its own request again? \
        To allow a longer chain, raise `rounds`.
        """)
    try store.change(.failed("somebody else"))
    _ = await problems.next()
    #expect(service.requests.count == 10 && store.state.count == 10)
    await loop.stop()
  }

  @Test("that others answer in turn is one chain with them")
  func chainOfTwo() async throws {
    let even = Feedback<Desk, Service>("even", request: { $0.isWanted && $0.count % 2 == 0 ? $0.count : nil }) { count, _ in
      .count(count + 1)
    }
    let odd = Feedback<Desk, Service>("odd", request: { $0.isWanted && $0.count % 2 == 1 ? $0.count : nil }) { count, _ in .count(count + 1)
    }
    var problems = store.problems.makeAsyncIterator()
    var options = FeedbackOptions()
    options.rounds = 3
    let loop = store.run([even, odd], in: service, options: options)
    try store.change(.begin)
    let problem = await problems.next()
    #expect(store.state.count == 3)
    #expect(problem?.description.contains("'odd'") == true && problem?.description.contains("(even → odd → even)") == true)
    await loop.stop()
  }

  // MARK: - The end

  @Test("leaves nothing behind when its loop is stopped: every effect has ended, and nothing it sends counts")
  func stop() async throws {
    let ended = Lock(0)
    let waiting = Feedback<Desk, Service>("wait", each: \.letters, where: { _ in true }) { letter, service in
      _ = await service.ask("\(letter.id)")
      ended.withLock { $0 += 1 }
      return .failed("too late")
    }
    let loop = store.run([waiting], in: service)
    for id in 0..<10 { try store.change(.letter(.init(id: id))) }
    await service.waitForCalls(10)
    async let stopped: Void = loop.stop()
    await service.waitForCancellations(10)
    #expect(ended.withLock { $0 } == 0)
    for call in 0..<10 { service.answer(call) }
    await stopped
    #expect(ended.withLock { $0 } == 10 && loop.effects.isEmpty && store.state.failures == [])
    try store.change(.letter(.init(id: 11)))
    #expect(service.requests.count == 10)
  }

  @Test("ends when its loop is let go of, and holds neither the store nor itself")
  func letGo() async throws {
    weak var held: Store<Desk>?
    weak var heldLoop: FeedbackLoop<Desk>?
    do {
      let store = Store(Desk())
      var loop: FeedbackLoop? = store.run([search], in: service)
      (held, heldLoop) = (store, loop)
      try store.change(.search("abc"))
      await service.waitForCalls(1)
      loop = nil
      await service.waitForCancellations(1)
      service.answer(0)
      #expect(store.state.found == [])
      await store.close()
    }
    #expect(heldLoop == nil)
    // The task of the last effect may still be ending.
    while held != nil { await Task.yield() }
  }

  @Test("is stopped by the store's close, before it refuses changes")
  func close() async throws {
    let loop = store.run([search], in: service)
    try store.change(.search("abc"))
    await service.waitForCalls(1)
    async let closed = store.close()
    await service.waitForCancellations(1)
    service.answer(0)
    #expect(await closed.isEmpty)
    #expect(loop.effects.isEmpty && store.state.found == [])
  }
}
