public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The screen of the notes.
public struct NotesScreen: Hashable, Sendable {
  /// A note.
  public struct Row: Identifiable, Hashable, Sendable {
    /// The note's id.
    public let id: UUID
    /// The text.
    public let text: String
    /// The time at which the note was written; nil if it is unknown.
    public let written: Date?
  }

  /// The notes, oldest first.
  public let rows: [Row]
  /// The message that the screen shows if it has no rows; nil if it has some.
  public let hint: String?

  /// The screen of a state.
  ///
  /// - Parameter state: The list.
  /// - Complexity: O(notes).
  public init(_ state: AppState) {
    rows = state.entries.map { Row(id: $0.id, text: $0.text, written: $0.written) }
    hint = rows.isEmpty ? "Write your first note." : nil
  }
}
