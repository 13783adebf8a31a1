public import Alter
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The screen of the history: the newest entries of the journal in words, and the entries that an undo or a redo concerns.
public struct HistoryScreen: Hashable, Sendable {
  /// An entry of the journal.
  public struct Entry: Identifiable, Hashable, Sendable {
    /// The revision that the entry made.
    public let id: Revision
    /// The time at which the change was made.
    public let time: Date
    /// The change in words, as in 'completed ‘Pay rent’'.
    public let text: String
    /// Whether the change is undone at present.
    public let isUndone: Bool
  }

  /// The entries, newest first.
  public let entries: [Entry]
  /// The title of the undo button, as in 'Undo: completed ‘Pay rent’'; nil if there is nothing to undo.
  public let undo: String?
  /// The title of the redo button; nil if there is nothing to redo.
  public let redo: String?

  /// Reads the screen from a store's history.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - limit: The maximum number of entries, at least 1.
  /// - Throws: `JournalError` if the journal can't be read.
  /// - Complexity: O(entries read + the nearest snapshot before them).
  public init(of store: Store<AppState>, limit: Int64 = 200) async throws(JournalError) {
    let newest = store.revision
    let first = Revision(max(1, newest.number - limit + 1))
    let records = try await store.entries(in: first...newest)
    var narrator = Narrator()
    // Changes name items by their ids: the state before the entries has the texts.
    if first > 1 { narrator.learn(try await store.state(at: Revision(first.number - 1))) }
    let undone = Record.takenBack(in: records)
    let told = records.map { record in
      // An undo that was itself undone is followed by a redo, which says so.
      Entry(
        id: record.revision, time: Date(microseconds: record.time), text: narrator.tell(record),
        isUndone: record.targets.isEmpty && undone.contains(record.id))
    }
    func title(_ verb: String, _ preview: UndoPreview<AppState>?) -> String? {
      guard let record = preview?.records.first else { return nil }
      return told.first { $0.id == record.revision }.map { "\(verb): \($0.text)" } ?? verb
    }
    entries = told.reversed()
    undo = title("Undo", try? store.previewUndo())
    redo = title("Redo", try? store.previewRedo())
  }
}
