import ArgumentParser
import TodoCore
import _AlterTerminal

/// Parsers of words on the command line, for options and arguments alike.
enum Words {
  /// A day, as users type it.
  static func day(_ text: String) throws -> Day {
    guard let today = Clock.today() else { throw ValidationError("this computer's clock shows no day of the calendar") }
    do throws(RelativeDay.Problem) { return try RelativeDay.day(text, today: today) } catch { throw ValidationError(error.description) }
  }

  /// A priority.
  static func priority(_ text: String) throws -> Priority {
    guard let priority = Priority(text.uppercased()) else {
      throw ValidationError("‘\(text.printable)’ is not a priority; a priority is a letter from A to Z")
    }
    return priority
  }

  /// A tag, with its sign.
  static func tag(_ text: String) throws -> String {
    guard let name = Tag.name(of: text) else { throw ValidationError("‘\(text.printable)’ is not a tag; a tag is a single word") }
    return name
  }

  /// A tag to search for, with or without its sign. Without it, both signs match.
  static func tagToFind(_ text: String) throws -> String {
    _ = try tag(text)
    return text
  }

  /// The same parser, except that `none` means nil.
  static func orNone<Value>(_ text: String, _ parse: (String) throws -> Value) throws -> Value? {
    text.lowercased() == "none" ? nil : try parse(text)
  }
}
