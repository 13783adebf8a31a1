public import Alter

/// The four screens on which a customer buys cookies. Not every transition can be reversed.
///
///     shelf ──take──▶ basket ──pay──▶ payment ──paid──▶ thanks
///       ▲ ◀──putBack──┘                                   │
///       └────────────────────────again────────────────────┘
///
/// A transition that doesn't exist has no name: code can't express a change from `.payment` to `.basket`. A transition that exists needs a
/// meaning on every screen; otherwise this file does not compile.
public enum Checkout: Alterable, Hashable {
  case shelf
  case basket(cookies: Int)
  case payment(cookies: Int)
  case thanks(cookies: Int)

  /// The transitions between the screens.
  public enum Change: Hashable, Sendable { case take(Int), putBack, pay, paid, again }

  /// Moves to the next screen, or throws a refusal if this screen has no such transition.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch (self, change) {
    case (.shelf, .take(let count)): self = .basket(cookies: count)
    case (.basket(let count), .take(let more)): self = .basket(cookies: count + more)
    case (.basket, .putBack): self = .shelf
    case (.basket(let count), .pay): self = .payment(cookies: count)
    case (.payment(let count), .paid): self = .thanks(cookies: count)
    case (.thanks, .again): self = .shelf
    // These transitions don't exist on these screens:
    case (.shelf, .putBack), (.shelf, .pay), (.shelf, .paid), (.shelf, .again),
      (.basket, .paid), (.basket, .again),
      (.payment, .take), (.payment, .putBack), (.payment, .pay), (.payment, .again),
      (.thanks, .take), (.thanks, .putBack), (.thanks, .pay), (.thanks, .paid):
      throw .illegal(from: "\(self)", change: "\(change)")
    }
  }

  /// The transitions that are possible on this screen. The view shows one button for each.
  public var ways: [Change] {
    switch self {
    case .shelf: [.take(1)]
    case .basket: [.take(1), .putBack, .pay]
    case .payment: [.paid]
    case .thanks: [.again]
    }
  }
}
