import Alter
import AlterTesting
import Foundation
import Testing

@Suite("Properties of an Alterable")
struct ChangePropertiesTests {
  @Test("hold over many random changes, refusals among them")
  func allIsWell() {
    Purse.properties.check()
    let tally = Purse.properties.firstFailure().tally
    #expect(tally.made + tally.refused == 200 * 50)
    #expect(tally.made > 1_000 && tally.refused > 100)
  }

  @Test("fail where every change was refused, because nothing was checked")
  func allRefused() async {
    let failures = Failures()
    let refused = ChangeProperties(of: Purse()) { _, _ in .pay(1, to: nil) }
    refused.check(sequences: 2, length: 3, reporter: failures.reporter)
    refused.check(sequences: 0, reporter: failures.reporter)
    ChangeProperties(of: Purse()) { _, random in random.oneIn(2) ? .earn(1) : .close }.check(reporter: failures.reporter)
    #expect(
      await failures.messages() == [
        "The state refused all 6 changes, so that no property was checked with any of them. Let `changes` return changes that the state can make."
      ])
  }

  @Test("are broken by as few changes as can be, and the failure says what, where and how to see it again")
  func smallest() async throws {
    let failures = Failures()
    let line: UInt = #line + 1
    Purse.neverInDebt.check(seed: 3, reporter: failures.reporter)
    let all = await failures.all()
    #expect(all.map(\.place.line) == [line])
    let failure = try #require(Purse.neverInDebt.firstFailure(seed: 3).failure)
    #expect(failure.changes.count == 2 && failure.broken == .invariant("the purse is never in debt"))
    #expect(all.first?.message == failure.description)
  }

  @Test("are broken by simpler changes, where it is said how a change can be simpler")
  func simpler() async throws {
    let properties = Purse.neverInDebt.simplified { change in
      switch change {
      case .earn(let amount) where amount > 1: [.earn(1), .earn(amount - 1)]
      case .pay(let amount, let shop?): [.pay(amount, to: nil), .pay(amount, to: shop)].dropLast()
      case .pay(let amount, nil) where amount > 0: [.pay(amount / 2, to: nil), .pay(amount - 1, to: nil)]
      default: []
      }
    }
    for seed in 1...20 as ClosedRange<UInt64> {
      let failure = try #require(properties.firstFailure(seed: seed * 1_000).failure)
      #expect(failure.changes == [.earn(1), .pay(2, to: nil)])
    }
    let failures = Failures()
    properties.check([.note("not needed"), .earn(1), .pay(2, to: nil), .note("too late")], reporter: failures.reporter)
    #expect(
      await failures.messages() == [
        """
        The invariant 'the purse is never in debt' does not hold after 3 changes, the last of which is .pay(2, to: nil).

          money
            before: 1
            after:  -1

        To reproduce it:

          properties.check([
            .note("not needed"),
            .earn(1),
            .pay(2, to: nil),
          ])
        """
      ])
    let long = (1...100 as ClosedRange<UInt64>).lazy.compactMap { properties.firstFailure(sequences: 1, seed: $0).failure }
    let failure = try #require(long.first { $0.found > 2 })
    #expect(
      failure.description == """
        The invariant 'the purse is never in debt' does not hold after 2 changes, the last of which is .pay(2, to: nil).

          money
            before: 1
            after:  -1

        Found with seed \(failure.seed ?? 0), among \(failure.found) changes. To reproduce it:

          properties.check([
            .earn(1),
            .pay(2, to: nil),
          ])
        """)
  }

  @Test("find the same failure from the seed that a failure names")
  func seeds() throws {
    let failure = try #require(Purse.neverInDebt.firstFailure(sequences: 1_000, seed: 77).failure)
    let seed = try #require(failure.seed)
    let again = try #require(Purse.neverInDebt.firstFailure(sequences: 1, seed: seed).failure)
    #expect(again.changes == failure.changes && again.seed == failure.seed)
    #expect(Purse.neverInDebt.failure(of: failure.changes)?.broken == failure.broken)
  }

  @Test("are checked in the initial state, too")
  func initialState() async {
    let failures = Failures()
    Purse.properties.invariant("there is money") { $0.money > 0 }.check(reporter: failures.reporter)
    #expect(
      await failures.messages() == [
        """
        The invariant 'there is money' does not hold in the initial state.

        The initial state: Purse(money: 0, notes: [], isClosed: false)

        Found with seed 1. To reproduce it:

          properties.check([])
        """
      ])
  }

  @Test("can be rules about a change")
  func rules() throws {
    let properties = Purse.properties.rule("a note is short") { _, change, _ in
      if case .note(let text) = change { text != "note 3" } else { true }
    }
    let failure = try #require(properties.firstFailure().failure)
    #expect(failure.changes == [.note("note 3")])
    #expect(failure.description.hasPrefix("The rule 'a note is short' does not hold for .note(\"note 3\").\n\n  notes[0]"))
  }

  // MARK: - The laws of every Alterable

  @Test("allow a change to be refused after it has changed something: a store goes back")
  func refusals() async {
    struct Hasty: Alterable, Equatable {
      enum Change { case add }
      struct Failure: Error {}
      var count = 0
      mutating func apply(_ change: Change, at stamp: Stamp) throws(Failure) {
        count += 1
        if count > 2 { throw Failure() }
      }
    }
    let failures = Failures()
    ChangeProperties(of: Hasty(), changes: { _, _ in .add }).invariant("two at most") { $0.count <= 2 }.check(reporter: failures.reporter)
    #expect(await failures.messages().isEmpty)
  }

  @Test("include that the same change and stamp give the same state")
  func determinism() throws {
    struct Dice: Alterable, Equatable {
      enum Change { case roll, wait }
      var eyes = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      mutating func apply(_ change: Change, at stamp: Stamp) { if case .roll = change { eyes = UUID() } }
    }
    let failure = try #require(
      ChangeProperties(of: Dice(), changes: { _, random in random.oneIn(5) ? .roll : .wait }).firstFailure().failure)
    #expect(failure.broken == .determinism && failure.changes == [.roll])
    #expect(
      failure.description.hasPrefix(
        "The same changes give a different state when they are applied again, after .roll.\n\n  eyes\n    the first time:  "))
    #expect(failure.description.contains("`apply` may use only its value, the change and the stamp: no `Date()`"))
  }

  @Test("find an answer that counts although its request was withdrawn, and one to a request that never was")
  func answers() throws {
    struct Order: Alterable, Hashable {
      enum Change: Hashable, Codable { case pay, takeBack, paid(RequestID) }
      var payment: RequestID?
      var last: RequestID?
      /// Which payments count: of the open request, of the last one, or any.
      var accepts = 0
      mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
        switch change {
        case .pay: (payment, last) = (RequestID(stamp), RequestID(stamp))
        case .takeBack: payment = nil
        case .paid(let id):
          guard id == payment || accepts == 1 && id == last || accepts == 2 else { throw .custom("no such payment") }
          payment = nil
        }
      }
    }
    func failure(_ accepts: Int) -> PropertyFailure<Order>? {
      var order = Order()
      order.accepts = accepts
      return ChangeProperties(of: order) { _, random in random.oneIn(2) ? .pay : .takeBack }
        .refusingAnswers(to: { $0.payment.map { [$0] } ?? [] }) { [.paid($0)] }.firstFailure().failure
    }
    #expect(failure(0) == nil)
    #expect(try #require(failure(1)).changes == [.pay, .takeBack])
    let any = try #require(failure(2))
    #expect(any.changes == [] && any.description.contains("'an answer without its request is refused' does not hold in the initial state"))
  }

  @Test("include that changes and states survive being written and read")
  func coding() throws {
    struct Forgetful: Alterable, Equatable, Codable {
      enum CodingKeys: String, CodingKey { case kept }
      enum Change: Equatable, Codable {
        case keep(Int), hide(Int), lie(Int)
        func encode(to encoder: any Encoder) throws {
          var container = encoder.singleValueContainer()
          switch self {
          case .keep(let number): try container.encode(number)
          case .hide(let number): try container.encode(-number)
          case .lie: try container.encode(-1_000)
          }
        }
        init(from decoder: any Decoder) throws {
          let number = try decoder.singleValueContainer().decode(Int.self)
          if number == -1_000 { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a lie")) }
          self = number < 0 ? .keep(-number) : .keep(number)
        }
        init(keeping number: Int) { self = .keep(number) }
      }
      var kept = 0
      var hidden = 0
      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .keep(let number): kept = number
        case .hide(let number): hidden = number
        case .lie(let number): kept = number
        }
      }
    }
    func properties(_ change: @escaping @Sendable (Int) -> Forgetful.Change) -> ChangeProperties<Forgetful> {
      ChangeProperties(of: Forgetful(), changes: { _, random in random.oneIn(4) ? change(random.below(9) + 1) : .keep(1) })
    }
    #expect(properties { .keep($0) }.firstFailure().failure == nil)
    let hidden = try #require(properties { .hide($0) }.firstFailure().failure)
    #expect(hidden.broken == .changeCoding && hidden.changes.count == 1)
    #expect(hidden.description.contains("    written: .hide("))
    #expect(hidden.description.contains("Do `init(from:)` and `encode(to:)` mirror each other"))
    #expect(properties { .lie($0) }.firstFailure().failure?.detail.contains("a lie") == true)

    struct Leaky: Alterable, Equatable, Codable {
      enum CodingKeys: String, CodingKey { case kept }
      enum Change: Equatable, Codable { case hide(Int) }
      var kept = 0
      var hidden = 0
      mutating func apply(_ change: Change, at stamp: Stamp) { if case .hide(let number) = change { hidden = number } }
    }
    let leak = try #require(ChangeProperties(of: Leaky(), changes: { _, random in .hide(random.below(9)) }).firstFailure().failure)
    #expect(leak.broken == .stateCoding && leak.changes.count == 1)
    #expect(leak.description.hasPrefix("Encoding and decoding gives a different state, after .hide("))
  }

  @Test("say so when a change can't be written as Swift, and how to find the failure all the same")
  func gaps() throws {
    final class Secret: Sendable {}
    struct Vault: Alterable, Equatable {
      enum Change { case put(Secret) }
      var count = 0
      mutating func apply(_ change: Change, at stamp: Stamp) { count += 1 }
    }
    let properties = ChangeProperties(of: Vault(), changes: { _, _ in .put(Secret()) }).invariant("empty") { $0.count == 0 }
    let failure = try #require(properties.firstFailure(seed: 8).failure)
    #expect(
      failure.description == """
        The invariant 'empty' does not hold after .put(<#Secret#>).

          count
            before: 0
            after:  1

        The code is incomplete; this call finds the failure again: `properties.check(sequences: 1, length: 50, seed: 8)`.

        No Swift code is known for: Secret. Conform these types to `SwiftSourceConvertible`.

        Found with seed 8. To reproduce it:

          properties.check([
            .put(<#Secret#>),
          ])
        """)
  }
}
