public import Alter

/// The original line of an imported item, with the details that its fields do not preserve.
///
/// With it, the export of an unmodified import gives the same bytes: unusual spacing, blank lines, line endings. An item has no source line
/// if ``TodoLine/rendered`` reproduces its line exactly.
public struct SourceLine: Sendable, Hashable {  // @Wire
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

// MARK: - Written by the macros
//
// To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests

// swift-format-ignore
nonisolated extension SourceLine: Codable, AlterCore.StoredForm {
  /// Reads the properties by their names.
  public init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.before = try fields.value("before")
    self.line = try fields.value("line")
    self.ending = try fields.value("ending")
  }
  /// Writes the properties by their names; an optional that is nil is left out.
  public func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.before, "before")
    try fields.write(self.line, "line")
    try fields.write(self.ending, "ending")
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("before") { (model: Self) in model.before }
    form.part("ending") { (model: Self) in model.ending }
    form.part("line") { (model: Self) in model.line }
  }
  /// Reads the properties by their names, as they are stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.before = try reader.required("before", in: &object)
    self.ending = try reader.required("ending", in: &object)
    self.line = try reader.required("line", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.before, "before")
    try writer.field(self.ending, "ending")
    try writer.field(self.line, "line")
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}
