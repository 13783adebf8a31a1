import Alter
import AlterCore
import AlterStore
import AlterTesting
import Foundation
import Testing

// The laws 10 and 11: undo of requests that are older than the run, and of requests that were performed.
extension UndoTests {
  /// The places of a store, and whether its feedback is local.
  static let places = ["in memory", "in a journal", "local"]

  private func open(_ place: String) async throws -> Store<Desk> {
    place == "in memory" ? Store(Desk()) : try await Store.open(Desk(), in: MemoryJournal())
  }

  @Test("the answer to a request that is older than the run stays, is no step, and clears no redo", arguments: places)
  func olderThanTheRun(place: String) async throws {
    let store = try await open(place)
    try await store.change(.count(1)).durable()
    try await store.undo()
    // It is made by another user, so that it does not clear the redo itself.
    try await store.change([.search("a")], cause: Cause(feedback: "another")).durable()
    let feedback = Feedback<Desk, Void>("echo", request: \.search) { text, _ in .found(text) }
    let run = try store.run([place == "local" ? feedback.local : feedback])
    await store.wait { $0.found == ["a"] }
    await store.rest()
    try await store.change([], cause: nil).durable()
    await #expect(throws: UndoError.nothingToUndo) { try await store.undo() }
    try await store.redo()
    #expect(store.state.count == 1 && store.state.found == ["a"])
    try await store.undo()
    #expect(store.state.count == 0 && store.state.found == ["a"])
    await run.stop()
    await store.close()
  }

  @Test("an entry is not undone once its acting request was performed, or its effect has sent a change", arguments: places.prefix(2))
  func performed(place: String) async throws {
    let service = Service()
    let store = try await open(place)
    let run = try store.run([.carefulCharge], in: service)
    try await store.change(.pay(5)).durable()
    await service.waitForCalls(1)
    // The note before the call of the service is in the journal.
    guard case .performed(let feedback, let begun)? = await undoError(store) else {
      Issue.record("undone while the effect runs")
      return
    }
    #expect(feedback == "charge" && store.state.charging != nil)
    service.answer(0, "paid")
    await store.wait { $0.paid == ["paid"] }
    await store.rest()
    #expect(await undoError(store) == .performed(feedback: "charge", revision: begun))
    #expect(store.state.paid == ["paid"] && service.requests == ["5"])
    await run.stop()
    await store.close()
  }

  @Test("an entry whose act is harmless is undone, the answer stays, and a redo asks again under the same key")
  func undoable() async throws {
    let service = Service()
    let store = try await open("in a journal")
    let ring = Feedback<Desk, Service>("ring", request: \.payment) { request, service in
      .failed(try await service.ask("ring", key: request.id.key("ring")))
    }.undoable
    let run = try store.run([ring], in: service)
    try await store.change(.pay(5)).durable()
    await service.waitForCalls(1)
    service.answer(0, "rung")
    await store.wait { $0.failures == ["rung"] }
    try await store.undo()
    #expect(store.state.payment == nil && store.state.failures == ["rung"])
    try await store.redo()
    await service.waitForCalls(2)
    #expect(service.calls[0].key == service.calls[1].key)
    service.answer(1, "again")
    await run.stop()
    await store.close()
  }

  private func undoError(_ store: Store<Desk>) async -> UndoError? {
    do throws(UndoError) { _ = try await store.undo() } catch { return error }
    return nil
  }
}
