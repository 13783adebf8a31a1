import AlterCollections
import AlterCore
import AlterStore
import AlterSwiftUI
import SwiftUI
import Testing
import ViewEvaluator

@MainActor
@Suite struct UserActionViewTests {
  @Test func `an action of an observed value shows its change, and its refusal, before it returns`() throws {
    let store = Store(Shelf())
    try store.change(.add(Book(id: 1, title: "Emma")), .add(Book(id: 2, title: "Ulysses")))
    let screen = Screen { BooksView(store: store) }
    defer { screen.close() }
    screen.press("Remove Emma")
    #expect(screen.texts == ["Remove Ulysses"])
    // Another process removes the book, and the screen has not noticed yet.
    try store.change(.remove(2))
    screen.press("Remove Ulysses")
    #expect(screen.alert?.title == "Not possible")
    #expect(!screen.texts.contains("Remove Ulysses"))
    screen.pressInAlert("OK")
    #expect(screen.alert == nil)
  }
}
