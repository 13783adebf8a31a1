import Alter
import FastingCore
import Foundation
import Testing

@Suite("The fasting timer of SwiftUI") struct TimerTests {
  private func date(_ hours: Double) -> Date { Date(timeIntervalSince1970: hours * 3_600) }

  @Test("Its screen is a function of the state and of the time, with the buttons that the phase accepts") func screen() throws {
    let ready = TimerScreen(FastingState(), at: date(0))
    #expect(ready.status == "Ready for 16 hours." && ready.elapsed == nil && ready.remaining == nil && ready.fraction == nil)
    let begun = try FastingState().alter(.begin, at: date(20))
    let half = TimerScreen(begun, at: date(28))
    #expect(half.elapsed == "08:00:00" && half.remaining == "08:00:00 to go" && half.fraction == 0.5)
    #expect(TimerScreen(begun, at: date(36)).remaining == "The goal is reached.")
    let finished = try begun.alter(.finish, at: date(24))
    #expect(TimerScreen(finished, at: date(99)).elapsed == "04:00:00")
    for state in [FastingState(), begun, finished] {
      let accepted = [FastingState.Change.begin, .finish, .reset].filter {
        (try? state.alter($0, at: date(50))).map { $0 != state } ?? false
      }
      #expect(TimerScreen(state, at: date(0)).buttons.map(\.change) == accepted)
    }
  }

  @Test("Its goal grows and shrinks by an hour, from one to a week") func goal() throws {
    let screen = TimerScreen(FastingState(), at: date(0))
    #expect(screen.goal == "16 hours" && screen.longer == .goal(17) && screen.shorter == .goal(15))
    #expect(TimerScreen(try FastingState().alter(.goal(168), at: date(0)), at: date(0)).longer == nil)
    #expect(TimerScreen(try FastingState().alter(.goal(1), at: date(0)), at: date(0)).shorter == nil)
  }

  @Test("Its shell opens the store once, and reports a journal that can't be read instead of an empty timer") @MainActor
  func model() async throws {
    let attempts = Shared(0)
    let model = TimerModel(
      in: JournalPlace { () async throws(JournalError) in
        attempts.value += 1
        if attempts.value == 1 { throw JournalError(.unreachable, journal: "fasting", message: "is not there.") }
        return MemoryJournal(name: "fasting")
      })
    await model.load()
    guard case .failed(let error) = model.phase else { return #expect(Bool(false), "It did not fail.") }
    #expect(error.description.contains("is not there."))
    await model.load()
    guard case .open(let store) = model.phase else { return #expect(Bool(false), "It did not open.") }
    try store.change(.begin)
    await model.load()
    #expect(attempts.value == 2)
    guard case .open(let same) = model.phase else { return #expect(Bool(false), "It was closed.") }
    #expect(same === store)
  }
}
