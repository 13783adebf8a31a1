import Alter
import Foundation
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Its commands that edit") struct EditCommandTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func expect(_ arguments: String, _ output: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
      let outcome = try sandbox.run([sandbox.executable] + arguments.split(separator: " ").map(String.init))
      #expect(outcome.status == 0 && outcome.output == output + "\n", "\(outcome)", sourceLocation: sourceLocation)
    }

    @Test("rename, due, priority, tag and untag say what they did, or that nothing had to be done") func edits() throws {
      try sandbox.todo("import", "-", input: Array("Pay rent @home due:2026-01-01 due:2026-02-02\n".utf8))
      try expect(
        "rename 1 Pay the rent @home due:2026-01-01",
        "Renamed 1 to ‘Pay the rent @home due:2026-01-01’, from: Pay rent @home due:2026-01-01")
      try expect("due 1 2026-12-24", "1 is due 2026-12-24: Pay the rent @home")
      try expect("due 1 2026-12-24", "1 is due 2026-12-24 already: Pay the rent @home")
      try expect("due 1 none", "1 is due on no particular day: Pay the rent @home")
      try expect("due 1 none", "1 is due on no particular day already: Pay the rent @home")
      try expect("priority 1 b", "1 has priority B: Pay the rent @home")
      try expect("priority 1 B", "1 has priority B already: Pay the rent @home")
      try expect("priority 1 none", "1 has no priority: Pay the rent @home")
      try expect("tag 1 home garden +flat", "Tagged 1 @garden +flat: Pay the rent @home")
      try expect("tag 1 home", "1 is tagged @home already: Pay the rent @home")
      try expect("untag 1 home flat", "Untagged 1 +flat @home: Pay the rent @home")
      try expect("untag 1 home", "1 isn't tagged home: Pay the rent")
      #expect(try sandbox.texts() == ["Pay the rent @garden"])
      // A command that changes nothing writes no entry.
      #expect(try sandbox.todo("log").output.split(separator: "\n").count == 9)
    }

    @Test("move gives an item another place in the list's own order, which a filter keeps and undo reverts") func move() throws {
      try sandbox.todo("import", "-", input: Array("One\nTwo\nx Three due:2026-01-01\nFour".utf8))
      try expect("move 4 --before 1", "Moved 4 to 1: Four")
      #expect(try sandbox.texts() == ["Four", "One", "Two", "Three"])
      // The last line of the file had no line break.
      #expect(try sandbox.todo("export").output == "Four\nOne\nTwo\nx Three due:2026-01-01\n")
      try expect("move 4 --before 1", "Moved 4 to 1: Three")
      try expect("undo", "Undid 4: moved ‘Three’ to number 1")
      try expect("move 1 --after 2", "Moved 1 to 2: Four")
      try expect("move 1 --last", "Moved 1 to 4: One")
      try expect("move 4 --last", "4 is there already: One")
      try expect("move 2 --before 3", "2 is there already: Two")
      try expect("move 2 --after 2", "2 is there already: Two")
      try expect("move 4 --first", "Moved 4 to 1: One")
      #expect(try sandbox.texts() == ["One", "Four", "Two", "Three"])
      let open = try sandbox.todo("list", "--open").output.split(separator: "\n").compactMap { $0.split(separator: " ").last }
      #expect(open == ["One", "Four", "Two"])
    }

    @Test("due none takes every day out of the text, so that an export and an import bring none back") func dueNone() throws {
      try sandbox.todo("import", "-", input: Array("Pay due:2026-01-01 rent due:2026-02-02\n".utf8))
      try sandbox.todo("due", "1", "none")
      let exported = try sandbox.todo("export").bytes
      #expect(String(decoding: exported, as: UTF8.self) == "Pay rent\n")
      try sandbox.todo("undo")
      #expect(String(decoding: try sandbox.todo("export").bytes, as: UTF8.self) == "Pay due:2026-01-01 rent due:2026-02-02\n")
    }

    @Test("take days as people write them, seen from the local day") func relativeDays() throws {
      func today() -> String { String(Date().ISO8601Format().prefix(10)) }
      let before = today()
      try sandbox.todo("add", "One", "--due", "today")
      let due = try sandbox.todo("export").output.split(separator: ":").last.map { String($0.dropLast()) }
      #expect([before, today()].contains(due))
      // The two zones are 26 hours apart, so that their days always differ.
      for (zone, text) in [("Etc/GMT+12", "West"), ("Etc/GMT-14", "East")] {
        try sandbox.todo("add", text, "--due", "tomorrow", environment: ["TZ": zone])
      }
      let days = try sandbox.todo("list").output.split(separator: "\n").suffix(2).map { $0.split(separator: " ")[4] }
      #expect(days[0] < days[1])
    }

    @Test("clear-completed takes all that is done out, as one change") func clearCompleted() throws {
      #expect(try sandbox.todo("clear-completed").output == "Nothing is done, so nothing was removed.\n")
      #expect(!FileManager.default.fileExists(atPath: sandbox.store))
      try sandbox.todo("import", "-", input: Array("One\nx Two @t\nThree\nx Four\n".utf8))
      try expect("clear-completed", "Removed 2: Two @t\nRemoved 4: Four")
      #expect(try sandbox.texts() == ["One", "Three"])
      try expect("clear-completed", "Nothing is done, so nothing was removed.")
      try expect("undo", "Undid 3: removed ‘Two @t’, removed ‘Four’")
      #expect(try sandbox.texts() == ["One", "Two @t", "Three", "Four"])
    }

    @Test("note writes a note, notes shows them, and undo takes them back") func notes() throws {
      try expect("notes", "No notes.")
      try expect("note The plumber comes", "Noted 1: The plumber comes")
      try sandbox.todo("note", "two\nlines")
      let shown = try sandbox.todo("notes").output.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, with: "time")
      #expect(shown == "1  time  The plumber comes\n2  time  two␊lines\n")
      try sandbox.todo("undo")
      #expect(try sandbox.todo("notes", "--json").output.split(separator: "\n").count == 1)
    }
  }
}
