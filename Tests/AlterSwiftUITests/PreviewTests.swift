import AlterCore
import AlterJournal
import AlterStore
import AlterSwiftUI
import Testing

@Suite("A preview") struct PreviewTests {
  private let milk = TodoItem(id: 1, text: "milk")

  @Test("shows the state after its changes, each of which is a step to undo") func changes() async throws {
    let store = Store<AppState>.preview(AppState(), .add(milk), .item(1, .completed(true)))
    #expect(store.status == .open && store.state.items.map(\.completed) == [true])
    try await store.undo()
    #expect(store.state.items == [milk])
  }

  @Test("shows a store that can't save, and rejects every change") func failed() {
    let failure = JournalError(.failed, journal: "books", message: "has failed.")
    let store = Store<AppState>.preview(AppState(), .add(milk), status: .failed(failure))
    #expect(store.status == .failed(failure))
    #expect(throws: ChangeError<Refusal>.failed(failure)) { try store.change(.item(1, .completed(true))) }
    #expect(store.state.items == [milk])
  }

  @Test("shows a store that waits, or is closed") func others() {
    let wait = StoreWait(reason: JournalError(.unavailable, journal: "books", message: "is out of reach."), since: 0)
    let waiting = Store<AppState>.preview(AppState(), status: .waiting(wait))
    #expect(waiting.status == .waiting(wait))
    #expect(throws: Never.self) { try waiting.change(.note("x")) }
    let closed = Store<AppState>.preview(AppState(), status: .closed)
    #expect(closed.status == .closed)
    #expect(throws: ChangeError<Refusal>.closed) { try closed.change(.note("x")) }
  }
}
