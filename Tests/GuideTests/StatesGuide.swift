#if Macros
  import Alter
  import Testing

  enum StatesGuide {
    // The guide shows the enum of the app, Examples/cookies/Checkout.swift.
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

    enum ByHand: Alterable, Hashable {
      case shelf
      case basket(cookies: Int)
      case payment(cookies: Int)
      case thanks(cookies: Int)

      enum Change: Hashable { case take(Int), putBack, pay, paid, again }

      // snippet: states-by-hand
      mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
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
      // end
    }

    @Suite("The guide on states")
    struct Tests {
      @Test("refuses what a screen does not take")
      func checkout() throws {
        // snippet: states-refused
        let paid = try Checkout.shelf.alter(.take(3), .pay, .paid)
        #expect(paid == .thanks(cookies: 3))
        #expect(throws: Refusal.illegal(from: "thanks", change: "pay")) { try paid.alter(.pay) }
        // end
      }

      @Test("by hand, the same changes lead to the same screens")
      func byHand() throws {
        #expect(try ByHand.shelf.alter(.take(3), .pay, .paid) == .thanks(cookies: 3))
        #expect(throws: Refusal.illegal(from: "payment(cookies: 3)", change: "putBack")) {
          try ByHand.shelf.alter(.take(3), .pay, .putBack)
        }
      }
    }
  }
#endif
