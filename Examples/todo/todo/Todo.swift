import Alter
import ArgumentParser

/// The command line: parses the arguments, runs the command, and exits with its status.
@main struct Todo: AsyncParsableCommand {
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
    subcommands: [
      Add.self, List.self, Search.self, Watch.self, Serve.self, Done.self, Reopen.self, Rename.self, Due.self, Prioritize.self,
      TagItem.self, UntagItem.self, MoveItem.self, Remove.self, ClearCompleted.self, WriteNote.self, Notes.self, Undo.self, Redo.self,
      Log.self, Show.self,
      Import.self, Export.self, SaveToCloud.self, Inspect.self,
    ],
    defaultSubcommand: List.self)

  static func main() async {
    // Without the signal, a closed output is an ordinary error of the call that writes.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try await asyncParseAsRoot()
      if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
    } catch {
      end(with: error)
    }
  }

  private static func end(with error: any Error) -> Never {
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
