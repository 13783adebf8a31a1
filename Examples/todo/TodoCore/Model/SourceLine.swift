public import Alter

/// The original line of an imported item, with the details that its fields do not preserve.
///
/// With it, the export of an unmodified import gives the same bytes: unusual spacing, blank lines, line endings. An item has no source line
/// if ``TodoLine/rendered`` reproduces its line exactly.
@Wire public struct SourceLine: Sendable, Hashable {
  /// The line ending.
  public enum Ending: String, Sendable, Hashable, Codable {
    /// `\n`.
    case newline = "\n"
    /// `\r\n`.
    case carriageReturnNewline = "\r\n"
    /// No ending: the last line of a file that doesn't end in a newline.
    case none = ""
  }

  /// The blank lines above the line, with their endings. For the first item of a file this includes its byte order mark.
  public let before: String
  /// The original line, without its ending.
  public let line: String
  /// The ending of the line.
  public let ending: Ending

  /// A line with the given parts.
  public init(before: String = "", line: String, ending: Ending = .newline) {
    self.before = before
    self.line = line
    self.ending = ending
  }
}

extension SourceLine {
  /// The source line; nil if it contains nothing more than the fields.
  func ifNeeded(for fields: TodoLine) -> SourceLine? {
    before.isEmpty && ending == .newline && line.hasSameBytes(as: fields.rendered) ? nil : self
  }
}

extension SourceLine.Ending: StoredForm {}
