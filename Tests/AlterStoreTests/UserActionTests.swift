import Alter
import AlterCore
import Dispatch
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

  @Test("of an observed value shows its changes there before it returns") @MainActor
  func observed() throws {
    let menu = store.observed(\.self)
    let choose = UserAction(menu) { (name: String) in .choose(name) }
    let chooseSoup = choose.provide("soup")
    choose("bread")
    #expect(menu.chosen == ["bread"])
    chooseSoup()
    #expect(menu.chosen == ["bread", "soup"])
    let order = UserAction(menu, changes: { (dish: (name: String, amount: Int)) in [.amount(dish.amount), .choose(dish.name)] })
    order(("tea", 2))
    #expect(menu.amount == 2 && menu.chosen.last == "tea")
    UserAction(menu, .clear, .amount(1))()
    #expect(menu.value == store.state && menu.amount == 1 && menu.chosen.isEmpty)
  }

  @Test("of an observed value sets the refusal there, and a later success clears it") @MainActor
  func observedRefusal() async throws {
    let menu = store.observed(\.self)
    let choose = UserAction(menu, Menu.Change.choose)
    guard case .failure(.refused(let error)) = choose("nothing") else {
      Issue.record("the menu has nothing")
      return
    }
    #expect(error as? Refusal == .custom("A guest chooses something."))
    #expect(menu.refusal == .refused(.custom("A guest chooses something.")) && menu.chosen.isEmpty)
    choose("soup")
    #expect(menu.refusal == nil && menu.chosen == ["soup"])
    await store.close()
    choose("bread")
    #expect(menu.refusal == .closed && menu.chosen == ["soup"])
  }

  @Test("of an observed value also shows what others changed before") @MainActor
  func observedWithOthers() throws {
    let menu = store.observed(\.self)
    try store.change(.amount(4))
    UserAction(menu, changes: { [] })(())
    #expect(menu.amount == 4)
  }

  @Test("of an observed value can be called off the main actor: the store has the change at once, the value and the refusal follow")
  func observedElsewhere() async {
    let menu = await store.observed(\.self)
    let choose = UserAction(menu, Menu.Change.choose)
    choose("soup")
    #expect(store.state.chosen == ["soup"])
    while await menu.value.chosen != ["soup"] { await Task.yield() }
    guard case .failure(.refused) = choose("nothing") else {
      Issue.record("the menu has nothing")
      return
    }
    while await menu.refusal == nil { await Task.yield() }
    #expect(store.state.chosen == ["soup"])
  }

  @Test("of an observed value that succeeds off the main actor dismisses no later refusal") @MainActor
  func observedLate() async {
    let menu = store.observed(\.self)
    let choose = UserAction(menu, Menu.Change.choose)
    // On another queue, and not on the main actor, the object follows later.
    DispatchQueue.global().sync { _ = choose("soup") }
    choose("nothing")
    #expect(menu.refusal != nil)
    // Tasks of one priority run on the main actor in their order.
    for _ in 0..<100 { await Task.yield() }
    #expect(menu.refusal != nil && menu.chosen == ["soup"])
  }

  @Test("keeps its observed value alive, and nothing else does") @MainActor
  func observedLifetime() {
    var menu: Observed<Menu, Menu>? = store.observed(\.self)
    weak let weakMenu = menu
    var clear: UserAction<Void>? = menu.map { UserAction($0, .clear) }
    menu = nil
    #expect(weakMenu != nil)
    clear?()
    clear = nil
    #expect(weakMenu == nil)
  }
}
