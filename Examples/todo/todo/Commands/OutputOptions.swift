import Alter
import ArgumentParser
import TodoCore

/// How a command prints what it found or did.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print JSON: one object a line.")
  var json = false
}
