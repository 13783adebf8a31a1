import Alter
import AlterSQLite
import AlterTesting
import FastingCore
import Foundation
import ProcessTesting
import Testing

@Suite("fasting") struct FastingTests {
  static let hour: Int64 = 3_600_000_000

  private func at(_ hours: Int64) -> Stamp { Stamp(time: hours * Self.hour, origin: .none, sequence: 1) }

  @Test("It begins and finishes when its stamps say; nothing asks a clock") func stamps() throws {
    let begun = try FastingState().alter(.goal(.eighteen), .begin, at: at(20))
    #expect(begun.phase == .fasting(since: 20 * Self.hour))
    let finished = try begun.alter(.finish, at: at(37))
    #expect(finished.fasts == [Fast(begin: 20 * Self.hour, end: 37 * Self.hour, goal: .eighteen)])
    #expect(finished.phase == .finished(finished.fasts[0]))
    #expect(try finished.alter(.reset).phase == .ready && finished.alter(.reset).fasts.count == 1)
    #expect(try begun.alter(.reset) == FastingState().alter(.goal(.eighteen)))
  }

  @Test("What makes no sense is refused") func refused() throws {
    #expect(throws: Refusal.illegal(from: "ready", change: "finish")) { try FastingState().alter(.finish) }
    #expect(throws: Refusal.illegal(from: "fasting", change: "begin")) { try FastingState().alter(.begin, .begin) }
    #expect(throws: Refusal.illegal(from: "finished", change: "finish")) { try FastingState().alter(.begin, .finish, .finish) }
  }

  @Test("Its progress is that at a moment, which the caller names") func progress() throws {
    let begun = try FastingState().alter(.begin, at: at(20))
    #expect(FastingState().progress(at: 0) == nil)
    let quarter = try #require(begun.progress(at: 24 * Self.hour))
    #expect(quarter.elapsed == 4 * 3_600 && quarter.remaining == 12 * 3_600 && quarter.fraction == 0.25)
    #expect(begun.progress(at: 40 * Self.hour)?.fraction == 1 && begun.progress(at: 40 * Self.hour)?.remaining == 0)
    // The clock was set back.
    #expect(begun.progress(at: 0)?.elapsed == 0)
    // After the fast is finished, its progress no longer changes.
    let finished = try begun.alter(.finish, at: at(28))
    #expect(finished.progress(at: 99 * Self.hour) == begun.progress(at: 28 * Self.hour))
    #expect(try begun.alter(.finish, at: at(1)).progress(at: 0)?.elapsed == 0)
  }

  @Test("What is seen is a function of the state and of the time") func view() throws {
    let begun = try FastingState().alter(.begin, at: at(20))
    #expect(FastingView(FastingState(), at: 0).lines == ["Ready for 16 hours."])
    #expect(
      FastingView(begun, at: 24 * Self.hour + 61_000_000, columns: 28).lines == [
        "Fasting for 16 hours, since 1970-01-01T20:00:00Z.", "04:01:01   11:58:59 to go", "█████░░░░░░░░░░░░░░░  25 %",
      ])
    #expect(FastingView(begun, at: 36 * Self.hour).lines[1] == "16:00:00   The goal is reached.")
    #expect(
      try FastingView(begun.alter(.finish, at: at(21)), at: 0).lines[0]
        == "Finished: 1970-01-01T20:00:00Z to 1970-01-01T21:00:00Z.")
    #expect("bfr1234x".map(FastingView.change).compactMap { $0 }.count == 7)
  }

  @Test("In a store the time is that of its clock; the journal is all the saving and loading there is") func store() async throws {
    let clock = TestClock(microseconds: 20 * Self.hour)
    let folder = try Folder()
    let file = folder.file("fasting.alter")
    let store = try await Store.open(FastingState(), in: SQLiteJournal(at: file), options: clock.options())
    try store.change(.begin)
    clock.advance(by: .seconds(3_600))
    try store.change(.finish)
    _ = await store.close()
    let again = try await Store.open(FastingState(), in: SQLiteJournal(at: file))
    #expect(again.state.fasts == [Fast(begin: 20 * Self.hour, end: 21 * Self.hour, goal: .sixteen)])
    _ = try await again.undo()
    #expect(again.state.phase == .fasting(since: 20 * Self.hour))
    _ = await again.close()
  }

  @Test("Each command is a process of its own; what one begins, another finishes") func commands() throws {
    let folder = try Folder()
    let store = ["--store", folder.file("fasting.alter")]
    #expect(try Example.run("fasting", store[0], store[1]) == ["Ready for 16 hours."])
    _ = try Example.run("fasting", "goal", "18", store[0], store[1])
    let begun = try Example.run("fasting", "begin", store[0], store[1])
    #expect(begun[0].hasPrefix("Fasting for 18 hours, since "))
    #expect(
      try Example.run("fasting", "begin", store[0], store[1], status: 1)[0].contains("'begin' can't happen in the state 'fasting'."))
    // In the year 2100 the goal has been reached.
    let later = try Example.run("fasting", "status", "--at", "4102444800", store[0], store[1])
    #expect(later[0] == begun[0] && later[1].hasSuffix("The goal is reached.") && later[2].hasSuffix("█  100 %"))
    #expect(try Example.run("fasting", "finish", store[0], store[1])[0].hasPrefix("Finished: "))
    #expect(try Example.run("fasting", "undo", store[0], store[1])[0] == begun[0])
    #expect(try Example.run("fasting", "reset", store[0], store[1]) == ["Ready for 18 hours."])
    #expect(try Example.run("fasting", "goal", "17", store[0], store[1], status: 1)[0].hasPrefix("fasting: usage: "))
  }

  @Test(
    "Killed in the middle of a fast, it goes on", .enabled(if: Tmux.isExpected, "SKIPPED: tmux is not installed, so nobody looks at it"))
  func killed() throws {
    let folder = try Folder()
    let command = try [Product.path("fasting"), "--store", folder.file("fasting.alter")]
    let first = try Tmux(command, environment: Example.environment)
    try first.wait("the timer") { $0[0] == "Ready for 16 hours." }
    try first.press("3")
    try first.press("b")
    let begun = try first.wait("the fast") { $0[0].hasPrefix("Fasting for 18 hours, since ") }[0]
    // The second shows that the clock runs.
    try first.wait("the next second") { !$0[1].hasPrefix("00:00:00") && $0[1].contains("to go") }
    #expect(kill(try first.process(), SIGKILL) == 0)
    try first.wait("its end") { $0.contains { $0.hasSuffix("ended with 137") } }

    let second = try Tmux(command, environment: Example.environment)
    try second.wait("the same fast") { $0[0] == begun && $0[2].hasSuffix("░  0 %") }
    try second.press("b")
    try second.wait("why not") { $0.contains { $0.contains("can't happen in the state 'fasting'") } }
    try second.press("f")
    try second.wait("the finish") { $0[0].hasPrefix("Finished: ") && $0[3] == "1 finished so far." }
    try second.press("q")
    try second.wait("its end") { $0.contains("ended with 0") }
  }

  @Suite("without a journal, as the article has it") struct WithoutJournalTests {
    @Test("load and save are closures in an environment") func environment() throws {
      let saved = Shared<FastingState?>(nil)
      let environment = FastingEnvironment(
        load: { () throws(StorageError) in saved.value }, save: { state throws(StorageError) in saved.value = state },
        now: { 20 * FastingTests.hour })
      var timer = try EnvironmentTimer(in: environment)
      try timer.send(.begin)
      #expect(saved.value?.phase == .fasting(since: 20 * FastingTests.hour))
      #expect(try EnvironmentTimer(in: environment).state == timer.state)
      #expect(throws: EnvironmentTimer.Failure.refused(.illegal(from: "fasting", change: "begin"))) { try timer.send(.begin) }
    }

    @Test("A save that fails changes nothing, and says so") func failingSave() throws {
      let full = StorageError("the disk is full")
      var timer = try EnvironmentTimer(
        in: FastingEnvironment(
          load: { () throws(StorageError) in nil }, save: { _ throws(StorageError) in throw full }, now: { 1 }))
      #expect(throws: EnvironmentTimer.Failure.notSaved(full)) { try timer.send(.begin) }
      #expect(timer.state == FastingState())
    }

    @Test("A load that fails is no empty timer: nothing is overwritten") func failingLoad() throws {
      #expect(throws: StorageError("gone")) {
        try EnvironmentTimer(
          in: FastingEnvironment(
            load: { () throws(StorageError) in throw StorageError("gone") }, save: { _ throws(StorageError) in }, now: { 1 }))
      }
      let folder = try Folder()
      let file = folder.file("fasting.json")
      #expect(try Example.run("fasting", "begin", "--json", file)[0].hasPrefix("Fasting"))
      #expect(try Example.run("fasting", "--json", file)[0].hasPrefix("Fasting"))
      try "half a fi".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try Example.run("fasting", "begin", "--json", file, status: 1)[0].hasPrefix("fasting: can't read \(file)"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "half a fi")
    }
  }
}
