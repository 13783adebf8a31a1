#if Macros
  import Alter

  /// The screens on which a customer buys cookies. Not every transition can be reversed.
  ///
  ///     shelf ──take──▶ basket ──pay──▶ payment ──paid──▶ thanks
  ///       ▲ ◀──putBack──┘                                   │
  ///       └────────────────────────again────────────────────┘
  ///
  /// `@Takes` lists the changes that each screen takes; it refuses all others. A screen without a list, a change that no screen takes, and a
  /// listed change without a meaning do not compile.
  @Alterable enum Checkout: Hashable {
    @Takes(OwnChange.take) case shelf
    @Takes(OwnChange.take, OwnChange.putBack, OwnChange.pay) case basket(cookies: Int)
    @Takes(OwnChange.paid) case payment(cookies: Int)
    @Takes(OwnChange.again) case thanks(cookies: Int)

    @Wire enum OwnChange: Hashable { case take(Int), putBack, pay, paid, again }

    mutating func apply(_ step: Step, at stamp: Stamp) {
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

  /// The visible screen, as a pure function of the state. Any view can draw it.
  struct CheckoutScreen: Hashable {
    /// Each command that a user can type, and its change.
    static let commands: KeyValuePairs<String, Checkout.Change> = [
      "take": .take(1), "put back": .putBack, "pay": .pay, "enter the code": .paid, "again": .again,
    ]

    let title: String
    /// The commands that the state takes. The screen offers no other.
    let commands: [String]

    init(_ checkout: Checkout) {
      switch checkout {
      case .shelf: title = "A shelf of cookies"
      case .basket(let cookies): title = "In the basket: \(cookies)"
      case .payment(let cookies): title = "To pay: \(cookies)"
      case .thanks(let cookies): title = "Thank you! Enjoy: \(cookies)"
      }
      commands = Self.commands.filter { (try? checkout.alter($0.value)) != nil }.map(\.key)
    }
  }
#endif
