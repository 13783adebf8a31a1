// Mutually exclusive states are cases of an enum, and the screen is a function of the state.
//
//   cookies            an app: each line that is typed is a change
//   cookies --table    the transitions, found by making every change in every state

#if Macros
  import Alter
  import Console

  @main struct Cookies {
    static func main() {
      switch CommandLine.arguments.dropFirst() {
      case []: app()
      case ["--table"]:
        for line in TransitionTable(from: Checkout.shelf, changes: CheckoutScreen.commands.map(\.value)).lines { say(line) }
      default: fail("usage: cookies [--table]")
      }
    }

    private static func app() {
      let store = Store(Checkout.shelf)
      show(CheckoutScreen(store.state))
      while let line = readLine() {
        if let change = CheckoutScreen.commands.first(where: { $0.key == line })?.value,
          case .failure(let error) = UserAction(store, change)()
        {
          say(error.description)
        }
        show(CheckoutScreen(store.state))
      }
    }

    private static func show(_ screen: CheckoutScreen) { say("\(screen.title)   [\(screen.commands.joined(separator: "] ["))]") }
  }
#else
  @main struct Cookies {
    static func main() { print("cookies is written with macros: build it with the trait Macros.") }
  }
#endif
