import Alter
import ArgumentParser
import TodoCore

/// The options for the form of the output.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON: one object a line.")
  var json = false
}
