import Foundation
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Its import of an app's old JSON") struct OldStateImportTests {
    let sandbox: Sandbox
    private let json =
      #"{"items":[{"id":"00000000-0000-4000-8000-000000000001","text":"Pay rent","due":"2026-12-01"},{"text":"Two","completed":true}]}"#

    init() throws { sandbox = try Sandbox() }

    @Test("begins a list that has not begun, and the log says for ever where it came from") func begins() throws {
      #expect(try sandbox.todo("import", sandbox.write(json.utf8, to: "state.json")).output == "Imported 2 items.\n")
      #expect(try sandbox.todo("log").output.hasSuffix("  began with 2 items\n"))
      #expect(try sandbox.todo("log", "--json").output.contains(#""metadata":{"imported":"state.json"}"#))
      #expect(try sandbox.todo("export").output == "Pay rent due:2026-12-01\nx Two\n")
    }

    @Test("is appended to a list that has begun, less what is there, as one change that can be undone") func appended() throws {
      try sandbox.todo("add", "First")
      let file = try sandbox.write(json.utf8, to: "state.json")
      #expect(try sandbox.todo("import", file).output == "Imported 2 items.\n")
      // The second time, by its beginning instead of its name.
      #expect(try sandbox.todo("import", "-", input: Array(" \n\(json)".utf8)).output == "Imported 1 item. 1 item was there already.\n")
      try sandbox.todo("undo")
      try sandbox.todo("undo")
      #expect(try sandbox.texts() == ["First"])
    }

    @Test("that is malformed is 65, with its place, and imports nothing") func malformed() throws {
      let id = UUID()
      let cases = [
        ("{\"items\":[{\"text\":\"a\",}]}", "invalid JSON: "), (#"{"items":[{}]}"#, "items[0].text is missing"),
        (#"{"items":[{"text":"a"},{"text":"b","due":"soon"}]}"#, "items[1].due: a day is written as 2026-12-01"),
        (#"{"items":{}}"#, "items: "), ("", "invalid JSON: "),
        (#"{"items":[{"text":"a"},{"text":"b\nc"}]}"#, "items[1]: The text of an item is a single line"),
        (#"{"items":[{"text":"a","finished":"2026-12-01"}]}"#, "items[0]: "),
        (#"{"items":[{"text":"a","tags":["a"]}]}"#, "items[0]: ‘a’ is not a tag"),
        (#"{"items":[],"tags":[{"id":"a","items":[]}]}"#, "tags[0]: ‘a’ is not a tag"),
        (#"{"items":[{"id":"\#(id)","text":"a"},{"id":"\#(id)","text":"b"}]}"#, "items[1].id: an item before it has the same id"),
        (
          #"{"items":[],"entries":[{"id":"\#(id)","text":"a"},{"id":"\#(id)","text":"b"}]}"#,
          "entries[1].id: a note before it has the same id"
        ),
      ]
      for (text, message) in cases {
        let outcome = try sandbox.todo("import", sandbox.write(text.utf8, to: "bad.json"))
        #expect(outcome.status == 65 && outcome.output == "", "\(outcome)")
        #expect(outcome.errors.contains("bad.json: \(message)") && outcome.errors.hasSuffix("; nothing was imported\n"), "\(outcome)")
        #expect(!outcome.errors.contains(".;"), "\(outcome)")
      }
      // A line of todo.txt may begin with a brace.
      #expect(try sandbox.todo("import", "-", input: Array("{braces} are text\n".utf8)).output == "Imported 1 item.\n")
      #expect(try sandbox.texts() == ["{braces} are text"])
    }

    @Test("reads what export --json has written") func roundTrip() throws {
      try sandbox.todo("add", "(A) Pay rent @home due:2026-12-01", "--tag", "+flat")
      try sandbox.todo("note", "n")
      let file = sandbox.folder + "/out.json"
      #expect(try sandbox.todo("export", "--json", file).status == 0)
      try sandbox.todo("import", file, "--store", sandbox.folder + "/other")
      #expect(try sandbox.bytes(of: "out.json") == sandbox.todo("export", "--json", "--store", sandbox.folder + "/other").bytes)
    }
  }
}
