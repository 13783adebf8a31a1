import Alter
import ArgumentParser
import TodoCore

/// The discussion of a command's help.
package enum Help {
  /// The text and the examples.
  package static func text(_ about: String = "", examples: String...) -> String {
    (about.isEmpty ? "" : about + "\n\n") + "Examples:\n" + examples.map { "  \($0)" }.joined(separator: "\n")
  }
}
