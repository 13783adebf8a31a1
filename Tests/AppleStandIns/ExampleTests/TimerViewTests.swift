import Alter
import FastingApp
import FastingCore
import SwiftUI
import Testing
import ViewEvaluator

@MainActor
@Suite struct TimerViewTests {
  @Test func `the timer is loaded when it appears, and its buttons begin and finish a fast`() async throws {
    let model = TimerModel(in: JournalPlace { () async throws(JournalError) in MemoryJournal(name: "fasting") })
    let screen = Screen { TimerView(model: model, from: Date(timeIntervalSince1970: 0)) }
    defer { screen.close() }
    #expect(screen.texts == ["Loading"])
    while screen.texts == ["Loading"] { await screen.nextChange() }
    #expect(screen.texts == ["Ready for 16 hours.", "Begin", "16 hours"])
    screen.step("16 hours", by: 1)
    screen.press("Begin")
    #expect(screen.texts == ["Fasting for 17 hours.", "00:00:00", "17:00:00 to go", "Finish", "Reset", "17 hours"])
    screen.press("Finish")
    #expect(screen.texts.first == "Finished.")
  }

  @Test func `a journal that can't be read shows the reason, and another attempt opens it`() async throws {
    let attempts = Attempts()
    let place = JournalPlace { () async throws(JournalError) in
      if attempts.next() == 1 { throw JournalError(.unreachable, journal: "fasting", message: "is not there.") }
      return MemoryJournal(name: "fasting")
    }
    let model = TimerModel(in: place)
    let screen = Screen { TimerView(model: model) }
    defer { screen.close() }
    while !screen.texts.contains("Try Again") { await screen.nextChange() }
    #expect(screen.texts.contains { $0.contains("is not there.") })
    screen.press("Try Again")
    while !screen.texts.contains("Begin") { await screen.nextChange() }
    #expect(screen.texts.first == "Ready for 16 hours.")
  }
}
