import Foundation
import ProcessTesting

/// The commands of an executable with all they take, as the executable itself tells (`--experimental-dump-help`).
struct CommandTable {
  /// What a command takes.
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

    /// What the suite calls it: `--limit`, or `<revision>` for what stands by itself.
    var label: String { names?.first.map { "--\($0.name)" } ?? "<\(valueName ?? "")>" }
    var isHelp: Bool { names?.contains { $0.name == "help" } ?? false }
  }

  /// A command that does something.
  struct Command: Sendable, CustomStringConvertible {
    /// What the command line begins with, the executable first.
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

  /// Asks an executable that was built with the tests.
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
