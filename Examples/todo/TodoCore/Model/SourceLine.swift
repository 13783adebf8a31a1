/// How an item was written in the todo.txt file that it came from, where that is more than its fields tell.
///
/// With it an import that is exported again gives the same bytes: odd spacing, blank lines, line endings. An item whose line is
/// written just as ``TodoLine/rendered`` would write it keeps none.
public struct SourceLine: Sendable, Hashable, Codable {
  /// How a line ends.
  public enum Ending: String, Sendable, Hashable, Codable {
    /// `\n`.
    case newline = "\n"
    /// `\r\n`.
    case carriageReturnNewline = "\r\n"
    /// Nothing: the last line of a file that doesn't end in a newline.
    case none = ""
  }

  /// The blank lines above it, with their endings; for a file's first item also its byte order mark.
  public let before: String
  /// The line as it stood there, without its ending.
  public let line: String
  /// How it ended.
  public let ending: Ending

  /// A line with the given parts.
  public init(before: String = "", line: String, ending: Ending = .newline) {
    self.before = before
    self.line = line
    self.ending = ending
  }
}

extension SourceLine {
  /// The source, or nil when it tells nothing that the fields don't.
  func ifNeeded(for fields: TodoLine) -> SourceLine? {
    before.isEmpty && ending == .newline && line.hasSameBytes(as: fields.rendered) ? nil : self
  }
}
