public import Alter
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The actions of the screen of the notes.
public struct NoteActions: Sendable {
  /// Adds a note.
  public let add: UserAction<NoteText>
  /// Sets the text of a note.
  public let rewrite: UserAction<(id: UUID, text: NoteText)>

  /// The actions on a list.
  ///
  /// - Parameters:
  ///   - send: Makes the changes, all or none.
  ///   - newID: Returns the identity of a new note.
  public init(through send: UserAction<[AppState.Change]>, newID: @escaping @Sendable () -> UUID = { UUID() }) {
    // The stamp of the change is the time of writing.
    add = send.provide { [.add(.entry(Note(id: newID(), text: $0.text)))] }
    rewrite = send.provide { [.entry($0.id, .text($0.text.text))] }
  }
}

/// The text of a note as a user types it, parsed: the payload of the actions on notes.
public struct NoteText: Hashable, Sendable {
  /// The reason why a text can't become a note.
  public enum Problem: Error, Hashable, CustomStringConvertible {
    /// The text is empty.
    case empty

    /// The next step.
    public var description: String { "Type a text." }
  }

  /// The text, without white space at its ends.
  public let text: String

  /// Parses a text, which may have several lines.
  ///
  /// - Parameter typed: The text.
  /// - Throws: ``Problem``.
  /// - Complexity: O(length).
  public init(_ typed: String) throws(Problem) {
    text = typed.trimmingSpaces
    guard !text.isEmpty else { throw .empty }
  }
}
