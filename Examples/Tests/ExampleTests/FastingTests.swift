import Alter
import AlterSQLite
import AlterTesting
import FastingCore
import Foundation
import ProcessTesting
import Testing

@Suite("fasting") struct FastingTests {
  /// The date that is a number of hours after 1970-01-01 00:00 UTC.
  private func at(_ hours: Double) -> Date { Date(timeIntervalSince1970: hours * 3_600) }

  @Test("A fast begins and ends at the times of the stamps; no code reads a clock") func stamps() throws {
    let begun = try FastingState().alter(.goal(.eighteen), .begin, at: at(20))
    #expect(begun.phase == .fasting(since: at(20)))
    #expect(try begun.alter(.finish, at: at(37)).phase == .finished(from: at(20), to: at(37)))
    #expect(try begun.alter(.reset) == FastingState().alter(.goal(.eighteen)))
  }

  @Test("A change without a meaning in the phase is refused") func refused() throws {
    #expect(throws: Refusal.illegal(from: "ready", change: "finish")) { try FastingState().alter(.finish) }
    #expect(throws: Refusal.illegal(from: "fasting", change: "begin")) { try FastingState().alter(.begin, .begin, at: at(20)) }
    #expect(throws: Refusal.illegal(from: "finished", change: "finish")) { try FastingState().alter(.begin, .finish, .finish, at: at(20)) }
  }

  @Test("No fast begins or ends without a time") func untimed() throws {
    #expect(throws: Refusal.self) { try FastingState().alter(.begin) }
    #expect(throws: Refusal.self) { try FastingState().alter(.begin, at: at(20)).alter(.finish) }
  }

  @Test("The visible timer is a function of the state and of a date that the caller passes") func view() throws {
    #expect(FastingState().lines(at: at(0)) == ["Ready for 16 hours."])
    let begun = try FastingState().alter(.begin, at: at(20))
    #expect(
      begun.lines(at: at(24).addingTimeInterval(61)) == [
        "Fasting for 16 hours, since 1970-01-01T20:00:00Z.", "04:01:01   11:58:59 to go",
        "█████████░░░░░░░░░░░░░░░░░░░░░░░░░░░  25 %",
      ])
    #expect(begun.lines(at: at(99))[1...] == ["79:00:00   The goal is reached.", "████████████████████████████████████  100 %"])
    // The clock was set back.
    #expect(begun.elapsed(at: at(0)) == 0)
    #expect(try begun.alter(.finish, at: at(1)).elapsed(at: at(0)) == 0)
    // A finished fast no longer depends on the date.
    let finished = try begun.alter(.finish, at: at(28))
    #expect(finished.lines(at: at(99)) == finished.lines(at: at(0)) && finished.elapsed(at: at(99)) == 8 * 3_600)
  }

  @Test("A goal is any number of hours up to a week, also when it is decoded") func goals() throws {
    #expect([0, 1, 168, 169].map { Goal(rawValue: $0)?.rawValue } == [nil, 1, 168, nil])
    #expect(try JournalCoding.decode(Goal.self, from: Data("20".utf8)) == .twenty)
    #expect(throws: (any Error).self) { try JournalCoding.decode(Goal.self, from: Data("0".utf8)) }
  }

  @Test("In a store the time is that of its clock; the journal is all the saving and loading there is") func store() async throws {
    let clock = TestClock(microseconds: at(20).microseconds)
    let folder = try Folder()
    let file = folder.path("fasting.alter")
    let store = try await Store.open(FastingState(), in: SQLiteJournal(at: file), options: clock.options())
    try store.change(.begin)
    clock.advance(by: .seconds(3_600))
    try store.change(.finish)
    await store.close()
    let again = try await Store.open(FastingState(), in: SQLiteJournal(at: file))
    #expect(again.state.phase == .finished(from: at(20), to: at(21)))
    try await again.undo()
    #expect(again.state.phase == .fasting(since: at(20)))
    await again.close()
  }

  @Test("A fast continues after its process was killed, and another process finishes it") func killed() throws {
    let folder = try Folder()
    let store = folder.path("fasting.alter")
    func fasting(_ words: String...) throws -> [String] { try Example.run("fasting", list: words + ["--store", store]) }
    let app = try Example("fasting", "--store", store)
    try app.read(until: "Ready for 16 hours.")
    app.type("goal 18")
    app.type("begin")
    let begun = try app.read(until: "Fasting for 18 hours, since ")
    #expect(app.kill() == 128 + SIGKILL)

    #expect(try fasting("status")[0] == begun)
    let again = try Example.run("fasting", list: ["begin", "--store", store], status: 1)
    #expect(again == ["fasting: The change was refused: 'begin' can't happen in the state 'fasting'."])
    #expect(try fasting("finish")[0].hasPrefix("Finished: "))
    #expect(try fasting("undo")[0] == begun)
  }

  @Test("A mistyped command gives the usage, and opens no journal") func mistyped() throws {
    let folder = try Folder()
    for words in [["begn"], ["goal", "0"], ["begin", "now"]] {
      let lines = try Example.run("fasting", list: words + ["--store", folder.path("fasting.alter")], status: 1)
      #expect(lines[0].hasPrefix("fasting: usage: "))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }
}
