// The smallest app: one state, two changes, two user actions.

import Alter

struct Counter: Alterable, Hashable {
  enum Change: Hashable { case increment, decrement }

  private(set) var count = 0

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .increment: count += 1
    case .decrement: count -= 1
    }
  }
}

@main struct CounterApp {
  static func main() {
    let store = Store(Counter())
    let plus = UserAction(store, .increment)
    let minus = UserAction(store, .decrement)
    print("0   (+ and - count, each on a line of its own; an empty line ends)")
    while let line = readLine(), !line.isEmpty {
      switch line {
      case "+": plus()
      case "-": minus()
      default: print("+ or -")
      }
      print(store.state.count)
    }
  }
}
