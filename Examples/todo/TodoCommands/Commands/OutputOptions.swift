import Alter
import ArgumentParser
import TodoCore

/// The options for the form of the output.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON: one object a line.")
  var json = false

  /// The options of a command line without any.
  static var standard: OutputOptions {
    var options = OutputOptions()
    options.json = false
    return options
  }
}
