import Alter
import AlterTesting
import CookiesCore
import Foundation
import Testing

@Suite("cookies") struct CookiesTests {
  let ann = CookieState.loggedOut.alter(.login(name: "Ann", target: 50))

  @Test("Logged out and logged in exclude each other") func states() {
    #expect(ann == .loggedIn(Seller(name: "Ann", target: 50)))
    #expect(ann.alter(.logout) == .loggedOut)
  }

  @Test("A login when logged in changes nothing; nor does a sale or a logout when logged out") func nothing() {
    #expect(ann.alter(.login(name: "Bob", target: 9)) == ann)
    #expect(CookieState.loggedOut.alter(.seller(.sold(1)), .logout) == .loggedOut)
  }

  @Test("What is seen is a function of the state") func viewModel() {
    let out = CookieScreen(.loggedOut)
    #expect(out.progress == nil && out.actions == ["login NAME TARGET"])
    let some = CookieScreen(ann.alter(.seller(.sold(30))))
    #expect(some.title == "Cookies of Ann" && some.text == "30 of 50 sold")
    #expect(some.progress?.percent == 60 && some.progress?.fraction == 0.6)
    #expect(CookieScreen(ann.alter(.seller(.sold(60)))).text == "60 sold: done!")
    #expect(CookieScreen(ann.alter(.seller(.sold(60)))).progress?.fraction == 1)
    #expect(CookieScreen(ann.alter(.seller(.target(0)))).progress?.percent == 100)
  }

  @Test("A progress bar shows the way to the target") func drawn() {
    #expect(
      CookieScreen(ann.alter(.seller(.sold(30)))).lines(columns: 32) == [
        "┌ Cookies of Ann ──────────────┐",
        "│ 30 of 50 sold                │",
        "│ ████████████░░░░░░░░  60 %   │",
        "└──────────────────────────────┘",
        "  sell NUMBER   target NUMBER   logout",
      ])
  }

  @Test("The app is typed into: each line is a change, each change is drawn") func app() throws {
    let lines = try Example.run("cookies", input: "sell 1\nlogin Ann 50\nsell 12\nlogin Bob 9\nsell 13\nlogout\nquit\n")
    let texts = lines.filter { $0.hasPrefix("│ ") && !$0.contains("%") }.map {
      $0.dropFirst(2).dropLast(2).trimmingCharacters(in: .whitespaces)
    }
    let out = "No seller is logged in."
    #expect(texts == [out, out, "0 of 50 sold", "12 of 50 sold", "12 of 50 sold", "25 of 50 sold", out])
    #expect(lines.contains { $0.contains("█░") && $0.contains("50 %") })
  }

  // MARK: - The article's open questions

  #if Macros
    @Test("A change five levels deep is one line, and shares everything that it doesn't touch") func deep() throws {
      let chain = Chain.of(10)
      let later = try chain.alter(.region(1, .shop(2, .shelf(3, .box(4, .cookies(11))))))
      #expect(later.regions[id: 1]?.shops[id: 2]?.shelves[id: 3]?.boxes[id: 4]?.cookies == 11)
      #expect(later.regions.changes(from: chain.regions).steps.count == 1)
      #expect(later != chain && chain == Chain.of(10))
      #expect(throws: Refusal.missing("Shop", 11)) { try chain.alter(.region(1, .shop(11, .shelf(3, .box(4, .cookies(11)))))) }
      #expect(try Example.run("cookies", "deep").last == "Regions that are not shared between the two: 1 of 10.")
    }
  #endif

  @Test("Screens are asymmetrical: a way that is offered leads on, and every other is refused")
  func screens() throws {
    let every: [Checkout.Change] = [.take(1), .putBack, .pay, .paid, .again]
    for screen in [Checkout.shelf, .basket(cookies: 2), .payment(cookies: 2), .thanks(cookies: 2)] {
      for way in every {
        if screen.ways.contains(way) {
          #expect(try screen.alter(way) != screen)
        } else {
          #expect(throws: Refusal.illegal(from: "\(screen)", change: "\(way)")) { try screen.alter(way) }
        }
      }
    }
    #expect(try Checkout.shelf.alter(.take(2), .putBack) == .shelf)
    #expect(try Checkout.shelf.alter(.take(2), .take(1), .pay, .paid) == .thanks(cookies: 3))
  }

  @Test("Many events: 100,000 in one run, none lost") func many() throws {
    let lines = try Example.run("cookies", "many", "100000")
    #expect(lines[1].contains("100000 sold: done!"))
    #expect(lines.last?.hasPrefix("Revision 100002: ") == true, "\(lines)")
  }

  @Test(
    "The compiler checks every transition: a table with a hole, or a way that doesn't exist, does not compile",
    .enabled(if: Compiler.isThere, "SKIPPED: swiftc is not in the path, so nobody asks the compiler"))
  func compiler() throws {
    let state = try Compiler.source("CookieState.swift")
    let checkout = try Compiler.source("Checkout.swift")
    #expect(try Compiler.errors(in: state + checkout) == [])
    let hole = "    case (.loggedIn, .login): break"
    #expect(state.contains(hole))
    #expect(try Compiler.errors(in: state.replacingOccurrences(of: hole, with: "//")).first?.contains("switch must be exhaustive") == true)
    let newScreen = checkout.replacingOccurrences(of: "  case shelf\n", with: "  case shelf, sold\n")
    #expect(try Compiler.errors(in: newScreen).first?.contains("switch must be exhaustive") == true)
    let noWay = checkout + "let refund = try Checkout.payment(cookies: 1).alter(.refund)"
    #expect(try Compiler.errors(in: noWay).first?.contains("has no member 'refund'") == true)
  }
}
