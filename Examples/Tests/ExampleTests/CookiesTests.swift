#if Macros
  import Alter
  import AlterTesting
  import CookiesCore
  import Foundation
  import Testing

  @Suite("cookies") struct CookiesTests {
    let ann = CookieState.loggedIn(Seller(name: "Ann", target: 50))

    @Test("Logged out and logged in exclude each other") func states() throws {
      #expect(try CookieState.loggedOut.alter(.login(name: "Ann", target: 50)) == ann)
      #expect(try ann.alter(.logout) == .loggedOut)
      #expect(try ann.alter(.seller(.sold(2)), .seller(.sold(3))) == ann.alter(.seller(.sold(5))))
    }

    @Test("A login when logged in does nothing, nor does a logout when logged out; a sale when logged out is refused")
    func nothing() throws {
      #expect(try ann.alter(.login(name: "Bob", target: 9)) == ann)
      #expect(try CookieState.loggedOut.alter(.logout) == .loggedOut)
      #expect(throws: Refusal.illegal(from: "loggedOut", change: "seller")) { try CookieState.loggedOut.alter(.seller(.sold(1))) }
    }

    @Test("What is seen is a function of the state") func viewModel() throws {
      let out = CookieScreen(.loggedOut)
      #expect(out.progress == nil && out.actions == ["login NAME TARGET"])
      let some = try CookieScreen(ann.alter(.seller(.sold(30))))
      #expect(some.title == "Cookies of Ann" && some.text == "30 of 50 sold")
      #expect(some.progress?.percent == 60 && some.progress?.fraction == 0.6)
      #expect(try CookieScreen(ann.alter(.seller(.sold(60)))).text == "60 sold: done!")
      #expect(try CookieScreen(ann.alter(.seller(.sold(60)))).progress?.fraction == 1)
      #expect(try CookieScreen(ann.alter(.seller(.target(0)))).progress?.percent == 100)
    }

    @Test("A progress bar shows the way to the target") func drawn() throws {
      #expect(
        try CookieScreen(ann.alter(.seller(.sold(30)))).lines(columns: 32) == [
          "┌ Cookies of Ann ──────────────┐",
          "│ 30 of 50 sold                │",
          "│ ████████████░░░░░░░░  60 %   │",
          "└──────────────────────────────┘",
          "  sell NUMBER   target NUMBER   logout",
        ])
    }

    @Test("A long name stays in the frame, and a name with controls is shown, not obeyed") func hostileName() throws {
      let long = CookieScreen(.loggedIn(Seller(name: String(repeating: "n", count: 100), target: 5))).lines()
      #expect(Set(long.dropLast().map(\.count)) == [44] && long[0].hasSuffix("nnn ┐"), "\(long)")
      let lines = try Example.run("cookies", input: "login E\u{1B}[31mvil 5\nquit\n")
      #expect(lines.contains { $0.hasPrefix("┌ Cookies of E␛[31mvil ─") }, "\(lines)")
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

    @Test("A sale that is refused gives the reason, whatever is typed; numbers that can't be added do not end the app") func refusedSales()
      throws
    {
      for count in [0, -1, .max, .min] { #expect(throws: Refusal.self) { try ann.alter(.seller(.sold(count))) } }
      let input = "sell 1\nlogin Ann 1\nsell 9223372036854775807\nsell -9\nsell 1000000\nsell 1000000\nquit\n"
      let lines = try Example.run("cookies", input: input)
      #expect(lines.contains { $0.contains("'seller' can't happen in the state 'loggedOut'") }, "\(lines)")
      #expect(lines.count { $0.contains("A sale is 1 to 1000000 cookies.") } == 2, "\(lines)")
      #expect(lines.contains { $0.contains("2000000 sold: done!") }, "\(lines)")
      for count in ["-1", "few"] { #expect(try Example.run("cookies", "many", count, status: 1)[0].hasPrefix("usage: cookies")) }
    }

    // MARK: - The article's open questions

    @Test("A change five levels deep is one line, and shares everything that it doesn't touch") func deep() throws {
      let chain = Chain.of(10)
      let later = try chain.alter(.region(1, .shop(2, .shelf(3, .box(4, .cookies(11))))))
      #expect(later.regions[id: 1]?.shops[id: 2]?.shelves[id: 3]?.boxes[id: 4]?.cookies == 11)
      #expect(later.regions.changes(from: chain.regions).count == 1)
      #expect(later != chain && chain == Chain.of(10))
      #expect(throws: Refusal.missing("Shop", 11)) { try chain.alter(.region(1, .shop(11, .shelf(3, .box(4, .cookies(11)))))) }
      #expect(try Example.run("cookies", "deep").last == "Regions that are not shared between the two: 1 of 10.")
    }

    @Test("Screens are asymmetrical: a way that is offered leads on, and every other is refused")
    func screens() throws {
      for screen in [Checkout.shelf, .basket(cookies: 2), .payment(cookies: 2), .thanks(cookies: 2)] {
        for way in Checkout.changes {
          if screen.ways.contains(way) {
            #expect(try screen.alter(way) != screen)
          } else {
            #expect(throws: Refusal.self) { try screen.alter(way) }
          }
        }
      }
      #expect(Checkout.payment(cookies: 2).ways == [.paid])
      #expect(throws: Refusal.illegal(from: "payment", change: "putBack")) { try Checkout.payment(cookies: 2).alter(.putBack) }
      #expect(try Checkout.shelf.alter(.take(2), .putBack) == .shelf)
      #expect(try Checkout.shelf.alter(.take(2), .take(1), .pay, .paid) == .thanks(cookies: 3))
    }

    @Test("The table of transitions is found by making every change in every state") func table() throws {
      let table = TransitionTable(from: Checkout.shelf, changes: Checkout.changes)
      #expect(table.rows.map(\.state) == ["shelf", "basket", "payment", "thanks"])
      #expect(table.changes == ["take", "putBack", "pay", "paid", "again"])
      #expect(table.rows[1].effects == [.leads(to: "basket"), .leads(to: "shelf"), .leads(to: "payment"), .refused, .refused])
      let lines = try Example.run("cookies", "--table")
      #expect(
        lines == [
          "           login      logout     seller",
          "loggedOut  loggedIn   =          -",
          "loggedIn   =          loggedOut  loggedIn",
          "",
          "         take     putBack  pay      paid     again",
          "shelf    basket   -        -        -        -",
          "basket   basket   shelf    payment  -        -",
          "payment  -        -        -        thanks   -",
          "thanks   -        -        -        -        shelf",
          "",
          "-  refused      =  does nothing",
        ])
      let readme = try Compiler.source("../README.md")
      #expect(readme.contains("--table\n" + lines.joined(separator: "\n") + "\n```\n"), "the README shows another table")
    }

    @Test("The table has every state and every kind of change that the source declares") func complete() throws {
      let lines = try Compiler.source("Checkout.swift").split(separator: "\n")
      let states = lines.filter { $0.contains("@Takes") && $0.contains(") case ") }
      let changes = try #require(lines.first { $0.contains("enum OwnChange") }?.split(separator: "{ case ").last)
      let names = changes.dropLast(" }".count).split(separator: ", ").map { String($0.prefix { $0 != "(" }) }
      let table = TransitionTable(from: Checkout.shelf, changes: Checkout.changes)
      #expect(table.changes == names && table.rows.count == states.count, "\(names), \(states)")
    }

    @Test("Many events: 100,000 in one run, none lost") func many() throws {
      let lines = try Example.run("cookies", "many", "100000")
      #expect(lines[1].contains("100000 sold: done!"))
      #expect(lines.last?.hasPrefix("Revision 100002: ") == true, "\(lines)")
    }

    @Test(
      "The compiler asks for every transition: a state without a list, a change that no state takes, a step without a meaning",
      .enabled(if: Compiler.isThere, "SKIPPED: swiftc is not in the path, so the compiler is not tested"))
    func compiler() throws {
      let state = try Compiler.source("CookieState.swift")
      let checkout = try Compiler.source("Checkout.swift")
      func changed(_ source: String, _ line: String, to other: String, with rest: String = "") throws -> [String] {
        try #require(source.contains(line), "the source has no '\(line)'")
        return try Compiler.errors(in: source.replacingOccurrences(of: line, with: other) + rest)
      }
      #expect(try Compiler.errors(in: state + checkout) == [])
      let exhaustive = try changed(
        checkout, "      case .thanks(_, .again): self = .shelf\n", to: "",
        with: state.replacingOccurrences(of: "case loggedOut\n", with: "case loggedOut, locked\n"))
      #expect(exhaustive.count { $0.contains("switch must be exhaustive") } == 2, "\(exhaustive)")
      let newScreen = try changed(checkout, "case shelf\n", to: "case shelf\n    case sold\n")
      #expect(newScreen.contains { $0.contains("'sold' has no list of changes") }, "\(newScreen)")
      let newChange = try changed(checkout, ", again }", to: ", again, refund }")
      #expect(newChange.contains { $0.contains("no state takes 'refund'") }, "\(newChange)")
      let noWay = try changed(checkout, "#endif", to: "  let refund = Checkout.Change.refund\n#endif")
      #expect(noWay.contains { $0.contains("has no member 'refund'") }, "\(noWay)")
    }
  }
#endif
