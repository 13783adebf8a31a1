public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A note of the list.
public struct Note: Identifiable, Hashable, Codable {
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
    note.written = written ?? (stamp.isNone ? nil : stamp.date)
    return note
  }
}

extension Note: Alterable {
  /// The changes of a note.
  public enum Change: Sendable, Hashable {
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

extension Note: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    var object = try reader.beginObject()
    id = try reader.required("id", in: &object)
    text = try reader.required("text", in: &object)
    written = try reader.optional("written", in: &object)
    try reader.endObject(&object)
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    try writer.beginObject()
    try writer.field(id, "id")
    try writer.field(text, "text")
    try writer.field(written, "written")
    writer.endObject()
  }
}
