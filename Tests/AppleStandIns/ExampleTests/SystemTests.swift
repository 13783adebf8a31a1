import Alter
import AppIntents
import SwiftUI
import Testing
import TodoCore
import TodoViewModels
import UIKit
import ViewEvaluator
import WidgetKit

@testable import TodoApp

@MainActor
@Suite struct WidgetTests {
  private func timeline(_ provider: WidgetProvider) async -> Timeline<WidgetEntry> {
    await withCheckedContinuation { done in
      provider.getTimeline(in: TimelineProviderContext()) { done.resume(returning: $0) }
    }
  }

  @Test func `the widget shows the list of a journal, until midnight`() async throws {
    let journal = MemoryJournal(name: "todo")
    var options = StoreOptions()
    options.keepsJournalOpen = true
    let store = try await Store.open(AppState(), in: journal, options: options)
    try await store.change(.add(.item(TodoItem(id: id(1), text: "Pay rent")))).durable()
    _ = await store.close()
    let timeline = await timeline(WidgetProvider(place: JournalPlace { () async throws(JournalError) in journal }))
    let entry = try #require(timeline.entries.first)
    #expect(Screen { WidgetView(content: entry.content) }.texts == ["1 to do", "Pay rent"])
    let next = try #require(timeline.policy.date)
    #expect(Calendar.current.startOfDay(for: next) == next && next > entry.date)
  }

  @Test func `the widget says in words when an item is due, and that an item is overdue not by its colour alone`() throws {
    let store = try store("Pay rent due:2026-12-03", "Call mum due:2026-12-04")
    let content = WidgetScreen(store.state, today: try #require(Day("2026-12-04")))
    #expect(Screen { WidgetView(content: content) }.texts == ["2 to do", "Pay rent", "yesterday", "Call mum", "today"])
  }

  @Test(arguments: [(JournalError.Code.unreachable, true), (.unavailable, true), (.newerSchema, false)])
  func `the widget of a list that can't be read says what to do, and reads it again soon only if that may help`(
    code: JournalError.Code, isSoon: Bool
  ) async throws {
    let timeline = await timeline(
      WidgetProvider(
        place: JournalPlace { () async throws(JournalError) in throw JournalError(code, journal: "todo", message: "can't be read.") }))
    let entry = try #require(timeline.entries.first)
    let texts = Screen { WidgetView(content: entry.content) }.texts
    #expect(texts.count == 2 && texts[0] == "To Do" && texts[1].hasSuffix("to see your list."))
    let wait = try #require(timeline.policy.date).timeIntervalSince(entry.date)
    #expect(wait <= (isSoon ? 900 : 86_400 + 3_600))
    #expect(Calendar.current.startOfDay(for: try #require(timeline.policy.date)) == timeline.policy.date || isSoon)
  }
}

@MainActor
@Suite struct UIKitTests {
  @Test func `controls of UIKit perform actions with their values`() throws {
    let store = try store("Pay rent")
    let actions = ItemActions(store, id: id(1))
    let toggle = UISwitch(frame: .zero)
    toggle.perform(actions.setDone)
    toggle.isOn = true
    #expect(store.state.items[id: id(1)]?.completed == false)
    toggle.sendActions(for: .valueChanged)
    #expect(store.state.items[id: id(1)]?.completed == true)
    let field = UITextField(frame: .zero)
    field.perform(UserAction(store) { .item(id(1), .text($0)) })
    field.text = "Pay the rent"
    field.sendActions(for: .editingDidEnd)
    #expect(store.state.items[id: id(1)]?.text == "Pay the rent")
    UIButton("Remove", action: actions.remove).sendActions(for: .primaryActionTriggered)
    #expect(store.state.items.isEmpty)
  }
}

@Suite struct IntentTests {
  @Test func `an intent's error has the text of its cause`() async {
    // The wrapper of a parameter is an object.
    let intent = AddItemIntent()
    intent.text = "Pay due:2026-02-30"
    #expect(await problem(intent) == "there is no such day as in ‘due:2026-02-30’")
    // There is no container of an app group on Linux.
    intent.text = "Pay rent"
    #expect(await problem(intent) == "The app can’t use the file of the list. After a restart, unlock the device first.")
  }

  private func problem(_ intent: AddItemIntent) async -> String? {
    do {
      _ = try await intent.perform()
      return nil
    } catch {
      return (error as? IntentProblem)?.localizedStringResource.key
    }
  }
}
