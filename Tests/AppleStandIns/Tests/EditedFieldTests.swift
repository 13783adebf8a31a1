import AlterCore
import AlterStore
import AlterSwiftUI
import SwiftUI
import Testing
import ViewEvaluator

@MainActor
@Suite struct EditedFieldTests {
  private let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")), .add(TodoItem(id: 2, text: "tea")))

  @Test func `typed text goes to the element for which it was typed, also if the view shows another one before the editing ends`() {
    let selection = Selected(1)
    let screen = Screen { DetailView(store: store, id: selection.id) }
    screen.enter("oat milk", into: "Title")
    selection.id = 2
    screen.render()
    screen.leave("Title")
    #expect(store.state.items.map(\.text) == ["oat milk", "tea"])
    #expect(screen.field("Title") == "tea")
  }

  @Test func `a field with the identity of its element never shows text that was typed for another one`() {
    let selection = Selected(1)
    let screen = Screen { IdentifiedDetailView(store: store, id: selection.id) }
    screen.enter("oat milk", into: "Title")
    selection.id = 2
    screen.render()
    #expect(screen.field("Title") == "tea")
    #expect(store.state.items.map(\.text) == ["oat milk", "tea"])
  }

  @Test func `refused text stays in the field, and Return sends it again`() throws {
    let screen = Screen { DetailView(store: store, id: 1) }
    screen.enter("", into: "Title")
    screen.submit("Title")
    #expect(screen.alert?.title == "Not possible")
    screen.pressInAlert("OK")
    #expect(screen.field("Title") == "" && store.state.items[0].text == "milk")
    // The user has seen the reason: the loss of the focus is not another attempt.
    screen.leave("Title")
    #expect(screen.alert == nil)
    screen.submit("Title")
    #expect(screen.alert?.title == "Not possible")
    screen.pressInAlert("OK")
    // The same text again is another attempt.
    screen.enter("", into: "Title")
    screen.leave("Title")
    #expect(screen.alert?.title == "Not possible")
    screen.pressInAlert("OK")
    let before = store.revision
    screen.enter("rice milk", into: "Title")
    screen.submit("Title")
    screen.submit("Title")
    screen.leave("Title")
    #expect(store.revision == before + 1 && screen.field("Title") == "rice milk")
  }
}

@MainActor private final class Selected {
  var id: Int
  init(_ id: Int) { self.id = id }
}

private struct DetailView: View {
  let id: Int
  @ObservedValue<AppState, TodoItem?> private var item: TodoItem?

  init(store: Store<AppState>, id: Int) {
    self.id = id
    _item = ObservedValue(store, id: id) { state in state.items.first { $0.id == id } }
  }

  var body: some View {
    EditedField("Title", text: item?.text ?? "", onEnd: { $item.send(.item(id, .text($0))) })
      .refusalAlert("Not possible", of: $item)
  }
}

private struct IdentifiedDetailView: View {
  let id: Int
  @ObservedValue<AppState, TodoItem?> private var item: TodoItem?

  init(store: Store<AppState>, id: Int) {
    self.id = id
    _item = ObservedValue(store, id: id) { state in state.items.first { $0.id == id } }
  }

  var body: some View {
    EditedField("Title", text: item?.text ?? "", onEnd: { $item.send(.item(id, .text($0))) }).id(id)
  }
}
