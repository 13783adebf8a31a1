import Alter
import ArgumentParser
import TodoCore

/// The items that a command is about.
struct ItemNames: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Each by its number in the list, or the beginning of its id.", valueName: "item"), completion: Completions.items)
  var names: [String]
}
