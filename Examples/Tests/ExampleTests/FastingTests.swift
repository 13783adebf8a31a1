import Alter
import AlterSQLite
import AlterTesting
import FastingCore
import Foundation
import ProcessTesting
import Testing

@Suite("fasting") struct FastingTests {
  /// The date that is a number of hours after 1970-01-01 00:00 UTC.
  static func hour(_ hours: Double) -> Date { Date(timeIntervalSince1970: hours * 3_600) }

  private func at(_ hours: Double) -> Date { Self.hour(hours) }

  @Test("It begins and finishes when its stamps say; nothing asks a clock") func stamps() throws {
    let begun = try FastingState().alter(.goal(.eighteen), .begin, at: at(20))
    #expect(begun.phase == .fasting(since: Self.hour(20)))
    let finished = try begun.alter(.finish, at: at(37))
    #expect(finished.fasts == [Fast(begin: Self.hour(20), end: Self.hour(37), goal: .eighteen)])
    #expect(finished.phase == .finished(finished.fasts[0]))
    #expect(try finished.alter(.reset).phase == .ready && finished.alter(.reset).fasts.count == 1)
    #expect(try begun.alter(.reset) == FastingState().alter(.goal(.eighteen)))
  }

  @Test("What makes no sense is refused") func refused() throws {
    #expect(throws: Refusal.illegal(from: "ready", change: "finish")) { try FastingState().alter(.finish) }
    #expect(throws: Refusal.illegal(from: "fasting", change: "begin")) { try FastingState().alter(.begin, .begin, at: at(20)) }
    #expect(throws: Refusal.illegal(from: "finished", change: "finish")) { try FastingState().alter(.begin, .finish, .finish, at: at(20)) }
  }

  @Test("No fast begins or ends without a time: in 1970") func untimed() throws {
    #expect(throws: Refusal.self) { try FastingState().alter(.begin) }
    #expect(throws: Refusal.self) { try FastingState().alter(.begin, at: at(20)).alter(.finish) }
  }

  @Test("Its progress is that at a moment, which the caller names") func progress() throws {
    let begun = try FastingState().alter(.begin, at: at(20))
    #expect(FastingState().progress(at: Self.hour(0)) == nil)
    let quarter = try #require(begun.progress(at: Self.hour(24)))
    #expect(quarter.elapsed == 4 * 3_600 && quarter.remaining == 12 * 3_600 && quarter.fraction == 0.25)
    #expect(begun.progress(at: Self.hour(40))?.fraction == 1 && begun.progress(at: Self.hour(40))?.remaining == 0)
    // The clock was set back.
    #expect(begun.progress(at: Self.hour(0))?.elapsed == 0)
    // After the fast is finished, its progress no longer changes.
    let finished = try begun.alter(.finish, at: at(28))
    #expect(finished.progress(at: Self.hour(99)) == begun.progress(at: Self.hour(28)))
    #expect(try begun.alter(.finish, at: at(1)).progress(at: Self.hour(0))?.elapsed == 0)
  }

  @Test(
    "Any two dates that are stored give a progress from 0 to 1: an end before the begin, and dates that are too far apart",
    arguments: [
      #"{"begin":"2026-01-02T00:00:00Z","end":"2026-01-01T00:00:00Z","goal":16}"#,
      #"{"begin":-9223372036854775808,"end":9223372036854775807,"goal":16}"#,
      #"{"begin":9223372036854775807,"end":-9223372036854775808,"goal":16}"#,
    ]) func anyDates(fast: String) throws
  {
    let folder = try Folder()
    let file = folder.path("fasting.json")
    try #"{"fasts":[],"goal":16,"phase":{"finished":{"_0":\#(fast)}}}"#.write(toFile: file, atomically: true, encoding: .utf8)
    let lines = try Example.run("fasting", "--json", file)
    #expect(lines.count == 3 && (lines[2].hasSuffix("░  0 %") || lines[2].hasSuffix("█  100 %")), "\(lines)")
    #expect(lines[1].hasPrefix("00:00:00 ") == lines[2].hasSuffix(" 0 %"), "\(lines)")
    let begun = #"{"fasts":[],"goal":16,"phase":{"fasting":{"since":-9223372036854775808}}}"#
    try begun.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try Example.run("fasting", "--json", file)[2].hasSuffix("█  100 %"))
  }

  @Test("A time that is no number or not that of a status, and a mistyped command, give the usage and open no journal") func mistyped()
    throws
  {
    let folder = try Folder()
    let file = folder.path("fasting.alter")
    for words in [["status", "--at", "nan"], ["status", "--at", "noon"], ["begin", "--at", "0"], ["begn", "begn", "begn"]] {
      for kind in ["--store", "--json"] {
        #expect(try Example.run("fasting", words[0], words[1], words[2], kind, file, status: 1)[0].hasPrefix("fasting: usage: "))
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("What is seen is a function of the state and of the time") func view() throws {
    let begun = try FastingState().alter(.begin, at: at(20))
    #expect(FastingView(FastingState(), at: Self.hour(0)).lines == ["Ready for 16 hours."])
    #expect(
      FastingView(begun, at: Self.hour(24).addingTimeInterval(61), columns: 28).lines == [
        "Fasting for 16 hours, since 1970-01-01T20:00:00Z.", "04:01:01   11:58:59 to go", "█████░░░░░░░░░░░░░░░  25 %",
      ])
    #expect(FastingView(begun, at: Self.hour(36)).lines[1] == "16:00:00   The goal is reached.")
    #expect(
      try FastingView(begun.alter(.finish, at: at(21)), at: Self.hour(0)).lines[0]
        == "Finished: 1970-01-01T20:00:00Z to 1970-01-01T21:00:00Z.")
    #expect("bfrx".map { FastingView.change($0, goal: .sixteen) } == [.begin, .finish, .reset, nil])
    let goals = "1234+-".map { FastingView.change($0, goal: 30) }
    #expect(goals == [.goal(.sixteen), .goal(.eighteen), .goal(.twenty), .goal(.oneMealADay), .goal(31), .goal(29)])
    #expect(FastingView.change("-", goal: 1) == nil && FastingView.change("+", goal: 168) == nil)
  }

  @Test("A goal is any number of hours up to a week, or one meal a day") func goals() throws {
    #expect(["16", "36", "168", "omad"].map { Goal($0)?.hours } == [16, 36, 168, 23])
    #expect(["0", "169", "-16", "all day", ""].allSatisfy { Goal($0) == nil })
    #expect(try FastingView(FastingState().alter(.goal(.oneMealADay)), at: Self.hour(0)).lines == ["Ready for 23 hours (one meal a day)."])
    let halfway = try FastingState().alter(.goal(36), .begin, at: at(0))
    #expect(halfway.progress(at: Self.hour(18))?.fraction == 0.5)
    // Stored as a number, and a number that is no goal does not decode.
    #expect(try String(decoding: JournalCoding.encode(Goal.twenty), as: UTF8.self) == "20")
    #expect(throws: (any Error).self) { try JournalCoding.decode(Goal.self, from: Data("0".utf8)) }
  }

  @Suite("data of the first version, which had times as numbers") struct OldDataTests {
    /// The state as the first version stored it, in a journal and in a JSON file.
    static let running =
      #"{"fasts":[{"begin":1795409663882503,"end":1795409663917431,"goal":18}],"goal":12,"phase":{"fasting":{"since":1795409663935345}}}"#
    static let finished =
      #"{"fasts":[],"goal":16,"phase":{"finished":{"_0":{"begin":1795409663882503,"end":1795409663917431,"goal":18}}}}"#
    static let fast = Fast(begin: Date(microseconds: 1_795_409_663_882_503), end: Date(microseconds: 1_795_409_663_917_431), goal: 18)

    @Test("is read from a journal, and continued") func journal() async throws {
      let folder = try Folder()
      let file = folder.path("fasting.alter")
      let journal = try await SQLiteJournal(at: file)
      let origin = Origin(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
      func draft(_ kind: Entry.Kind, _ number: Int64, _ payload: String) -> Entry.Draft {
        Entry.Draft(
          kind: kind, id: EntryID(origin: origin, sequence: number), time: number * 3_600_000_000, schema: 1, payload: Data(payload.utf8))
      }
      let drafts = [
        draft(.initial, 1, Self.running), draft(.changes, 2, #"[{"reset":{}},{"goal":{"_0":20}}]"#), draft(.changes, 3, #"[{"begin":{}}]"#),
      ]
      _ = try await journal.append(drafts, after: journal.head())
      await journal.close()
      let store = try await Store.open(FastingState(), in: SQLiteJournal(at: file))
      #expect(store.state.fasts == [Self.fast] && store.state.goal == .twenty)
      #expect(store.state.phase == .fasting(since: FastingTests.hour(3)))
      #expect(try await store.state(at: 1).phase == .fasting(since: Date(microseconds: 1_795_409_663_935_345)))
      try await store.change(.finish).durable()
      await store.close()
      #expect(try Example.run("fasting", "--store", file).last == "2 finished so far.")
    }

    @Test("is read from a JSON file, which then has dates") func json() throws {
      let folder = try Folder()
      let file = folder.path("fasting.json")
      try Self.finished.write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try Example.run("fasting", "--json", file)[0] == "Finished: 2026-11-23T04:54:23Z to 2026-11-23T04:54:23Z.")
      _ = try Example.run("fasting", "goal", "36", "--json", file)
      let text = try String(contentsOfFile: file, encoding: .utf8)
      #expect(text.contains(#""begin":"2026-11-23T04:54:23.882503Z""#) && text.contains(#""goal":36"#), "\(text)")
      #expect(try Example.run("fasting", "begin", "--json", file)[0].hasPrefix("Fasting for 36 hours, since "))
    }
  }

  @Test("In a store the time is that of its clock; the journal is all the saving and loading there is") func store() async throws {
    let clock = TestClock(microseconds: Self.hour(20).microseconds)
    let folder = try Folder()
    let file = folder.path("fasting.alter")
    let store = try await Store.open(FastingState(), in: SQLiteJournal(at: file), options: clock.options())
    try store.change(.begin)
    clock.advance(by: .seconds(3_600))
    try store.change(.finish)
    _ = await store.close()
    let again = try await Store.open(FastingState(), in: SQLiteJournal(at: file))
    #expect(again.state.fasts == [Fast(begin: Self.hour(20), end: Self.hour(21), goal: .sixteen)])
    _ = try await again.undo()
    #expect(again.state.phase == .fasting(since: Self.hour(20)))
    _ = await again.close()
  }

  @Test("Each command is a process of its own; what one begins, another finishes") func commands() throws {
    let folder = try Folder()
    let store = ["--store", folder.path("fasting.alter")]
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
    #expect(try Example.run("fasting", "goal", "omad", store[0], store[1]) == ["Ready for 23 hours (one meal a day)."])
    #expect(try Example.run("fasting", "goal", "36", store[0], store[1]) == ["Ready for 36 hours."])
    #expect(try Example.run("fasting", "goal", "0", store[0], store[1], status: 1)[0].hasPrefix("fasting: usage: "))
  }

  @Test(
    "Killed in the middle of a fast, it goes on", .enabled(if: Tmux.isExpected, "SKIPPED: tmux is not installed, so nobody looks at it"))
  func killed() throws {
    let folder = try Folder()
    let command = try [Product.path("fasting"), "--store", folder.path("fasting.alter")]
    let first = try Tmux(command, environment: Example.environment)
    try first.wait("the timer") { $0[0] == "Ready for 16 hours." }
    try first.press("2")
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

  @Test(
    "While another process holds the file, the clock goes on; the change is shown when it is written",
    .enabled(
      if: Tmux.isExpected && SystemCommand.isExpected("sqlite3"),
      "SKIPPED: tmux or sqlite3 is not installed, so the live view is not tested"))
  func held() throws {
    let folder = try Folder()
    let file = folder.path("fasting.alter")
    _ = try Example.run("fasting", "begin", "--store", file)
    let terminal = try Tmux([Product.path("fasting"), "--store", file], environment: Example.environment)
    try terminal.wait("the fast") { $0[0].hasPrefix("Fasting for 16 hours, since ") }
    let lock = try LineProcess([#require(SystemCommand.path("sqlite3")), file], mergesErrors: true)
    lock.say("begin immediate; select 'held';")
    try #require(lock.readLine() == "held", "\(lock.lines)")
    try terminal.press("f")
    // The refusal shows that the key has arrived, and that the display answers while the first change waits.
    try terminal.press("f")
    let clock = try terminal.wait("why not") { $0.contains { $0.contains("'finish' can't happen in the state 'finished'") } }[1]
    try terminal.wait("the clock") { $0[1].contains("to go") && $0[1] != clock }
    lock.say("commit;")
    lock.closeInput()
    #expect(lock.child.wait() == 0)
    try terminal.wait("the finish") { $0[0].hasPrefix("Finished: ") }
    try terminal.press("q")
    try terminal.wait("its end") { $0.contains("ended with 0") }
  }

  @Suite("without a journal, as the article has it") struct WithoutJournalTests {
    @Test("load and save are asynchronous closures in an environment") func environment() async throws {
      let saved = Shared<FastingState?>(nil)
      let environment = FastingEnvironment(
        load: { () async throws(StorageError) in
          await Task.yield()
          return saved.value
        },
        save: { state async throws(StorageError) in
          await Task.yield()
          saved.value = state
        },
        now: { FastingTests.hour(20) })
      let timer = try await EnvironmentTimer(in: environment)
      try await timer.send(.begin)
      #expect(saved.value?.phase == .fasting(since: FastingTests.hour(20)))
      #expect(try await EnvironmentTimer(in: environment).state == timer.state)
      await #expect(throws: EnvironmentTimer.Failure.refused(.illegal(from: "fasting", change: "begin"))) { try await timer.send(.begin) }
    }

    @Test("A change that is sent during a save begins with the saved state: neither is lost") func duringSave() async throws {
      let isHeld = Shared(true)
      let (saves, saving) = AsyncStream<Void>.makeStream()
      let (releases, release) = AsyncStream<Void>.makeStream()
      let (reads, reading) = AsyncStream<Void>.makeStream()
      let saved = Shared<[FastingState]>([])
      let timer = try await EnvironmentTimer(
        in: FastingEnvironment(
          load: { () async throws(StorageError) in nil },
          save: { state async throws(StorageError) in
            if isHeld.value {
              isHeld.value = false
              saving.finish()
              for await _ in releases {}
            }
            saved.value.append(state)
          },
          now: {
            if !isHeld.value { reading.finish() }
            return FastingTests.hour(20)
          }))
      async let begin: Void = timer.send(.begin)
      for await _ in saves {}  // The first save has begun,
      async let goal: Void = timer.send(.goal(.twenty))
      for await _ in reads {}  // the second change is sent,
      release.finish()  // and only now the first save ends.
      _ = try await (begin, goal)
      let both = await timer.state
      #expect(both.phase == .fasting(since: FastingTests.hour(20)) && both.goal == .twenty)
      #expect(saved.value.map(\.goal) == [.sixteen, .twenty] && saved.value.last == both)
    }

    @Test("A save that fails changes nothing, and says so") func failingSave() async throws {
      let full = StorageError("the disk is full")
      let timer = try await EnvironmentTimer(
        in: FastingEnvironment(
          load: { () throws(StorageError) in nil }, save: { _ throws(StorageError) in throw full }, now: { FastingTests.hour(1) }))
      await #expect(throws: EnvironmentTimer.Failure.notSaved(full)) { try await timer.send(.begin) }
      #expect(await timer.state == FastingState())
    }

    @Test("A load that fails is no empty timer: nothing is overwritten") func failingLoad() async throws {
      await #expect(throws: StorageError("gone")) {
        try await EnvironmentTimer(
          in: FastingEnvironment(
            load: { () throws(StorageError) in throw StorageError("gone") }, save: { _ throws(StorageError) in },
            now: { FastingTests.hour(1) }))
      }
      let folder = try Folder()
      let file = folder.path("fasting.json")
      #expect(try Example.run("fasting", "begin", "--json", file)[0].hasPrefix("Fasting"))
      #expect(try Example.run("fasting", "--json", file)[0].hasPrefix("Fasting"))
      let later = try Example.run("fasting", "status", "--at", "4102444800", "--json", file)
      #expect(later[1].hasSuffix("The goal is reached."), "\(later)")
      #expect(
        try Example.run("fasting", "begin", "--json", file, status: 1)
          == ["fasting: The change was refused: 'begin' can't happen in the state 'fasting'."])
      try "null".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try Example.run("fasting", "begin", "--json", file, status: 1)[0].hasPrefix("fasting: can't read \(file)"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "null")
      try "half a fi".write(toFile: file, atomically: true, encoding: .utf8)
      #expect(try Example.run("fasting", "begin", "--json", file, status: 1)[0].hasPrefix("fasting: can't read \(file)"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "half a fi")
    }
  }
}
