import Alter
import Testing
import TodoCore
import TodoViewModels

private let today = Day("2026-12-04")!

@Suite("The fields of the screens") struct FieldTextTests {
  private let store: Store<AppState>

  init() throws { store = Store(try list("Pay rent")) }

  private var texts: [String] { store.state.items.map(\.text) }

  @Test("A new element is made by Return, which empties the field") func new() {
    let actions = ListActions(store, today: { today })
    var field = NewText()
    field.text = "(B) Call mum due:2026-12-05"
    field.submit(actions.add, parse: ItemText.init)
    #expect(texts == ["Pay rent", "Call mum"] && field.text == "" && field.problem == nil)
  }

  @Test("A text that can't become an element stays with the reason, until another one can") func impossible() {
    let actions = ListActions(store, today: { today })
    var field = NewText()
    field.text = "Pay due:2026-02-30"
    field.submit(actions.add, parse: ItemText.init)
    #expect(field.text == "Pay due:2026-02-30" && field.problem == "there is no such day as in ‘due:2026-02-30’")
    #expect(texts == ["Pay rent"])
    field.text = "Pay"
    field.submit(actions.add, parse: ItemText.init)
    #expect(texts == ["Pay rent", "Pay"] && field.text == "" && field.problem == nil)
    field.text = "two words"
    field.submit(ItemActions(store, id: id(1)).tag, parse: TagName.init)
    #expect(field.text == "two words" && field.problem?.hasPrefix("A tag is a single word") == true)
  }

  @Test("A text whose element is refused, because the list is closed, stays in its field") func refused() async {
    await store.close()
    var field = NewText()
    field.text = "Began"
    field.submit(NoteActions(through: UserAction(store, changes: { $0 })).add, parse: NoteText.init)
    #expect(field.text == "Began" && field.problem == nil && store.state.entries.isEmpty)
  }

  @Test("An edited text that can't be parsed changes nothing and shows the reason, until another one can") func edited() {
    let rename = ItemActions(store, id: id(1)).rename
    var problem = FieldProblem()
    let isEmptyTextMade = problem.perform(" ", rename, parse: ItemText.init)
    #expect(!isEmptyTextMade)
    #expect(problem.text == "Type a text." && texts == ["Pay rent"])
    let isTextMade = problem.perform("Pay the rent", rename, parse: ItemText.init)
    #expect(isTextMade)
    #expect(problem.text == nil && texts == ["Pay the rent"])
  }
}
