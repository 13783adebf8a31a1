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

  @Test("Each action on an item that was removed returns the refusal, and changes nothing") func refusal() throws {
    item(1).remove()
    let before = store.state
    let actions: ItemActions = item(1)
    let results: [Result<Void, ChangeError<any Error>>] = [
      actions.setDone(true), actions.setDone(false), actions.rename(try ItemText("x")), actions.setDue(today), actions.setDue(nil),
      actions.setPriority(nil), actions.tag(try TagName("home")), actions.tag(try TagName("new")), actions.untag("@home"),
      actions.untag("@new"), actions.remove(),
    ]
    for (place, result) in results.enumerated() {
      guard case .failure(.refused(let error)) = result else {
        Issue.record("action \(place) succeeded")
        continue
      }
      #expect(error as? Refusal == .missing("item", id(1)))
    }
    #expect(store.state == before)
  }

  @Test("An item that another process has completed meanwhile keeps the day of its completion") func doneAlready() throws {
    let revision = store.revision
    item(2).setDone(true)
    #expect(item(2)?.finished == Day("2026-12-02") && store.revision == revision)
    item(1).setDone(false)
    #expect(store.revision == revision)
  }

  @Test("A tag is added once, and removed from the text, too") func tags() throws {
    let revision = store.revision
    item(1).tag(try TagName("home"))
    #expect(store.revision == revision)
    item(1).tag(try TagName(" +flat "))
    #expect(ItemScreen(store.state, id: id(1))?.tags.map(\.id) == ["@home", "+flat"])
    item(1).untag("@home")
    item(1).untag("+flat")
    #expect(item(1)?.text == "Pay rent" && ItemScreen(store.state, id: id(1))?.tags == [])
    // Nothing would be left of such a text, so the tag stays.
    item(1).rename(try ItemText("@home"))
    #expect(ItemScreen(store.state, id: id(1))?.tags.map(\.canRemove) == [false])
    item(1).untag("@home")
    #expect(item(1)?.text == "@home")
  }

  @Test("A text that can't become a tag or a note is refused before an action gets it") func otherProblems() throws {
    #expect(throws: TagName.Problem.empty) { try TagName(" ") }
    #expect(throws: TagName.Problem.words) { try TagName("two words") }
    #expect(throws: TagName.Problem.words) { try TagName("@") }
    #expect(try TagName("home").name == "@home")
    #expect(throws: NoteText.Problem.empty) { try NoteText(" \n ") }
  }

  @Test("Notes are added and rewritten, and a rewritten one keeps its time") func notes() throws {
    let actions = NoteActions(through: UserAction(store, changes: { $0 }), newID: { id(9) })
    actions.add(try NoteText(" The plumber comes \n on Friday "))
    let written = try #require(store.state.entries.first?.written)
    #expect(NotesScreen(store.state).rows.map(\.text) == ["The plumber comes \n on Friday"])
    actions.rewrite((id: id(9), text: try NoteText("The plumber came")))
    let note = try #require(NotesScreen(store.state).rows.first)
    #expect(note.text == "The plumber came" && note.written == written)
    guard case .failure(.refused) = actions.rewrite((id: id(7), text: try NoteText("x"))) else {
      Issue.record("a missing note was rewritten")
      return
    }
  }
}

@Suite("The commands of other programs") struct ListCommandsTests {
  private let list: ListFile
  private var commands: ListCommands { ListCommands(at: list.place, reading: list.readingPlace, today: { today }) }

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
