#if Macros
  public import Alter

  /// The four screens on which a customer buys cookies. Not every transition can be reversed.
  ///
  ///     shelf ──take──▶ basket ──pay──▶ payment ──paid──▶ thanks
  ///       ▲ ◀──putBack──┘                                   │
  ///       └────────────────────────again────────────────────┘
  ///
  /// `@Takes` lists the changes that each screen takes; it refuses all others. A screen without a list, a change that no screen takes, and a
  /// listed change without a meaning do not compile.
  @Alterable public enum Checkout: Hashable {
    @Takes(OwnChange.take) case shelf
    @Takes(OwnChange.take, OwnChange.putBack, OwnChange.pay) case basket(cookies: Int)
    @Takes(OwnChange.paid) case payment(cookies: Int)
    @Takes(OwnChange.again) case thanks(cookies: Int)

    /// The transitions between the screens.
    @Wire public enum OwnChange: Hashable { case take(Int), putBack, pay, paid, again }

    private mutating func apply(_ step: Step, at stamp: Stamp) {
      switch step {
      case .shelf(.take(let count)): self = .basket(cookies: count)
      case .basket(let count, .take(let more)): self = .basket(cookies: count + more)
      case .basket(_, .putBack): self = .shelf
      case .basket(let count, .pay): self = .payment(cookies: count)
      case .payment(let count, .paid): self = .thanks(cookies: count)
      case .thanks(_, .again): self = .shelf
      }
    }
  }

  extension Checkout {
    /// One change of each kind.
    public static let changes: [Change] = [.take(1), .putBack, .pay, .paid, .again]

    /// The changes that this screen takes. The view shows one button for each.
    public var ways: [Change] { Self.changes.filter { (try? alter($0)) != nil } }
  }
#endif
