import Alter
import AlterCore
import AlterTesting
import Foundation
import Testing

@testable import AlterFeedback

@Suite("Odd requests, limits and clocks")
struct OddRequestsTests {
  private struct Gauge: Alterable {
    enum Change: Hashable { case ask(Double?), note, got }

    private(set) var ask: Double?
    private(set) var notes = 0

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .ask(let value): ask = value
      case .note: notes += 1
      case .got: ask = nil
      }
    }
  }

  private let service = Service()

  @Test("a request that is not equal to itself is reported once, and does not spin")
  func notANumber() async throws {
    let store = Store(Gauge())
    let calls = Lock(0)
    let run = try store.run([
      Feedback<Gauge, Void>("read", request: \.ask) { _, _ in
        calls.withLock { $0 += 1 }
        return .got
      }
    ])
    var problems = store.problems.makeAsyncIterator()
    try store.change(.ask(.nan))
    #expect(await problems.next()?.description.contains("not equal to itself") == true)
    for _ in 0..<100 { try store.change(.note) }
    #expect(store.effects.map(\.phase.description) == ["stuck"])
    run.retry("read")
    #expect(await problems.next()?.description.contains("retry") == false)
    try store.change(.ask(1))
    for await ask in store.values(of: \.ask) where ask == nil { break }
    #expect(calls.withLock { $0 } == 1)
    await store.close()
    #expect(await problems.next() == nil)
  }

  @Test("a limit of time is kept to the microsecond, and may be of any length")
  func limits() async throws {
    for (limit, passed, isBegun) in [
      (Duration.milliseconds(500), Duration.milliseconds(499), true), (.milliseconds(500), .milliseconds(500), false),
      (.seconds(Int64.max), .seconds(1_000_000), true), (.seconds(-1), .zero, false),
    ] {
      let (clock, service) = (TestClock(), Service())
      let store = Store(Desk(), options: clock.options())
      try store.change(.pay(5))
      clock.advance(by: passed)
      try store.run([Feedback.charge.attempts(within: limit)], in: service)
      if isBegun {
        await service.waitForCalls(1)
        service.answer(0)
        await store.rest()
      } else {
        await store.waitForEffects { $0.map(\.phase.description) == ["stuck"] }
      }
      #expect(service.requests.count == (isBegun ? 1 : 0))
      await store.close()
    }
  }

  @Test("any time in a stored id, and any time of the clock", arguments: [Int64.min, -1, 0, .max])
  func times(time: Int64) async throws {
    let stamp = Stamp(time: time, origin: .testing, sequence: 1, index: 0)
    var desk = Desk()
    try desk.apply(.pay(5), at: stamp)
    for now in [Int64.min, 0, .max] {
      var options = StoreOptions()
      options.environment.now = { now }
      let store = Store(desk, options: options)
      try store.run([Feedback.carefulCharge.provide { _ in service }], in: ())
      // It is begun, or unclear.
      await store.waitForEffects { $0.isEmpty || $0.map(\.phase.description) == ["running"] }
      _ = await store.close(deadline: .zero)
    }
  }

  @Test("a newer request ends the pause of the former one, and has its own")
  func superseded() async throws {
    let clock = TestClock()
    let store = Store(Desk(), options: clock.options())
    var options = FeedbackOptions()
    options.clock = clock.clock
    try store.run([.search], in: service, options: options)
    try store.change(.search("a"))
    await service.waitForCalls(1)
    service.fail(0)
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(700))
    try store.change(.search("b"))
    await service.waitForCalls(2)
    service.fail(1)
    await store.waitForEffects { $0.map(\.phase.description) == ["pausing"] }
    await clock.sleepers(1)
    // The time of the former pause.
    clock.advance(by: .milliseconds(550))
    guard case .pausing(let until, 1, "Timeout()") = store.effects.first?.phase else {
      Issue.record("\(store.effects)")
      return
    }
    #expect(until > store.now)
    await store.close()
  }

  @Test("a withdrawn request in a pause does not keep its store")
  func released() async throws {
    weak var released: Store<Desk>?
    do {
      let store = Store(Desk())
      released = store
      try store.run([.search], in: service)
      try store.change(.search("a"))
      await service.waitForCalls(1)
      service.fail(0)
      await store.waitForEffects { $0.map(\.phase.description) == ["pausing"] }
      try store.change(.search(nil))
      await store.rest()
    }
    // Its pause lasts for 800 ms at least.
    let end = ContinuousClock.now + .milliseconds(600)
    while released != nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
    #expect(released == nil)
  }

  @Test("retry does not begin a request whose id is not unique")
  func notUnique() async throws {
    var desk = Desk()
    try desk.apply(.pay(5), at: .none)
    let store = try await Store.open(desk, in: MemoryJournal())
    var problems = store.problems.makeAsyncIterator()
    let run = try store.run([.charge], in: service)
    #expect(await problems.next()?.description.contains("Stamp.none") == true)
    run.retry("charge")
    #expect(await problems.next()?.description.contains("Stamp.none") == true)
    #expect(service.requests == [] && store.phases == ["stuck"])
    await store.close()
  }

  /// A payment whose `send` withdraws the request, so that no other attempt is made.
  private struct Once: Journaled, Hashable {
    enum Change: Hashable, Codable { case pay, charging(RequestID), paid(RequestID) }

    private(set) var wanted: Requested<Int>?
    private(set) var charging: RequestID?
    private(set) var paid: [RequestID] = []

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .pay: wanted = Requested(5, stamp)
      case .charging(let id): (wanted, charging) = (nil, id)
      case .paid(let id):
        guard charging == id else { throw .custom("no such charge") }
        (charging, paid) = (nil, paid + [id])
      }
    }
  }

  @Test("the answer of an effect whose own `send` has withdrawn the request is made", arguments: [false, true])
  func withdrawnBySend(isJournaled: Bool) async throws {
    let store = isJournaled ? try await Store.open(Once(), in: MemoryJournal()) : Store(Once())
    let charge = Feedback<Once, Service>("charge", request: \.wanted) { payment, service, effect in
      try await effect.send(.charging(payment.id))
      _ = try await service.ask("charge")
      return .paid(payment.id)
    }
    try store.run([charge], in: service)
    try store.change(.pay)
    await service.waitForCalls(1)
    service.answer(0)
    for await paid in store.values(of: \.paid) where paid.count == 1 { break }
    await #expect(throws: UndoError.self) { try await store.undo() }
    #expect(service.requests.count == 1)
    await store.close()
  }

  @Test("an answer that comes while an undo of its request is pending is reported when the undo is confirmed, and not stuck")
  func pendingUndo() async throws {
    let journal = MemoryJournal()
    let store = try await Store.open(Desk(), in: journal)
    var problems = store.problems.makeAsyncIterator()
    try store.run([.charge], in: service)
    try await store.change(.pay(5)).durable()
    await service.waitForCalls(1)
    let turn = try await journal.takeTurn()
    let undo = Task { try await store.undo() }
    await store.wait { $0.payment == nil }
    service.answer(0)
    await store.waitForEffects { $0.map(\.phase.description) == ["pausing"] }
    turn.end()
    _ = try await undo.value
    #expect(await problems.next()?.description.contains("was withdrawn while its effect ran") == true)
    #expect(store.state.paid == [] && service.requests.count == 1)
    await store.close()
  }

  @Test("the same request, made again while the answer to the first is pending, is performed")
  func askedAgain() async throws {
    let journal = MemoryJournal()
    let store = try await Store.open(Desk(), in: journal)
    try store.run([.search], in: service)
    for round in 0..<20 {
      try await store.change(.search("a")).durable()
      await service.waitForCalls(2 * round + 1)
      let turn = try await journal.takeTurn()
      service.answer(2 * round)
      await store.wait { $0.search == nil }
      try store.change(.search("a"))
      turn.end()
      await service.waitForCalls(2 * round + 2)
      service.answer(2 * round + 1)
      await store.rest()
    }
    #expect(store.state.found.count == 40)
    await store.close()
  }
}
