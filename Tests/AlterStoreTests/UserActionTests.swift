import Alter
import AlterCore
import Testing

@Suite("A user action")
struct UserActionTests {
  /// A menu from which a guest chooses.
  struct Menu: Alterable, Hashable {
    enum Change: Hashable { case choose(String), amount(Int), clear }
    typealias Failure = Refusal
    private(set) var chosen: [String] = []
    private(set) var amount = 0

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .choose(let dish):
        guard dish != "nothing" else { throw .custom("A guest chooses something.") }
        chosen.append(dish)
      case .amount(let amount): self.amount = amount
      case .clear: self = Menu()
      }
    }
  }

  struct Dish: Sendable {
    let name: String
  }

  /// The actions of a screen that knows no store, and no menu.
  struct Screen: Sendable {
    let choose: UserAction<String>, clear: UserAction<Void>
  }

  private let store = Store(Menu())

  @Test("makes a change from its payload, which a screen passes without knowing the state")
  func payload() {
    let screen = Screen(choose: UserAction(store) { name in .choose(name) }, clear: UserAction(store, .clear))
    screen.choose("soup")
    screen.choose("food")
    #expect(store.state.chosen == ["soup", "food"])
    screen.clear()
    #expect(store.state == Menu())
  }

  @Test("takes the type of its payload from the closure, or from a case of the changes")
  func inference() {
    let choose = UserAction(store) { (name: String) in .choose(name) }
    let amount = UserAction(store, Menu.Change.amount)
    choose("soup")
    amount(3)
    #expect(store.state.chosen == ["soup"] && store.state.amount == 3)
  }

  @Test("makes several changes at once: all or none, and one step to undo")
  func several() async throws {
    let order = UserAction(store, changes: { (dish: (name: String, amount: Int)) in [.amount(dish.amount), .choose(dish.name)] })
    let before = store.revision
    order(("soup", 2))
    #expect(store.state.chosen == ["soup"] && store.state.amount == 2 && store.revision == before + 1)
    guard case .failure(.refused(let error)) = order(("nothing", 5)) else {
      Issue.record("the menu has nothing")
      return
    }
    #expect(error as? Refusal == .custom("A guest chooses something."))
    #expect(store.state.amount == 2 && store.revision == before + 1)
    UserAction(store, .amount(7), .choose("bread"))()
    #expect(store.state.chosen == ["soup", "bread"] && store.state.amount == 7)
    try await store.undo()
    #expect(store.state.chosen == ["soup"] && store.state.amount == 2)
  }

  @Test("asks for its changes at each call, and makes none for an empty list")
  func evenOnly() {
    let even = UserAction(store, changes: { (number: Int) in number.isMultiple(of: 2) ? [.amount(number)] : [] })
    let before = store.revision
    even(2)
    guard case .success = even(3) else {
      Issue.record("an action without a change failed")
      return
    }
    #expect(store.state.amount == 2 && store.revision == before + 1)
  }

  @Test("tells why it did nothing")
  func closed() async {
    let choose = UserAction(store) { (name: String) in .choose(name) }
    await store.close()
    guard case .failure(.closed) = choose("soup") else {
      Issue.record("a closed store took a change")
      return
    }
    #expect(store.state.chosen == [])
  }

  @Test("is given another payload, or its payload beforehand")
  func provide() {
    let choose = UserAction(store) { (dish: Dish) in .choose(dish.name) }
    let chooseName: UserAction<String> = choose.provide(Dish.init)
    let soup: UserAction<Void> = chooseName.provide("soup")
    chooseName("bread")
    soup()
    #expect(store.state.chosen == ["bread", "soup"])
    guard case .failure(.refused) = chooseName("nothing") else {
      Issue.record("the reason is lost on the way")
      return
    }
  }

  @Test("tests a screen without a store")
  func withoutStore() {
    let chosen = Lock<[String]>([])
    let screen = Screen(choose: UserAction { name in chosen.withLock { $0.append(name) } }, clear: UserAction {})
    screen.choose("soup")
    screen.clear()
    #expect(chosen.withLock { $0 } == ["soup"])
  }
}
