import Alter
import ArgumentParser
import TodoCore

/// The names of a command's items.
struct ItemNames: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Each by its number in the list, or the beginning of its id.", valueName: "item"))
  var names: [String]
}
