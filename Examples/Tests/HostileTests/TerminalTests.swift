import Foundation
import ProcessTesting
import Testing
import _AlterTerminal

/// A terminal must show the content of a file, and never interpret it.
@Suite("On a terminal, nothing that a file holds is obeyed", .timeLimit(.minutes(20)))
struct TerminalTests {
  private static let commands: [[String]] = [
    ["alter", "log", "JOURNAL"], ["alter", "log", "JOURNAL", "--json"], ["alter", "log", "JOURNAL", "--all", "--text", "a"],
    ["alter", "show", "JOURNAL", "1"],
    ["alter", "show", "JOURNAL", "2", "--depth", "5"], ["alter", "show", "JOURNAL", "2", "--json"],
    ["alter", "diff", "JOURNAL", "1", "6"],
    ["alter", "diff", "JOURNAL", "1", "6", "--json"], ["alter", "stats", "JOURNAL"], ["alter", "stats", "JOURNAL", "--json"],
    ["alter", "verify", "JOURNAL"],
    ["alter", "export", "JOURNAL"], ["alter", "log", "\(HostileKind.needle)/none"],
    ["alter", "export", "JOURNAL", "none/\(HostileKind.needle)"],
    ["alter", "show", "JOURNAL", "--path", "/\(HostileKind.needle)"], ["alter", HostileKind.needle],
    ["todo"], ["todo", "list", "--json"], ["todo", "search", "a"], ["todo", "log"], ["todo", "log", "--json"], ["todo", "notes"],
    ["todo", "notes", "--json"],
    ["todo", "show", "--at", "3"], ["todo", "export"], ["todo", "export", "--json"], ["todo", "undo"], ["todo", "redo", "--json"],
    ["todo", "done", "1"],
    ["todo", "done", HostileKind.needle], ["todo", "import", "none/\(HostileKind.needle)"],
    ["todo", "export", "none/\(HostileKind.needle)"],
    ["todo", "list", "--store", "none/\(HostileKind.needle)"], ["todo", HostileKind.needle],
    ["todo", "add", "x", "--due", HostileKind.needle],
    ["todo", "inspect", "log"], ["todo", "inspect", "show", "2", "--depth", "5"], ["todo", "inspect", "diff", "1", "4"],
    ["todo", "inspect", "export"],
    ["todo", "inspect", "log", "--json"], ["todo", "inspect", "bisect", "all-done", "--scan"],
  ]

  @Test("by any command, with colours and without", arguments: [["TERM": "xterm"], ["TERM": "xterm", "NO_COLOR": "1"]])
  func each(_ environment: [String: String]) async throws {
    let folder = try await HostileFolder()
    for command in Self.commands {
      let words = command.map { $0.replacingOccurrences(of: "JOURNAL", with: folder.journal) }
      let (status, shown) = try await PseudoTerminal.run(
        [Product.path(words[0])] + words.dropFirst(), environment: folder.environment(environment))
      #expect(status < 128, "\(command)")
      // The terminal emits its own line endings. The escape sequences for styles come from the program.
      var text = shown.replacingOccurrences(of: "\r\n", with: "\n")
      if environment["NO_COLOR"] == nil {
        text = text.replacing(/\u{1B}\[(?:0|1|2|7|9;2|31|32|33|36)m/, with: "")
      }
      expectPrintable(text, "\(command)")
    }
  }

  @Test("but an export into a pipe or a file is byte for byte what it was")
  func exports() async throws {
    let folder = try await HostileFolder()
    for command in [["todo", "export"], ["todo", "export", "--json"]] {
      let piped = try await folder.run(command)
      #expect(try await folder.run(command + [folder.path + "/out"]).status == 0)
      #expect(try piped.bytes == Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/out"))))
      #expect(piped.output.contains("\u{202E}"))
    }
    let piped = try await folder.run(["alter", "export", folder.journal])
    #expect(try await folder.run(["alter", "export", folder.journal, folder.path + "/out.jsonl"]).status == 0)
    #expect(try piped.bytes == Array(Data(contentsOf: URL(fileURLWithPath: folder.path + "/out.jsonl"))))
  }
}
