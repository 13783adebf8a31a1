import Alter
import Foundation
import Testing
import TodoCore
import TodoViewModels

private let today = Day("2026-12-04")!

@Suite("The actions of the screens") struct ListActionsTests {
  private let store: Store<AppState>
  private let actions: ListActions

  init() throws {
    store = Store(try list("Pay rent @home due:2026-12-01", "x 2026-12-02 Read", "x Write"))
    actions = ListActions(store, today: { today }, newID: { id(9) })
  }

  private func item(_ number: Int) -> TodoItem? { store.state.items[id: id(number)] }
  private func item(_ number: Int) -> ItemActions { ItemActions(store, id: id(number), today: { today }) }

  @Test("A typed line becomes an item of today") func add() throws {
    actions.add(try ItemText("  (A) Call mum @phone due:2026-12-24 "))
    let added: TodoItem = try #require(item(9))
    #expect(added.text == "Call mum @phone" && added.priority == Priority("A") && added.due == Day("2026-12-24"))
    #expect(added.created == today && !added.completed)
  }

  @Test("A text that can't become an item is refused before an action gets it") func problems() {
    #expect(throws: ItemText.Problem.empty) { try ItemText("  ") }
    #expect(throws: ItemText.Problem.empty) { try ItemText("due:2026-12-01") }
    #expect(throws: ItemText.Problem.lineBreak) { try ItemText("One\nTwo") }
    #expect(throws: ItemText.Problem.malformed(.impossibleDue("due:2026-02-30"))) { try ItemText("Pay due:2026-02-30") }
  }

  @Test("Completing notes the day, and reopening removes it") func done() throws {
    item(1).setDone(true)
    #expect(item(1)?.completed == true && item(1)?.finished == today)
    item(1).setDone(false)
    #expect(item(1)?.completed == false && item(1)?.finished == nil)
  }

  @Test("Renaming keeps the due day unless the text names one") func rename() throws {
    item(1).rename(try ItemText("Pay the rent"))
    #expect(item(1)?.text == "Pay the rent" && item(1)?.due == Day("2026-12-01"))
    item(1).rename(try ItemText("(A) Pay due:2026-12-31"))
    #expect(item(1)?.text == "(A) Pay" && item(1)?.due == Day("2026-12-31") && item(1)?.priority == nil)
  }

  @Test("The due day and the priority are set and removed") func fields() throws {
    item(1).setDue(today)
    item(1).setPriority(Priority("C"))
    #expect(item(1)?.due == today && item(1)?.priority == Priority("C"))
    item(1).setDue(nil)
    item(1).setPriority(nil)
    #expect(item(1)?.due == nil && item(1)?.priority == nil)
  }

  @Test("Completed items are removed in one step, which one undo reverts") func clear() async throws {
    actions.clearDone()
    #expect(store.state.items.map(\.id) == [id(1)])
    _ = try await store.undo()
    #expect(store.state.items.count == 3)
  }

  @Test("Items are removed all or none, and an action on a removed item returns the refusal") func refusal() throws {
    let result = actions.remove([id(1), id(7)])
    guard case .failure(.refused(let refusal)) = result else { return #expect(Bool(false), "The action succeeded.") }
    #expect("\(refusal)".contains("item"))
    #expect(store.state.items.count == 3)
    actions.remove([id(1), id(2)])
    #expect(store.state.items.map(\.id) == [id(3)])
    guard case .failure(.refused) = item(1).setDone(true) else { return #expect(Bool(false), "A removed item was completed.") }
  }
}

@Suite("The commands of other programs") struct ListCommandsTests {
  private let list: ListFile
  private var commands: ListCommands { ListCommands(at: list.place, today: { today }) }

  init() throws { list = try ListFile() }

  @Test("add an item, complete it, and find the open ones") func commands() async throws {
    try await list.write(["One", "Two due:2026-12-04"])
    let added = try await commands.add("Three due:2026-12-01")
    #expect(try await list.state().items.map(\.text) == ["One", "Two", "Three"])
    #expect(try await commands.open().map(\.text) == ["Three", "Two", "One"])
    #expect(try await commands.open(matching: "tw").map(\.id) == [id(2)])
    try await commands.complete(added.id)
    #expect(try await list.state().items[id: added.id]?.finished == today)
    #expect(try await commands.items([id(2), id(7), added.id]).map(\.id) == [id(2), added.id])
  }

  @Test("leave an item as it is that is done already, and refuse a missing one") func done() async throws {
    try await list.write(["x 2026-12-02 One"])
    try await commands.complete(id(1))
    #expect(try await list.state().items[id: id(1)]?.finished == Day("2026-12-02"))
    await #expect(throws: ChangeError<Refusal>.self) { try await commands.complete(id(7)) }
  }
}
