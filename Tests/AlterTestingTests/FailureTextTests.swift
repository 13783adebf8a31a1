import Alter
import AlterTesting
import Testing

@Suite("A test store tells in its failures")
struct FailureTextTests {
  let clock = TestClock()
  let failures = Failures()

  private func store(_ desk: Desk = Desk(), order: TestOrder = .asReady, world: World? = nil) -> TestStore<Desk> {
    TestStore(
      desk, feedbacks: [.save, .search], in: world ?? World(clock: clock.clock), clock: clock, order: order,
      reporter: failures.reporter)
  }

  @Test("what differs in a state, expected and actual")
  func otherState() async {
    let store = store()
    store.send(.search("milk"), .progress(3)) {
      $0.query = "milk"
      $0.progress = 4
    }
    #expect(
      await failures.messages() == [
        """
        The state after .search("milk"), .progress(3) is not the expected one.

          progress
            expected: 4
            actual:   3

        Either the change has an unexpected effect, or the expectation omits a part of its effect.
        """
      ])
  }

  @Test("a change of the state that the test does not mention")
  func unexpectedChange() async {
    let store = store()
    store.send(.progress(3))
    #expect(
      await failures.messages() == [
        """
        .progress(3) changes the state, but the test expects no change.

          progress
            expected: 0
            actual:   3

        State the expected change: `send(…, changing: […])`. To ignore it: `nonExhaustively { … }`.

        All changes of the state:
          "progress": 3,
        """
      ])
  }

  @Test("an expectation that throws")
  func throwingExpectation() async {
    let store = store()
    store.send(.progress(3)) { $0 = try $0.alter(.saved(9)) }
    #expect(
      await failures.messages() == [
        """
        The expectation for .progress(3) threw an error: unknown(9)

        Does the closure make a change that the state refuses? The closure receives the state before the change.
        """
      ])
  }

  @Test("a refusal that was not expected")
  func refused() async {
    let store = store()
    store.send(.saved(9))
    #expect(
      await failures.messages() == [
        """
        .saved(9) was not made. The change was refused: unknown(9)

        If the refusal is intended, use `refuses(…)`. Otherwise check the state before the change, and the `throw` statements of `apply`.
        """
      ])
  }

  @Test("a refusal that did not come, and one for another reason")
  func notRefused() async {
    let store = store()
    store.refuses(.progress(9))
    store.refuses(.saved(9), because: .empty)
    #expect(
      await failures.messages() == [
        """
        .progress(9) was made, but the test expects a refusal.

          progress
            expected: 0
            actual:   9

        Does `apply` refuse this change in this state?
        """,
        """
        .saved(9) was refused for a different reason than expected.

          expected: .empty
          actual:   .unknown(9)
        """,
      ])
  }

  @Test("an undo of nothing")
  func undo() async {
    let store = store()
    await store.undo()
    #expect(await failures.messages() == ["An undo was not made. There is nothing to undo."])
  }

  @Test("another answer, with what differs in it and what came after it")
  func otherReceived() async {
    let store = store(Desk(items: [1: Desk.Item(name: "a"), 2: Desk.Item(name: "b")]))
    await store.receive(.saved(2))
    #expect(
      await failures.messages() == [
        """
        An unexpected answer was received.

          expected: .saved(2)
          actual:   .saved(1), from the feedback 'save'

          [0].saved
            expected: 2
            actual:   1

        Received after it:
          .saved(2), from the feedback 'save'

        Assert answers in the order of their arrival. If the order is not guaranteed, use `receive(inAnyOrder: …)`.
        """
      ])
  }

  @Test("another answer than any of those expected in any order, and one that is missing")
  func inAnyOrder() async {
    let desk = Desk(items: [1: Desk.Item(name: "a"), 2: Desk.Item(name: "b"), 3: Desk.Item(name: "c")])
    let store = store(desk)
    await store.receive(inAnyOrder: .saved(3), .saved(1), .saved(4))
    await store.receive(inAnyOrder: .saved(5), .saved(3))
    #expect(
      await failures.messages() == [
        """
        An unexpected answer was received.

          expected: .saved(3) or .saved(4)
          actual:   .saved(2), from the feedback 'save'

        Received after it:
          .saved(3), from the feedback 'save'

        Assert answers in the order of their arrival. If the order is not guaranteed, use `receive(inAnyOrder: …)`.
        """,
        """
        .saved(5) was expected, but nothing was received.

        No effect is in flight. Does the state request the effect, and is its feedback in the store's list?
        """,
      ])
  }

  @Test("what else can be received: a reset through the store, and another problem")
  func otherKinds() async throws {
    let store = store()
    try store.store.reset(to: Desk(progress: 1))
    await store.receive(.progress(1))
    store.send(.put(1, Desk.Item(name: "a"))) { $0.items[1] = Desk.Item(name: "a") }
    await store.receive("a search", matching: { if case .search = $0 { true } else { false } })
    let refusing = Feedback<Desk, Void>("bad", request: \.ping) { _, _ in .search("") }
    let other = TestStore(Desk(ping: 1), feedbacks: [refusing], reporter: failures.reporter)
    await other.receiveProblem("a full disk")
    await other.nonExhaustively { await other.finish() }
    #expect(
      await failures.messages() == [
        """
        An unexpected answer was received.

          expected: .progress(1)
          actual:   a reset of the whole state

        Assert answers in the order of their arrival. If the order is not guaranteed, use `receive(inAnyOrder: …)`.
        """,
        """
        An unexpected answer was received.

          expected: a search
          actual:   .saved(1), from the feedback 'save'

        Assert answers in the order of their arrival. If the order is not guaranteed, use `receive(inAnyOrder: …)`.
        """,
        """
        An unexpected problem was reported.

          expected: a problem that contains 'a full disk'
          actual:   The feedback 'bad': The request 1 is stuck: the state refused the answer: empty `FeedbackRun.retry` begins it again.
        """,
      ])
  }

  @Test("twenty differences at most, elements by their identity, and what has moved")
  func manyDifferences() async {
    struct Shelf: Alterable, Equatable {
      enum Change: Equatable { case fill, turn }
      var books: [Person] = []
      var pages: [Int] = []
      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .fill: pages = Array(1...30)
        case .turn: books.reverse()
        }
      }
    }
    let store = TestStore(Shelf(books: Person.all), reporter: failures.reporter)
    store.send(.turn)
    store.send(.fill)
    let messages = await failures.messages()
    #expect(
      messages.first == """
        .turn changes the state, but the test expects no change.

          books[2]
            expected: at place 1
            actual:   at place 0

        State the expected change: `send(…, changing: […])`. To ignore it: `nonExhaustively { … }`.

        All changes of the state:
          "books[2]": Moved(to: 0),
        """)
    #expect(messages.last?.contains("  pages[19]\n    expected: nothing\n    actual:   20\n  … and more.\n") == true)
  }

  @Test("that nothing was received because an effect waits for the clock, and how far that must move")
  func waitingForTheClock() async {
    let store = store()
    store.send(.search("milk")) { $0.query = "milk" }
    await store.receive(.found(["milks"]))
    #expect(
      await failures.messages() == [
        """
        .found(["milks"]) was expected, but nothing was received.

        In flight:
          'search' is running: milk

        A task waits for the clock: `await store.advance(by: .milliseconds(300))` wakes the first one.
        """
      ])
  }

  @Test("that nothing was received because an effect waits for something outside of the test")
  func waitingOutside() async {
    let forever = AsyncStream<Void>.makeStream()
    var world = World(clock: clock.clock)
    world.save = { _ in for await _ in forever.stream {} }
    let store = store(world: world)
    store.send(.put(4, Desk.Item(name: "d"))) { $0.items[4] = Desk.Item(name: "d") }
    await store.receive(.saved(4))
    #expect(
      await failures.messages() == [
        """
        .saved(4) was expected, but nothing was received.

        In flight:
          'save' for 4 is running: 4

        No task waits for the test's clock, so the effect waits for something outside of the test: a network, `Task.sleep`, another clock, or a continuation that is never resumed. \
        Give the effect an environment without it.
        """
      ])
  }

  @Test("that nothing was received because nothing is asked for")
  func nothingAsked() async {
    let store = store()
    await store.receive(.saved(4))
    await store.receive("something else", matching: { _ in true })
    await store.receiveProblem("bad")
    #expect(
      await failures.messages() == [
        """
        .saved(4) was expected, but nothing was received.

        No effect is in flight. Does the state request the effect, and is its feedback in the store's list?
        """,
        """
        Something else was expected, but nothing was received.

        No effect is in flight. Does the state request the effect, and is its feedback in the store's list?
        """,
        """
        A problem that contains 'bad' was expected, but nothing was received.

        No effect is in flight. Does the state request the effect, and is its feedback in the store's list?
        """,
      ])
  }

  @Test("what was received instead, where not everything is asserted")
  func otherReceivedNonExhaustively() async {
    let store = store(Desk(items: [1: Desk.Item(name: "a"), 2: Desk.Item(name: "b")]))
    await store.nonExhaustively {
      await store.receive(.saved(3))
      await store.receive(.saved(2)) { $0.progress = 4 }
    }
    #expect(
      await failures.messages() == [
        """
        .saved(3) was expected, but it was not received.

        Received instead:
          .saved(1), from the feedback 'save'
          .saved(2), from the feedback 'save'
        """,
        """
        The state after .saved(2) is not the expected one.

          progress
            expected: 4
            actual:   0

        Either the change has an unexpected effect, or the expectation omits a part of its effect.
        """,
      ])
  }

  @Test("answers that were not asserted before the next change")
  func unasserted() async {
    let store = store(Desk(items: [1: Desk.Item(name: "a"), 2: Desk.Item(name: "b")]))
    await store.settle()
    store.send(.progress(1)) { $0.progress = 1 }
    #expect(
      await failures.messages() == [
        """
        2 answers were received but not asserted before .progress(1):

          .saved(1), from the feedback 'save'
          .saved(2), from the feedback 'save'

        Assert with `receive(…)`, in this order. To ignore answers: `nonExhaustively { … }`.
        """
      ])
  }

  @Test("what is left over at the end")
  func leftOver() async {
    let store = store(Desk(query: "milk", items: [1: Desk.Item(name: "a")]))
    await store.finish()
    #expect(
      await failures.messages() == [
        """
        The test ends, but some answers, problems or effects are left over.

        Received but not asserted:
          .saved(1), from the feedback 'save'

        Effects in flight:
          'search' is running: milk

        Assert the received answers with `receive(…)`.

        Let the effects end: `await store.advance(by: .milliseconds(300))` wakes the first one, or a change withdraws its request.
        """
      ])
  }

  @Test("an undo that was made, but should be refused")
  func undone() async {
    let store = store()
    store.send(.progress(5)) { $0.progress = 5 }
    await store.refusesUndo()
    await store.finish()
    #expect(
      await failures.messages() == [
        """
        An undo was made, but the test expects a refusal.

          progress
            expected: 5
            actual:   0

        Does `apply` refuse this change in this state?
        """
      ])
  }

  @Test("a chain that was paused, with the problem that was reported")
  func paused() async {
    let forever = Feedback<Desk, Void>("ping", request: \.ping) { number, _ in .ping(number + 1) }
    let store = TestStore(Desk(ping: 0), feedbacks: [forever], rounds: 1, reporter: failures.reporter)
    await store.receive(.ping(1)) { $0.ping = 1 }
    await store.finish()
    let messages = await failures.messages()
    #expect(
      messages == [
        """
        The test ends, but some answers, problems or effects are left over.

        Reported problems:
          The feedback 'ping': The request 1 is stuck: feedbacks have answered each other 1 times without a change from outside. It continues with such a \
        change. Does an answer cause its own request again? To allow a longer chain, raise `rounds`. `FeedbackRun.retry` begins it again.

        Effects in flight:
          'ping' is stuck: 1

        Assert the problems with `receiveProblem(…)`, or fix their cause.

        Let the effects end, or withdraw their requests by a change.
        """
      ])
  }

  @Test("a store that was let go of unfinished, at the place where it was made")
  func unfinished() async {
    let line: UInt = #line + 2
    do {
      let store = TestStore(
        Desk(query: "milk"), feedbacks: [.search], in: World(clock: clock.clock), clock: clock, reporter: failures.reporter)
      store.send(.progress(1)) { $0.progress = 1 }
    }
    let all = await failures.all()
    #expect(all.map(\.place.line) == [line])
    #expect(
      all.map(\.message) == [
        """
        This test store was released without `finish()`, and some answers, problems or effects are left over.

        Effects in flight:
          'search' is running: milk

        Let the effects end, or withdraw their requests by a change.

        End the test with `await store.finish()`.
        """
      ])
  }

  @Test("effects that never rest, instead of running for ever")
  func restless() async {
    var world = World(clock: clock.clock)
    let isOver = AsyncStream<Never>.makeStream()
    world.save = { _ in while !Task.isCancelled { await Task.yield() } }
    let store = store(world: world)
    store.send(.put(4, Desk.Item(name: "d"))) { $0.items[4] = Desk.Item(name: "d") }
    await store.settle()
    store.send(.toss(4)) { $0.items = [:] }
    await store.finish()
    isOver.continuation.finish()
    #expect(
      await failures.messages() == [
        """
        The effects do not come to rest.

        In flight:
          'save' for 4 is running: 4

        Does one of them loop without waiting for the test's clock?
        """
      ])
  }

  @Test("an effect that goes on although it is cancelled")
  func endless() async {
    let box = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
    var world = World(clock: clock.clock)
    world.save = { _ in await withCheckedContinuation { box.continuation.yield($0) } }
    let store = store(world: world)
    store.send(.put(4, Desk.Item(name: "d"))) { $0.items[4] = Desk.Item(name: "d") }
    await store.nonExhaustively { await store.finish() }
    box.continuation.finish()
    for await continuation in box.stream { continuation.resume() }
    #expect(
      await failures.messages() == [
        """
        The feedbacks were stopped, but an effect is still running.

        In flight before the stop:
          'save' for 4 is running: 4

        It waits for something that does not end when its task is cancelled: a continuation, a separate task, or `Task.sleep` in a `try?` loop. Make it end when its task is cancelled.
        """
      ])
  }

  @Test("what comes after the end")
  func afterTheEnd() async {
    let store = store()
    await store.finish()
    store.send(.progress(1))
    store.refuses(.search(""))
    await store.undo()
    await store.receive(.progress(1))
    await store.advance(by: .seconds(1))
    await store.finish()
    let text = await failures.messages()
    #expect(
      text.first == """
        The test store is finished: .progress(1) was called after `finish()`.

        Call `finish()` at the end of the test.
        """)
    #expect(text.count == 5)
  }

  @Test("the seed of a shuffled order")
  func seed() async {
    let store = store(order: .shuffled(seed: 7))
    store.send(.progress(1)) { $0.progress = 2 }
    #expect(
      await failures.messages().first?.hasSuffix(
        "\n\nThe order was shuffled. `order: .shuffled(seed: 7)` reproduces it.") == true)
  }

  @Test("their place: the line of the call, to Swift Testing as to any reporter")
  func places() async {
    let store = store()
    let line: UInt = #line + 1
    store.send(.progress(1))
    let all = await failures.all()
    #expect(all.map(\.place.line) == [line] && all.map { "\($0.place.fileID)" } == ["AlterTestingTests/FailureTextTests.swift"])
    #expect(all.first?.description.hasPrefix("AlterTestingTests/FailureTextTests.swift:\(line): .progress(1) changes") == true)

    let loud = TestStore(Desk())
    let place = #_sourceLocation
    withKnownIssue {
      loud.send(.progress(1))
    } matching: { issue in
      issue.sourceLocation?.line == place.line + 2 && issue.sourceLocation?.fileID == place.fileID
        && issue.comments.first?.rawValue.hasPrefix(".progress(1) changes the state") == true
    }
    await loud.finish()
  }
}
