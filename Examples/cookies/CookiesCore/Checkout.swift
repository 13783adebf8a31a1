public import Alter

/// Four screens on which a customer buys cookies. They are asymmetrical: not every way has a way back.
///
///     shelf ──take──▶ basket ──pay──▶ payment ──paid──▶ thanks
///       ▲ ◀──putBack──┘                                   │
///       └────────────────────────again────────────────────┘
///
/// A transition that doesn't exist has no name: `.payment` to `.basket` can't be written. One that exists has to be given a meaning on every
/// screen, or this file does not compile.
public enum Checkout: Alterable, Hashable {
  case shelf
  case basket(cookies: Int)
  case payment(cookies: Int)
  case thanks(cookies: Int)

  /// The ways from one screen to another.
  public enum Change: Hashable, Sendable { case take(Int), putBack, pay, paid, again }

  /// Goes to another screen, or refuses to.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch (self, change) {
    case (.shelf, .take(let count)): self = .basket(cookies: count)
    case (.basket(let count), .take(let more)): self = .basket(cookies: count + more)
    case (.basket, .putBack): self = .shelf
    case (.basket(let count), .pay): self = .payment(cookies: count)
    case (.payment(let count), .paid): self = .thanks(cookies: count)
    case (.thanks, .again): self = .shelf
    // No such way from there:
    case (.shelf, .putBack), (.shelf, .pay), (.shelf, .paid), (.shelf, .again),
      (.basket, .paid), (.basket, .again),
      (.payment, .take), (.payment, .putBack), (.payment, .pay), (.payment, .again),
      (.thanks, .take), (.thanks, .putBack), (.thanks, .pay), (.thanks, .paid):
      throw .illegal(from: "\(self)", change: "\(change)")
    }
  }

  /// The ways that lead on from this screen: what its buttons are.
  public var ways: [Change] {
    switch self {
    case .shelf: [.take(1)]
    case .basket: [.take(1), .putBack, .pay]
    case .payment: [.paid]
    case .thanks: [.again]
    }
  }
}
