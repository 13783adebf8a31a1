import Foundation
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Its import of an app's old JSON") struct OldStateImportTests {
    let sandbox: Sandbox
    private let json =
      #"{"items":[{"id":"00000000-0000-4000-8000-000000000001","text":"Pay rent","completed":false},{"text":"Two","completed":true}]}"#

    init() throws { sandbox = try Sandbox() }

    @Test("begins a list that has not begun, and the log says for ever where it came from") func begins() throws {
      let file = try sandbox.write(json.utf8, to: "state.json")
      #expect(try sandbox.todo("import", file).output == "Imported 2 items.\n")
      #expect(try sandbox.todo("log").output.hasSuffix("  began with 2 items\n"))
      #expect(try sandbox.todo("log", "--json").output.contains(#""metadata":{"imported":"state.json"}"#))
      #expect(try sandbox.texts() == ["Pay rent", "Two"])
    }

    @Test("is appended to a list that has begun, less what is there, as one change that can be undone") func appended() throws {
      try sandbox.todo("add", "First")
      let file = try sandbox.write(json.utf8, to: "state.json")
      #expect(try sandbox.todo("import", file).output == "Imported 2 items.\n")
      #expect(try sandbox.todo("import", file).output == "Imported 1 item. 1 item was there already.\n")
      try sandbox.todo("undo")
      try sandbox.todo("undo")
      #expect(try sandbox.texts() == ["First"])
      #expect(try sandbox.todo("log", "--json").output.contains(#""metadata":{"imported":"state.json"}"#))
    }

    @Test("by many at once happens once for what has an id") func race() async throws {
      let file = try sandbox.write(#"{"items":[{"id":"00000000-0000-4000-8000-000000000001","text":"One"}]}"#.utf8, to: "state.json")
      let statuses = try await withThrowingTaskGroup(of: Int32.self) { [sandbox] group in
        for _ in 0..<8 { group.addTask { try sandbox.todo("import", file).status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == Array(repeating: 0, count: 8))
      #expect(try sandbox.texts() == ["One"])
      #expect(try sandbox.todo("log").output.split(separator: "\n").count == 1)
    }

    @Test("knows the file by its name or its beginning, and a line of todo.txt with a brace by what follows") func detection() throws {
      #expect(try sandbox.todo("import", "-", input: Array(" \n\(json)".utf8)).output == "Imported 2 items.\n")
      #expect(
        try sandbox.todo("import", "-", "--store", sandbox.folder + "/b", input: Array("{braces} are text\n".utf8)).output
          == "Imported 1 item.\n")
      #expect(try sandbox.todo("export", "--store", sandbox.folder + "/b").output == "{braces} are text\n")
      #expect(
        try sandbox.todo("import", "-", "--format", "todotxt", "--store", sandbox.folder + "/c", input: Array(json.utf8)).output
          == "Imported 1 item.\n")
    }

    @Test("that is malformed is 65, with its place, and imports nothing") func malformed() throws {
      let cases = [
        ("{\"items\":[\n{\"text\":\"a\",}]}", "line 2, column 13: a name in quotation marks is expected here"),
        (
          #"{"items":[{"text":"a"},{"text":"b","due":"soon"}]}"#,
          "items[1].due: ‘soon’ is not a date; write it as 2026-12-01, or 2026-12-01T09:30:00Z"
        ),
        ("", "line 1, column 1: it ends too early"),
      ]
      for (text, message) in cases {
        let file = try sandbox.write(text.utf8, to: "bad.json")
        let outcome = try sandbox.todo("import", file)
        #expect(outcome.status == 65 && outcome.output == "", "\(outcome)")
        #expect(outcome.errors == "todo: \(file): \(message); nothing was imported\n")
      }
      #expect(!FileManager.default.fileExists(atPath: sandbox.store))
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
