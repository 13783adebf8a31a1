import AlterCore
import AlterStore
import Testing

@testable import AlterSwiftUI

@MainActor
@Suite("An edited field") struct TypingTests {
  private let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")), .add(TodoItem(id: 2, text: "tea")))
  private var texts: [String] { store.state.items.map(\.text) }

  @Test("makes one change when the editing ends") func oneChange() {
    let before = store.revision
    let detail = Detail(store, id: 1)
    detail.type("m")
    detail.type("oat milk")
    #expect(store.revision == before && detail.shown == "oat milk")
    detail.pressReturn()
    #expect(store.revision == before + 1 && texts == ["oat milk", "tea"])
    // Return and the loss of the focus are one end.
    detail.leave()
    #expect(store.revision == before + 1)
    detail.type("rice milk")
    detail.leave()
    #expect(store.revision == before + 2 && texts == ["rice milk", "tea"])
    // The text that the state has already is no change.
    detail.type("rice")
    detail.type("rice milk")
    detail.pressReturn()
    #expect(store.revision == before + 2)
  }

  @Test("keeps typed text when the state changes, and sends it when the view disappears") func otherChange() throws {
    let detail = Detail(store, id: 1)
    detail.type("oat milk")
    try store.change(.item(1, .text("cream")))
    detail.render()
    #expect(detail.shown == "oat milk")
    detail.leave()
    #expect(texts == ["oat milk", "tea"] && detail.shown == "oat milk")
  }

  @Test("shows a change of the state while nothing is typed") func refreshed() async throws {
    let detail = Detail(store, id: 1)
    try store.change(.item(1, .text("cream")))
    while detail.item?.text != "cream" { await Task.yield() }
    detail.render()
    #expect(detail.shown == "cream")
  }

  @Test("sends typed text to the element for which it was typed, also if the view shows another one before the editing ends")
  func otherElement() {
    let detail = Detail(store, id: 1)
    detail.type("oat milk")
    detail.render(id: 2)
    detail.leave()
    #expect(texts == ["oat milk", "tea"])
    #expect(detail.shown == "tea")
  }

  @Test("keeps a refused text, and Return sends it again") func refused() {
    let detail = Detail(store, id: 1)
    detail.type("")
    detail.pressReturn()
    #expect(detail.refusal != nil)
    detail.dismissRefusal()
    #expect(detail.shown == "" && texts == ["milk", "tea"])
    // The user has seen the reason: the loss of the focus is not another attempt.
    detail.leave()
    #expect(detail.refusal == nil)
    detail.pressReturn()
    #expect(detail.refusal != nil)
    detail.dismissRefusal()
    // The same text again is another attempt.
    detail.type("")
    detail.leave()
    #expect(detail.refusal != nil)
    detail.dismissRefusal()
    let before = store.revision
    detail.type("rice milk")
    detail.pressReturn()
    detail.pressReturn()
    detail.leave()
    #expect(store.revision == before + 1 && detail.shown == "rice milk")
  }

  @Test("of an element that was deleted meanwhile loses the typed text, and the user sees the reason") func deleted() throws {
    let detail = Detail(store, id: 1)
    detail.type("oat milk")
    try store.change(.remove(1))
    detail.leave()
    #expect(detail.refusal?.reason == "There is no task '1'.")
    #expect(detail.item == nil && texts == ["tea"])
  }
}
