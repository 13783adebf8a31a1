public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An entry of the list's journal of notes.
public struct Note: Identifiable, Hashable, Codable {
  /// Its identity, which no change alters.
  public let id: UUID
  /// What it says.
  public private(set) var text: String
  /// When it entered the list, by the stamp of that change.
  public private(set) var written: Date?

  /// A note, which becomes part of a list by `state.alter(.add(.entry(note)))`.
  ///
  /// - Parameters:
  ///   - id: Its identity.
  ///   - text: What it says.
  ///   - written: When it was written, if that was before it entered the list.
  public init(id: UUID, text: String, written: Date? = nil) {
    self.id = id
    self.text = text
    self.written = written
  }

  /// The note as it enters a list: written now, unless it was before.
  func entering(at stamp: Stamp) -> Note {
    var note = self
    note.written = written ?? stamp.date
    return note
  }
}

extension Note: Alterable {
  /// What can happen to a note.
  public enum Change: Sendable, Hashable {
    /// Another text.
    case text(String)
  }

  /// Makes the change. A note refuses none.
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .text(let text): self.text = text
    }
  }
}
