import Alter
import ArgumentParser
import TodoCore

/// The item that a command is about.
struct OneItem: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Its number in the list, or the beginning of its id.", valueName: "item"), completion: Completions.items)
  var name: String
}
