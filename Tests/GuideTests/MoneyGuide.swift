import Alter
import AlterTesting
import Testing

/// The guide "Effects that cost money".
enum MoneyGuide {
  // snippet: money-state
  struct Order: Journaled, Hashable {
    enum Payment: Hashable, Codable { case none, open, charging, paid, declined(String), unclear }
    enum Change: Hashable, Codable {
      case pay(cents: Int), charging(RequestID), paid(RequestID), declined(RequestID, String), unclear(RequestID), checkAgain
    }

    private(set) var payment = Payment.none
    private(set) var charge: Requested<Int>?  // kept while the payment is unclear, so that the same request can be made again

    /// The request: the charge, while the bank is to be asked.
    var wanted: Requested<Int>? { payment == .open || payment == .charging ? charge : nil }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .pay(let cents):
        guard charge == nil else { throw .custom("This order is paid, or is being paid.") }
        (payment, charge) = (.open, Requested(cents, stamp))
      case .charging(let id):
        try check(id)
        payment = .charging
      case .paid(let id):
        try check(id)
        payment = .paid
      case .declined(let id, let why):
        try check(id)
        (payment, charge) = (.declined(why), nil)
      case .unclear(let id):
        try check(id)
        payment = .unclear
      case .checkAgain:
        guard payment == .unclear else { throw .custom("The bank's answer is known, or is on its way.") }
        payment = .open
      }
    }

    /// Refuses an answer without its request.
    private func check(_ id: RequestID) throws(Refusal) {
      guard wanted?.id == id else { throw .custom("The order does not ask for this charge.") }
    }
  }
  // end

  // snippet: money-effect
  struct Bank: Sendable {
    enum Verdict { case accepted, declined(String) }
    var charge: @Sendable (_ cents: Int, _ key: String) async throws -> Verdict
  }

  static let charge = Feedback<Order, Bank>("charge", request: \.wanted) { payment, bank, effect in
    try await effect.send(.charging(payment.id))  // in the journal before the bank is asked: from here on an undo is refused
    switch try await bank.charge(payment.value, payment.id.key("charge")) {
    case .accepted: return .paid(payment.id)
    case .declined(let why): return .declined(payment.id, why)  // the bank's word. A timeout throws: nothing is decided
    }
  } unclear: { payment, _ in
    .unclear(payment.id)
  }
  // end

  // snippet: money-limit
  struct Timeout: Error {}

  static func limited(_ bank: Bank, to limit: Duration, on clock: any Clock<Duration>) -> Bank {
    Bank { cents, key in
      guard let verdict = try await withTimeout(limit, on: clock, { try await bank.charge(cents, key) }) else { throw Timeout() }
      return verdict
    }
  }
  // end

  /// A bank that remembers its keys, and whose first answers are lost.
  // snippet: money-bank
  actor TestBank {
    private(set) var charged: [String: Int] = [:]
    private var lost: Int

    init(losing lost: Int) { self.lost = lost }

    func charge(_ cents: Int, _ key: String) throws -> Bank.Verdict {
      charged[key] = cents  // once for each key
      lost -= 1
      if lost >= 0 { throw Timeout() }
      return .accepted
    }
  }
  // end

  @Suite("The guide Effects that cost money")
  struct Tests {
    // snippet: money-test
    @Test("a payment whose answer is lost is charged once")
    func lostAnswer() async throws {
      let clock = TestClock()
      let bank = TestBank(losing: 1)
      let store = TestStore(Order(), feedbacks: [charge], in: Bank { try await bank.charge($0, $1) }, clock: clock)
      store.send(.pay(cents: 500), changing: ["payment": Order.Payment.open, "charge": Stamped { Requested(500, $0) }])
      let id = try #require(store.state.charge?.id)
      await store.receive(.charging(id), changing: ["payment": Order.Payment.charging])
      await store.undecided("charge", Timeout.self)
      await store.refusesUndo()  // the bank was asked
      await store.advance(by: .seconds(2))  // the pause between the attempts
      await store.receive(.charging(id), changing: [:])
      await store.receive(.paid(id), changing: ["payment": Order.Payment.paid])
      await store.finish()
      #expect(store.keys("charge") == [id, id])
      #expect(await bank.charged.count == 1)
    }
    // end

    @Test("a bank that does not answer is asked again under the same key")
    func noAnswer() async throws {
      let clock = TestClock()
      let bank = TestBank(losing: 0)
      let silentAtFirst = Bank { cents, key in
        let isFirst = await bank.charged.isEmpty
        let verdict = try await bank.charge(cents, key)
        if isFirst { try await clock.clock.sleep(for: .seconds(1_000_000)) }
        return verdict
      }
      let limited = limited(silentAtFirst, to: .seconds(30), on: clock.clock)
      let store = TestStore(Order(), feedbacks: [charge], in: limited, clock: clock)
      store.send(.pay(cents: 500), changing: ["payment": Order.Payment.open, "charge": Stamped { Requested(500, $0) }])
      let id = try #require(store.state.charge?.id)
      await store.receive(.charging(id), changing: ["payment": Order.Payment.charging])
      await store.advance(by: .seconds(30))
      await store.undecided("charge", Timeout.self)
      await store.advance(by: .seconds(2))
      await store.receive(.charging(id), changing: [:])
      await store.receive(.paid(id), changing: ["payment": Order.Payment.paid])
      await store.finish()
      #expect(store.keys("charge") == [id, id])
      #expect(await bank.charged.count == 1)
    }

    @Test("an undo is refused as soon as the bank is asked, and before that it withdraws the payment")
    func undo() async throws {
      let bank = TestBank(losing: 0)
      let journal = MemoryJournal()
      let store = try await Store.open(Order(), in: journal)
      // snippet: money-undo
      try store.change(.pay(cents: 500))
      try await store.undo()  // nothing has begun: the payment is withdrawn
      try await store.redo()  // the same request again, with the same key
      try store.run([charge], in: Bank { try await bank.charge($0, $1) })
      for await payment in store.values(of: \.payment) where payment == .paid { break }
      do {
        try await store.undo()
      } catch {
        print(error)  // Nothing was undone or redone: … Make a change that asks for the opposite act, such as a refund.
      }
      // end
      #expect(store.state.payment == .paid)
      #expect(await bank.charged.values.map { $0 } == [500])
      await store.close()
    }

    @Test("after the last attempt the payment is unclear, and is checked again under the same key")
    func unclear() async throws {
      let bank = TestBank(losing: 1)
      let store = try await Store.open(Order(), in: MemoryJournal())
      try store.run([charge.attempts(1, within: .seconds(3_600))], in: Bank { try await bank.charge($0, $1) })
      try store.change(.pay(cents: 500))
      for await payment in store.values(of: \.payment) where payment == .unclear { break }
      #expect(throws: ChangeError<Refusal>.self) { try store.change(.pay(cents: 500)) }
      try store.change(.checkAgain)
      for await payment in store.values(of: \.payment) where payment == .paid { break }
      #expect(await bank.charged.count == 1)
      await store.close()
    }

    // snippet: money-property
    @Test("an answer without its request is refused")
    func property() {
      ChangeProperties(of: Order()) { order, random in
        let id = order.charge?.id ?? RequestID(named: "none")
        return [.pay(cents: 500), .charging(id), .paid(id), .declined(id, "no"), .unclear(id), .checkAgain][random.below(6)]
      }
      .refusingAnswers(to: { order in order.wanted.map { [$0.id] } ?? [] }) { id in
        [.charging(id), .paid(id), .declined(id, "no"), .unclear(id)]
      }
      .check()
    }
    // end
  }
}
