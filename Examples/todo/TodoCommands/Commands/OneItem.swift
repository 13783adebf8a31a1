import Alter
import ArgumentParser
import TodoCore

/// The name of a command's item.
struct OneItem: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Its number in the list, or the beginning of its id.", valueName: "item"))
  var name: String
}
