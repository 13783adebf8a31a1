import Foundation
import ProcessTesting

/// The commands of an executable with all their arguments, from its own description (`--experimental-dump-help`).
struct CommandTable {
  /// An argument or an option of a command.
  struct Argument: Decodable, Sendable {
    struct Name: Decodable, Sendable {
      let kind: String
      let name: String
    }
    enum Kind: String, Decodable, Sendable { case positional, option, flag }

    let kind: Kind
    let names: [Name]?
    let valueName: String?
    let isOptional: Bool
    let isRepeating: Bool

    /// The name in this suite: `--limit`, or `<revision>` for a positional argument.
    var label: String { names?.first.map { "--\($0.name)" } ?? "<\(valueName ?? "")>" }
    var isHelp: Bool { names?.contains { $0.name == "help" } ?? false }
  }

  /// A command without subcommands.
  struct Command: Sendable, CustomStringConvertible {
    /// The first words of the command line, beginning with the executable.
    let path: [String]
    let arguments: [Argument]
    var description: String { path.joined(separator: " ") }
  }

  private struct Node: Decodable {
    let commandName: String
    let subcommands: [Node]?
    let arguments: [Argument]?
  }

  private struct Root: Decodable { let command: Node }

  let commands: [Command]

  /// Reads the commands of an executable that was built with the tests.
  init(of name: String) throws {
    let outcome = try ChildProcess.run([Product.path(name), "--experimental-dump-help"])
    let root = try JSONDecoder().decode(Root.self, from: Data(outcome.bytes))
    commands = Self.commands(root.command, [])
  }

  private static func commands(_ node: Node, _ above: [String]) -> [Command] {
    let path = above + [node.commandName]
    let own = (node.arguments ?? []).filter { !$0.isHelp }
    let inner = (node.subcommands ?? []).flatMap { commands($0, path) }
    return (node.subcommands ?? []).isEmpty && node.commandName != "help" ? [Command(path: path, arguments: own)] : inner
  }
}
