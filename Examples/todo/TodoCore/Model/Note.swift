public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A note of the list.
public struct Note: Identifiable, Hashable {  // @Wire
  /// The identity. No change alters it.
  public let id: UUID
  /// The text.
  public private(set) var text: String
  /// The time at which the note was written. If it was unknown, the stamp of the change that added the note sets it.
  public private(set) var written: Date?

  /// A note. Add it to a list with `state.alter(.add(.entry(note)))`.
  ///
  /// - Parameters:
  ///   - id: The identity.
  ///   - text: The text.
  ///   - written: The time at which the note was written, if that was before it is added to the list.
  public init(id: UUID, text: String, written: Date? = nil) {
    self.id = id
    self.text = text
    self.written = written
  }

  /// The note with its time of writing: the stamp's time, unless it is already known.
  func entering(at stamp: Stamp) -> Note {
    var note = self
    note.written = written ?? stamp.date
    return note
  }
}

extension Note: Alterable {
  /// The changes of a note.
  public enum Change: Sendable, Hashable {  // @Wire
    /// Sets the text.
    case text(String)
  }

  /// Makes the change. A note refuses none.
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .text(let text): self.text = text
    }
  }
}

// MARK: - Written by the macros
//
// To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests

// swift-format-ignore
nonisolated extension Note: Codable, AlterCore.StoredForm {
  /// Reads the properties by their names.
  public init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.id = try fields.value("id")
    self.text = try fields.value("text")
    self.written = try fields.value("written")
  }
  /// Writes the properties by their names; an optional that is nil is left out.
  public func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.id, "id")
    try fields.write(self.text, "text")
    try fields.write(self.written, "written")
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("id") { (model: Self) in model.id }
    form.part("text") { (model: Self) in model.text }
    form.part("written") { (model: Self) in model.written }
  }
  /// Reads the properties by their names, as they are stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.id = try reader.required("id", in: &object)
    self.text = try reader.required("text", in: &object)
    self.written = try reader.optional("written", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.id, "id")
    try writer.field(self.text, "text")
    try writer.field(self.written, "written")
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}

// swift-format-ignore
nonisolated extension Note.Change: Codable, AlterCore.StoredForm {
  /// Reads an object with one key, the name of the case.
  public init(from decoder: any Decoder) throws {
    let wire = try AlterJournal.WireCase(of: Self.self, changing: Note.self, from: decoder)
    switch wire.name {
    case "text": self = .text(try wire.value())
    default: throw wire.unknown
    }
  }
  /// Writes an object with one key, the name of the case.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let value): try AlterJournal.WireCase.encode("text", value, to: encoder)
    }
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.oneCase("text")
    form.part("") { (one: Self) in
      guard case .text(let part) = one else { Swift.fatalError() }
      return part
    }
  }
  /// Reads an object with one key, the name of the case, as it is stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    try reader.beginCase()
    if reader.isCase("text") {
      self = .text(try reader.value())
    } else {
      throw AlterCore.StoredFormError()
    }
    try reader.endCase()
  }
  /// Writes an object with one key, the name of the case, as it is stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    switch self {
    case .text(let part0):
      try writer.beginCase("text")
      try writer.value(part0)
    }
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}
