#if Macros
  import Alter
  import Testing

  enum StatesGuide {
    // snippet: states-macro
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
        case .basket(cookies: _, .putBack): self = .shelf
        case .basket(let count, .pay): self = .payment(cookies: count)
        case .payment(let count, .paid): self = .thanks(cookies: count)
        case .thanks(cookies: _, .again): self = .shelf
        }
      }
    }
    // end

    @Suite("The guide on states, with the macro")
    struct Tests {
      @Test("refuses what a screen does not take")
      func checkout() throws {
        // snippet: states-refused
        let paid = try Checkout.shelf.alter(.take(3), .pay, .paid)
        #expect(paid == .thanks(cookies: 3))
        #expect(throws: Refusal.illegal(from: "thanks", change: "pay")) { try paid.alter(.pay) }
        // end
      }
    }
  }
#endif
