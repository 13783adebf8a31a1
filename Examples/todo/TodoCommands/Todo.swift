import Alter
import ArgumentParser
import Dispatch

/// The program `todo`, for the executables that consist of it.
package enum TodoProgram {
  /// Runs the command line of this process, and exits with its status.
  ///
  /// - Parameters:
  ///   - web: The commands that need a web server. Without them, the process continues as `todo-web` for such a command.
  ///   - engine: Talks to servers. Without one, the process continues as `todo-sync` when a list is synced.
  package static func run(web: WebCommands? = nil, syncing engine: (any SyncEngine)? = nil) -> Never {
    WebCommands.linked = web
    SyncSupport.engine = engine
    // Before the first task: the runtime of tasks opens files of its own, and ends the process if it can't.
    Task {
      await Todo.main()
      exit(0)
    }
    dispatchMain()
  }
}

/// The command line: parses the arguments, runs the command, and exits with its status.
struct Todo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo", abstract: "A to-do list that keeps every change.",
    discussion: """
      Every change is kept, with its time, in one file; any of them can be undone, in any terminal, at any time. An item is named by its \
      number in the list, or by the beginning of its id, of at least 4 characters.

      Examples:
        todo add "Pay rent" --due fri --tag home
        todo list --open --sort due
        todo done 1
        todo undo
        todo watch
        todo serve

      Completions for your shell: todo --generate-completion-script bash (or zsh, fish).
      """,
    version: AlterVersion.current,
    subcommands: commands + [WebCommands.linked?.inspect ?? Inspect.self],
    defaultSubcommand: List.self)

  /// The commands without subcommands. Each has an explicit name: the parser would derive a missing one by reflection, which took a third
  /// of the time of `todo add`.
  static let commands: [any AsyncParsableCommand.Type] = [
    Add.self, List.self, Search.self, Watch.self, WebCommands.linked?.serve ?? ServeElsewhere.self, Done.self, Reopen.self, Rename.self,
    Due.self, Prioritize.self, TagItem.self,
    UntagItem.self, MoveItem.self, Remove.self, ClearCompleted.self, WriteNote.self, Notes.self, Undo.self, Redo.self, Log.self, Show.self,
    Import.self, Export.self, SaveToCloud.self, Sync.self, Refused.self,
  ]

  static func main() async {
    // Without the signals, a closed output and a file that has reached its limit are ordinary errors of the call that writes.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var arguments = CommandLine.arguments
    if !arguments.isEmpty { arguments.removeFirst() }
    do {
      try OtherProgram.continueIfNeeded(arguments)
      if var command = await namedCommand(arguments) { return try await command.run() }
      var command = try await asyncParseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch  where ListMove.isCause(of: error) {
      // The command has changed nothing: it begins again, with the file in which the list is now.
      if ListMove.canBeginAgain { end(with: OtherProgram.sync.replaceThisProcess(arguments)) }
      end(with: ListMove.error)
    } catch {
      end(with: error)
    }
  }

  /// Parses the arguments by the command that the first of them names, without an examination of all other commands.
  ///
  /// - Returns: nil if there is no such command, or if its arguments are wrong or ask for help. The parser of the whole command line then
  ///   has the message, which names the command's place among the others.
  static func namedCommand(_ arguments: [String]) async -> (any AsyncParsableCommand)? {
    if arguments.isEmpty || arguments == ["list"] { return List.plain() }
    if arguments.first == "add", let add = Add.plain(arguments.dropFirst()) { return add }
    guard let name = arguments.first, let command = commands.first(where: { $0.configuration.commandName == name }) else { return nil }
    guard let parsed = try? await command.asyncParseAsRoot(Array(arguments.dropFirst())), type(of: parsed) == command else { return nil }
    return parsed as? any AsyncParsableCommand
  }

  fileprivate static func end(with error: any Error) -> Never {
    // A command of the library has already reported the error.
    if error is ExitCode { exit(withError: error) }
    switch exitCode(for: error) {
    case .success:
      // The user requested help.
      exit(withError: error)
    case .validationFailure:
      Console.complain("\(message(for: error))\nSee 'todo --help'.")
      endProcess(.usage)
    default:
      let error = CommandError(error)
      Console.complain(error.message)
      endProcess(error.status)
    }
  }
}
