import Foundation
import ProcessTesting
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Its output") struct OutputTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// The objects in a command's JSON lines.
    private func objects(_ arguments: String...) throws -> [[String: Any]] {
      let outcome = try sandbox.run([sandbox.executable] + arguments + ["--json"])
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
      return try outcome.output.split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }

    @Test("with --json is one object a line, from every command that prints") func json() throws {
      let item = Set(["number", "id", "text", "completed", "priority", "due", "created", "finished", "altered", "tags", "overdue"])
      let action = Set(["action", "changed", "item", "revision"])
      let commands: [(arguments: [String], action: String)] = [
        (["add", "Pay rent", "--due", "2026-12-01"], "add"), (["add", "y"], "add"), (["move", "2", "--before", "1"], "move"),
        (["remove", "1"], "remove"), (["rename", "1", "Pay the rent"], "rename"), (["due", "1", "fri"], "due"),
        (["priority", "1", "A"], "priority"), (["tag", "1", "home"], "tag"), (["untag", "1", "home"], "untag"), (["done", "1"], "done"),
        (["reopen", "1"], "reopen"), (["done", "1"], "done"), (["clear-completed"], "clear-completed"), (["add", "x"], "add"),
        (["remove", "1"], "remove"),
      ]
      for (place, command) in commands.enumerated() {
        let outcome = try sandbox.run([sandbox.executable] + command.arguments + ["--json"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome)")
        #expect(Set(object.keys) == action && object["action"] as? String == command.action, "\(outcome)")
        #expect(object["changed"] as? Bool == true && object["revision"] as? Int == place + 2, "\(outcome)")
        #expect(try Set(#require(object["item"] as? [String: Any]).keys) == item, "\(outcome)")
      }
      let undo = try objects("undo")
      #expect(undo.count == 1 && undo[0]["action"] as? String == "undo" && undo[0]["of"] as? Int == commands.count + 1)
      #expect(try objects("redo")[0]["action"] as? String == "redo")
      try sandbox.todo("undo")
      #expect(try objects("list").map { Set($0.keys) } == [item])
      #expect(try objects("search", "x").map { Set($0.keys) } == [item])
      #expect(try objects("show", "--at", "2")[0]["text"] as? String == "Pay rent")
      #expect(try objects("note", "n")[0]["text"] as? String == "n")
      #expect(try objects("notes").map { Set($0.keys) } == [["number", "id", "text", "written"]])
      let log = try objects("log")
      #expect(log.map { $0["revision"] as? Int } == Array(1...log.count))
      #expect(log.allSatisfy { Set($0.keys) == ["revision", "time", "kind", "what", "undone", "changes", "metadata"] })
      let file = try sandbox.write(Array("One\nTwo\n".utf8), to: "in.txt")
      let imported = try objects("import", file)[0]
      #expect(Set(imported.keys) == ["action", "items", "leftOut", "present", "revision"] && imported["items"] as? Int == 2)
      #expect(try Set(objects("export")[0].keys) == ["items", "entries", "tags", "trailer"])
      #expect(try objects("done", "1", "1").count == 1)
      #expect(try objects("done", "1")[0]["changed"] as? Bool == false)
    }

    @Test("has colours on a terminal only, and not with NO_COLOR or a terminal that has none") func colours() throws {
      try sandbox.todo("add", "Pay rent", "--due", "2020-01-01")
      func shown(_ environment: [String: String]) throws -> String {
        let (terminal, other) = try PseudoTerminal.open()
        defer { for end in [terminal, other] { close(end) } }
        try sandbox.todo("list", environment: environment, output: other)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(terminal, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      }
      #expect(try shown(["TERM": "xterm"]).contains("\u{1B}[31m2020-01-01\u{1B}[0m"))
      for plain in [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb"]] {
        let text = try shown(plain)
        #expect(text.contains("2020-01-01") && !text.contains("\u{1B}"), "\(plain)")
      }
      #expect(try !sandbox.todo("list", environment: ["TERM": "xterm"]).output.contains("\u{1B}"))
    }

    @Test("of --help has examples for every command") func help() throws {
      let help = try sandbox.todo("--help")
      #expect(help.status == 0 && help.output.contains("Examples:\n  todo add "))
      let commands = [
        "add", "list", "search", "watch", "serve", "done", "reopen", "rename", "due", "priority", "tag", "untag", "move", "remove",
        "clear-completed",
        "note",
        "notes", "undo", "redo", "log", "show", "import", "export", "cloud", "sync", "refused",
      ]
      let listed = try #require(help.output.split(separator: "SUBCOMMANDS:").last).split(separator: "\n")
        .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  See") }.compactMap {
          $0.split(separator: " ").first.map(String.init)
        }
      // The inspector is part of the library and has its own help.
      #expect(listed == commands + ["inspect"])
      for command in commands {
        let outcome = try sandbox.todo(command, "--help")
        #expect(outcome.status == 0 && outcome.output.contains("Examples:\n  "), "\(command)")
        #expect(outcome.output.contains("todo \(command)"), "\(command)")
      }
      #expect(!FileManager.default.fileExists(atPath: sandbox.store))
    }
  }
}
