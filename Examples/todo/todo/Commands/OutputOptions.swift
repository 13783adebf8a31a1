import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// How a command prints what it found or did.
  struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object a line.")
    var json = false
  }
#endif
