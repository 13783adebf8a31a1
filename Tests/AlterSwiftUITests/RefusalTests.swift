import AlterCore
import AlterStore
import Testing

@testable import AlterSwiftUI

@MainActor
@Suite("A refusal") struct RefusalTests {
  private let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")))

  @Test("is presented until the user dismisses it, and the next one is presented again") func presented() {
    let count = store.observed(\.items.count)
    #expect(!count.isRefused)
    count.send(.add(TodoItem(id: 1, text: "tea")))
    #expect(count.isRefused && count.refusal?.reason == "The task '1' is there already." && count.value == 1)
    // SwiftUI may also set the binding of an alert that it shows to true.
    count.isRefused = true
    #expect(count.isRefused)
    count.isRefused = false
    #expect(!count.isRefused && count.refusal == nil)
    count.send(.item(7, .text("tea")))
    #expect(count.isRefused && count.refusal?.reason == "There is no task '7'.")
  }

  @Test("is withdrawn by an accepted change") func withdrawn() throws {
    let count = store.observed(\.items.count)
    count.send(.add(TodoItem(id: 1, text: "tea")))
    #expect(count.isRefused)
    try store.change(.remove(1))
    count.send(.add(TodoItem(id: 1, text: "tea")))
    #expect(!count.isRefused && count.value == 1)
  }

  @Test("of the store has the store's words") func ofTheStore() async {
    let count = store.observed(\.items.count)
    await store.close()
    count.send(.remove(1))
    #expect(count.isRefused && count.refusal?.reason == ChangeError<Refusal>.closed.description)
  }
}
