import Alter
import SwiftUI
import Testing
import TodoCore
import TodoViewModels
import ViewEvaluator

@testable import TodoApp

@MainActor
@Suite struct HistoryViewTests {
  private let today = Day("2026-12-04")!

  /// Waits until the screen shows a text.
  private func wait(_ screen: Screen, for text: String) async {
    while !screen.texts.contains(text) { await screen.nextChange() }
  }

  @Test func `the history follows the list, and its buttons undo and redo`() async throws {
    let store = try store("Pay rent")
    let screen = Screen { HistoryView(store: store) }
    defer { screen.close() }
    await wait(screen, for: "added ‘Pay rent’")
    try store.change(.item(id(1), .completed(true)))
    await wait(screen, for: "completed ‘Pay rent’")
    screen.press("Undo: completed ‘Pay rent’")
    await wait(screen, for: "Redo: completed ‘Pay rent’")
    #expect(store.state.items[id: id(1)]?.completed == false)
    screen.press("Redo: completed ‘Pay rent’")
    await wait(screen, for: "redid 3: completed ‘Pay rent’")
    #expect(store.state.items[id: id(1)]?.completed == true)
    #expect(!screen.texts.contains { $0.hasPrefix("Redo") })
  }

  @Test func `an earlier list is shown without a change, and restored by its button`() async throws {
    let store = try store("Pay rent", "Call mum")
    let screen = Screen { PastView(store: store, revision: 2, today: today) }
    defer { screen.close() }
    await wait(screen, for: "Restore This List")
    #expect(screen.texts.first == "Pay rent" && !screen.texts.contains("Call mum"))
    #expect(screen.title == "Revision 2")
    #expect(store.revision == 3 && store.state.items.count == 2)
    screen.press("Restore This List")
    while screen.texts.contains("Restore This List") { await screen.nextChange() }
    #expect(store.revision == 4 && store.state.items.map(\.text) == ["Pay rent"])
    _ = try await store.undo()
    #expect(store.state.items.count == 2)
  }

  @Test func `an undo of the restoration, in the Edit menu or by a shake, offers it again`() async throws {
    let store = try store("Pay rent", "Call mum")
    let screen = Screen { PastView(store: store, revision: 2, today: today) }
    defer { screen.close() }
    await wait(screen, for: "Restore This List")
    screen.press("Restore This List")
    while screen.texts.contains("Restore This List") { await screen.nextChange() }
    _ = try await store.undo()
    await wait(screen, for: "Restore This List")
    #expect(screen.texts.first == "Pay rent")
  }

  @Test func `a revision that can't be read shows the reason`() async throws {
    let store = try store()
    let screen = Screen { PastView(store: store, revision: 9, today: today) }
    defer { screen.close() }
    while screen.texts.isEmpty { await screen.nextChange() }
    #expect(screen.texts.first == "The history has no such entry.")
  }

  @Test func `an undo that is no longer possible shows the reason`() async throws {
    let store = try store("Pay rent")
    let screen = Screen { HistoryView(store: store) }
    defer { screen.close() }
    await wait(screen, for: "Undo: added ‘Pay rent’")
    await store.close()
    screen.press("Undo: added ‘Pay rent’")
    while !screen.texts.contains(where: { $0.contains("closed") }) { await screen.nextChange() }
  }
}
