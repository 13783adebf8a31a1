// Mutually exclusive states are cases of an enum, and the screen is a function of the state.
//
//   cookies                an interactive app: login Ann 50, sell 12, logout
//   cookies deep           a change five levels deep
//   cookies screens        screens with a limited set of transitions
//   cookies --table        the transitions, found by making every change in every state
//   cookies many 100000    many events

#if Macros
  import Alter
  import Console
  import CookiesCore
  import Foundation

  @main struct Cookies {
    private static let usage = "usage: cookies [deep | screens | --table | many COUNT]"

    static func main() throws {
      let words = Array(CommandLine.arguments.dropFirst())
      switch words.first {
      case nil: app()
      case "deep": try deep()
      case "screens": try screens()
      case "--table": table()
      case "many":
        guard words.count == 2, let count = Int(words[1]), count >= 0 else { fail(usage) }
        many(count)
      default: fail(usage)
      }
    }

    /// Reads lines until the end of the input. Makes the change of each line and draws the new state.
    private static func app() {
      let store = Store(CookieState.loggedOut)
      let clear = isatty(STDOUT_FILENO) == 1 ? "\u{1B}[H\u{1B}[2J" : ""
      func draw() { for line in CookieScreen(store.state).lines() { say(line) } }
      FileHandle.standardOutput.write(Data(clear.utf8))
      draw()
      while let line = readLine(), line != "quit" {
        FileHandle.standardOutput.write(Data(clear.utf8))
        let change = change(line.split(separator: " ").map(String.init))
        let result = change.map { UserAction(store, $0)() }
        draw()
        if case .failure(let error) = result { say("  \(error)") }
      }
    }

    /// The change that the words of a line request; nil if they are no command.
    private static func change(_ words: [String]) -> CookieState.Change? {
      switch (words.first, words.last.flatMap { Int($0) }, words.count) {
      case ("login", let target?, 3): .login(name: words[1], target: target)
      case ("sell", let count?, 2): .seller(.sold(count))
      case ("target", let target?, 2): .seller(.target(target))
      case ("logout", _, 1): .logout
      default: nil
      }
    }

    private static func deep() throws {
      let chain = Chain.of(10)
      let later = try chain.alter(.region(1, .shop(2, .shelf(3, .box(4, .cookies(11))))))
      say("chain.alter(.region(1, .shop(2, .shelf(3, .box(4, .cookies(11))))))")
      say("Before: \(cookies(chain)) cookies in 10,000 boxes. After: \(cookies(later)).")
      say("Regions that are not shared between the two: \(later.regions.changes(from: chain.regions).count) of 10.")
    }

    private static func cookies(_ chain: Chain) -> Int {
      chain.regions.flatMap(\.shops).flatMap(\.shelves).flatMap(\.boxes).reduce(0) { $0 + $1.cookies }
    }

    private static func screens() throws {
      for screen in [Checkout.shelf, .basket(cookies: 1), .payment(cookies: 1), .thanks(cookies: 1)] {
        say("\(screen)")
        for way in screen.ways { say("  \(way) ──▶ \(try screen.alter(way))") }
      }
    }

    private static func table() {
      for line in TransitionTable(from: CookieState.loggedOut, changes: CookieState.changes).lines { say(line) }
      say("")
      for line in TransitionTable(from: Checkout.shelf, changes: Checkout.changes).lines { say(line) }
      say("")
      say("-  refused      =  does nothing")
    }

    private static func many(_ count: Int) {
      let store = Store(CookieState.loggedOut)
      UserAction(store, .login(name: "Ann", target: count))()
      let sold = UserAction(store, .seller(.sold(1)))
      for _ in 0..<count { sold() }
      for line in CookieScreen(store.state).lines() { say(line) }
      say("Revision \(store.revision): the state to begin with, a login, \(count) sales. The state is as large as after the first.")
    }
  }
#else
  @main struct Cookies {
    static func main() { print("cookies is written with macros: build it with the trait Macros.") }
  }
#endif
