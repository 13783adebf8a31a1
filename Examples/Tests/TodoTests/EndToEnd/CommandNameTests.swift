import Foundation
import Testing
import TodoCore

extension EndToEnd {
  @Suite("Command names") struct CommandNameTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test("each command of the help answers to its name") func names() throws {
      let help = try sandbox.todo("--help").output
      let lines = help.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
      // A name is indented by two spaces, the next lines of a text by more. The last line names 'todo help'.
      let names = lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
        .filter { $0 != "See" }
      #expect(names.count > 20)
      for name in names {
        let outcome = try sandbox.todo(name, "--help")
        #expect(outcome.status == 0 && outcome.output.contains("USAGE: todo \(name)"), "\(name): \(outcome)")
      }
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

    @Test("wrong arguments of a command have the message of the whole command line")
    func messages() throws {
      for arguments in [["add"], ["add", "--bogus"], ["done"], ["due", "1", "--wait", "x"]] {
        let outcome = try sandbox.run([sandbox.executable] + arguments)
        #expect(outcome.status == 64 && outcome.errors.hasSuffix("See 'todo --help'.\n"), "\(arguments): \(outcome)")
      }
      #expect(try sandbox.todo("add", "").errors.contains("there is nothing in it"))
    }
  }
}
