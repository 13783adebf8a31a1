import Foundation
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Its commands") struct CommandTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Replaces the ids of items, which differ from run to run.
    private func withoutIDs(_ text: String) -> String {
      text.replacing(/\([0-9a-f-]{8,}\)/, with: "(id)").replacing(/\ \ [0-9a-f-]{4,}\ +\[/, with: "  id  [")
    }

    @Test("add, list, done, reopen, remove: each says what it did") func work() throws {
      let added = try sandbox.todo("add", "Pay", "rent", "--due", "2026-12-01", "--tag", "home", "--tag", "+flat", "--priority", "a")
      #expect(added.status == 0)
      #expect(withoutIDs(added.output) == "Added 1 (id): Pay rent\n")
      #expect(added.errors == "")
      #expect(withoutIDs(try sandbox.todo("add", "(B) Buy milk +shop due:2026-11-30").output) == "Added 2 (id): Buy milk +shop\n")
      #expect(try sandbox.todo("done", "1").output == "Done 1: Pay rent\n")
      #expect(try sandbox.todo("done", "1").output == "1 is done already: Pay rent\n")
      let listed = try sandbox.todo("list")
      #expect(
        withoutIDs(listed.output) == """
          1  id  [x]  (A)  2026-12-01  Pay rent @home +flat
          2  id  [ ]  (B)  2026-11-30  Buy milk +shop

          """)
      #expect(try sandbox.todo().output == listed.output)
      #expect(try sandbox.todo("reopen", "1").output == "Reopened 1: Pay rent\n")
      #expect(try sandbox.todo("reopen", "1").output == "1 is open already: Pay rent\n")
      #expect(try sandbox.todo("remove", "1", "2", "1").output == "Removed 1: Pay rent\nRemoved 2: Buy milk +shop\n")
      #expect(try sandbox.todo("list").output == "Nothing to do.\n")
    }

    @Test("name an item by the beginning of its id, as the list shows it") func names() throws {
      for text in ["One", "Two", "Three"] { try sandbox.todo("add", text) }
      let rows = try sandbox.todo("list").output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(try sandbox.todo("done", rows[1][1].uppercased()).output == "Done 2: Two\n")
      #expect(try sandbox.todo("remove", rows[0][1], "3").output == "Removed 1: One\nRemoved 3: Three\n")
      #expect(try sandbox.texts() == ["Two"])
    }

    @Test("undo and redo say what they took back and brought back, in any process") func undo() throws {
      try sandbox.todo("add", "Pay rent", "--tag", "home")
      try sandbox.todo("remove", "1")
      #expect(try sandbox.todo("undo").output == "Undid 3: removed ‘Pay rent’\n")
      #expect(try sandbox.todo("undo").output == "Undid 2: added ‘Pay rent’, tagged @home\n")
      let nothing = try sandbox.todo("undo")
      #expect(nothing.status == 1)
      #expect(nothing.errors == "todo: There is nothing to undo.\n")
      #expect(try sandbox.todo("redo").output == "Redid 2: added ‘Pay rent’, tagged @home\n")
      #expect(try sandbox.todo("list").output.contains("Pay rent @home"))
      #expect(try sandbox.todo("redo").output == "Redid 3: removed ‘Pay rent’\n")
      let none = try sandbox.todo("redo")
      #expect(none.status == 1)
      #expect(none.errors == "todo: There is nothing to redo.\n")
    }

    @Test("log tells every change in words, and which are undone") func log() throws {
      try sandbox.todo("add", "Pay rent")
      try sandbox.todo("done", "1")
      try sandbox.todo("undo")
      try sandbox.todo("redo")
      try sandbox.todo("undo")
      let log = try sandbox.todo("log").output.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, with: "time")
      #expect(
        log == """
          1  time  began with an empty list
          2  time  added ‘Pay rent’
          3  time  completed ‘Pay rent’  (undone)
          4  time  undid 3: completed ‘Pay rent’
          5  time  redid 3: completed ‘Pay rent’
          6  time  undid 3: completed ‘Pay rent’

          """)
    }

    @Test("show tells how the list was at a revision") func show() throws {
      try sandbox.todo("add", "One")
      try sandbox.todo("add", "Two")
      try sandbox.todo("undo")
      #expect(try sandbox.todo("show", "--at", "1").output == "Nothing to do.\n")
      #expect(withoutIDs(try sandbox.todo("show", "--at", "2").output) == "1  id  [ ]  One\n")
      #expect(withoutIDs(try sandbox.todo("show", "--at", "3").output) == "1  id  [ ]  One\n2  id  [ ]  Two\n")
      #expect(withoutIDs(try sandbox.todo("show", "--at", "4").output) == "1  id  [ ]  One\n")
    }

    @Test("add - makes an item of each line, and says so line by line") func addLines() throws {
      let outcome = try sandbox.todo(
        "add", "-", "--tag", "t", input: Array("one\r\n\n  \ntwo due:2026-02-30\n\u{FF}".utf8) + [0xFF, 10] + Array("three".utf8))
      #expect(outcome.status == 65)
      #expect(withoutIDs(outcome.output) == "Added 1 (id): one\nAdded 2 (id): three\n")
      #expect(
        outcome.errors == """
          todo: standard input: line 4: there is no such day as in ‘due:2026-02-30’
          todo: standard input: line 5: not valid UTF-8
          todo: 2 lines were not added

          """)
      #expect(try sandbox.texts() == ["one @t", "three @t"])
    }

    @Test("nothing that an item's text holds reaches the terminal as a command") func printable() throws {
      try sandbox.todo("import", try sandbox.write("\u{1B}[2Jgone\u{7}\u{9B}\u{202E}\u{0}\n".utf8, to: "evil.txt"))
      #expect(withoutIDs(try sandbox.todo("list").output) == "1  id  [ ]  ␛[2Jgone␇\u{FFFD}\u{FFFD}␀\n")
    }

    @Test(
      "words without options are added as by the parser of the options", arguments: [["Buy", "milk"], ["(A) Call +flat due:2026-12-01"]])
    func words(_ words: [String]) throws {
      // With '--', the words are read by the parser.
      for arguments in [words, ["--"] + words] {
        let outcome = try sandbox.run([sandbox.executable, "add"] + arguments)
        #expect(outcome.status == 0 && outcome.output.hasPrefix("Added "), "\(arguments): \(outcome)")
      }
      let rows = try sandbox.todo("list", "--json").output.split(separator: "\n").map { line in
        let item = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        return ["text", "due", "priority", "tags"].map { "\(item[$0] ?? "")" }
      }
      #expect(rows.count == 2 && rows.first == rows.last)
    }
  }
}
