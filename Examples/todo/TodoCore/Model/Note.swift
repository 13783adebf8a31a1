public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A note of the list.
@Wire public struct Note: Identifiable, Hashable {
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
  @Wire public enum Change: Sendable, Hashable {
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
