#if Macros
  import Alter
  import Foundation
  import Testing

  @testable import cookies

  @Suite("cookies") struct CookiesTests {
    @Test("The screen is a function of the state, and offers the changes that the state takes") func viewModel() throws {
      #expect(CheckoutScreen(.shelf).commands == ["take"])
      let basket = try Checkout.shelf.alter(.take(2), .take(1))
      #expect(CheckoutScreen(basket).title == "In the basket: 3" && CheckoutScreen(basket).commands == ["take", "put back", "pay"])
      #expect(CheckoutScreen(try basket.alter(.pay)).commands == ["enter the code"])
      #expect(CheckoutScreen(try basket.alter(.pay, .paid)).title == "Thank you! Enjoy: 3")
    }

    @Test("A change that a screen does not list is refused") func refused() {
      #expect(throws: Refusal.illegal(from: "payment", change: "putBack")) { try Checkout.payment(cookies: 2).alter(.putBack) }
    }

    @Test("Each line that is typed is a change, and the screen is drawn after it") func app() throws {
      let lines = try Example.run("cookies", input: "take\npay\ntake\nenter the code\n")
      #expect(
        lines == [
          "A shelf of cookies   [take]", "In the basket: 1   [take] [put back] [pay]", "To pay: 1   [enter the code]",
          "The change was refused: 'take' can't happen in the state 'payment'.", "To pay: 1   [enter the code]",
          "Thank you! Enjoy: 1   [again]",
        ])
    }

    @Test("The table of transitions is found by making every change in every state, and is the one in the README") func table() throws {
      let lines = try Example.run("cookies", "--table")
      let readme = try Example.readme("cookies")
      #expect(readme.contains("cookies --table\n" + lines.joined(separator: "\n") + "\n```\n"), "\(lines)")
      #expect(lines[3] == "payment  -        -        -        thanks   -")
    }
  }
#endif
