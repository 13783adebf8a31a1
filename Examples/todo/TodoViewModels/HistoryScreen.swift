public import Alter
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The screen of the history: the newest entries of the journal in words, and the entries that an undo or a redo would concern.
public struct HistoryScreen: Hashable, Sendable {
  /// An entry of the journal.
  public struct Entry: Identifiable, Hashable, Sendable {
    /// The revision that the entry made. The list at this revision can be shown.
    public let id: Revision
    /// The time at which the change was made.
    public let time: Date
    /// The change in words, as in 'completed ‘Pay rent’'.
    public let text: String
    /// Whether the change is undone at present.
    public let isUndone: Bool
  }

  /// The undo or redo that the user has chosen would concern another entry than the one that was shown.
  public struct Outdated: Error, Hashable, CustomStringConvertible {
    /// The problem and the next step.
    public var description: String { "The list has changed meanwhile. Check the entry, and try again." }
  }

  /// The entries, newest first.
  public let entries: [Entry]
  /// The title of the undo button, as in 'Undo: completed ‘Pay rent’'; nil if there is nothing to undo.
  public let undo: String?
  /// The title of the redo button; nil if there is nothing to redo.
  public let redo: String?
  // An entry that is not yet in the journal may get another revision, so the id identifies it.
  private let undoTarget: EntryID?
  private let redoTarget: EntryID?

  /// The screen of some entries.
  ///
  /// - Parameters:
  ///   - records: Consecutive entries, oldest first.
  ///   - state: A state before the entries, from which the texts of the items are known; nil if the entries begin with the first one.
  ///   - undo: The entry that an undo would revert.
  ///   - redo: The entry that a redo would restore.
  /// - Complexity: O(changes of all entries + items).
  public init(_ records: [Record<AppState>], after state: AppState? = nil, undo: Record<AppState>? = nil, redo: Record<AppState>? = nil) {
    var narrator = Narrator()
    if let state { narrator.learn(state) }
    let undone = Record.takenBack(in: records)
    entries = records.map { record in
      // An undo that was itself undone is followed by a redo, which says so.
      Entry(
        id: record.revision, time: Date(microseconds: record.stamp.time), text: narrator.tell(record),
        isUndone: record.targets.isEmpty && undone.contains(record.id))
    }.reversed()
    // An entry is described with the texts of its time, so one that was described above keeps its words.
    let told = Dictionary(entries.map { ($0.id, $0.text) }, uniquingKeysWith: { first, _ in first })
    self.undo = undo.map { "Undo: \(told[$0.revision] ?? narrator.tell($0))" }
    self.redo = redo.map { "Redo: \(told[$0.revision] ?? narrator.tell($0))" }
    (undoTarget, redoTarget) = (undo?.id, redo?.id)
  }

  /// Undoes the entry that this screen offers to undo.
  ///
  /// - Parameter store: The list.
  /// - Throws: ``Outdated`` if an undo would revert another entry now, because another process has changed the list; `UndoError`.
  public func performUndo(in store: Store<AppState>) async throws {
    guard try store.previewUndo().records.first?.id == undoTarget else { throw Outdated() }
    _ = try await store.undo()
  }

  /// Redoes the entry that this screen offers to redo.
  ///
  /// - Parameter store: The list.
  /// - Throws: ``Outdated`` if a redo would restore another entry now; `UndoError`, such as `nothingToRedo` after a change.
  public func performRedo(in store: Store<AppState>) async throws {
    guard try store.previewRedo().records.first?.id == redoTarget else { throw Outdated() }
    _ = try await store.redo()
  }

  /// Reads the screen from a store's history.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - limit: The maximum number of entries, at least 1.
  /// - Throws: `JournalError` if the journal can't be read.
  /// - Complexity: O(entries read + the nearest snapshot before them).
  public init(of store: Store<AppState>, limit: Int = 200) async throws(JournalError) {
    let newest = store.revision
    let first = Revision(max(1, newest.number - Int64(max(1, limit)) + 1))
    let records = try await store.entries(in: first...newest)
    let state = first > 1 ? try await store.state(at: Revision(first.number - 1)) : nil
    self.init(records, after: state, undo: try? store.previewUndo().records.first, redo: try? store.previewRedo().records.first)
  }
}

/// The screen of the list at an earlier revision. Showing it changes nothing.
public struct PastScreen: Hashable, Sendable {
  /// The revision.
  public let revision: Revision
  /// All items at this revision. Days are relative to the user's current day.
  public let list: ListScreen
  /// Whether the list had other content than this one when the screen was read, so that restoring this one makes sense.
  public let differs: Bool

  /// Reads a past state of a store.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - revision: A revision from 1 to the present one.
  ///   - today: The user's current day.
  /// - Throws: `JournalError` if the journal can't be read.
  public init(of store: Store<AppState>, at revision: Revision, today: Day) async throws(JournalError) {
    let state = try await store.state(at: revision)
    self.revision = revision
    list = ListScreen(state, filter: .all, today: today)
    let present = store.state
    differs = state.copied(as: present.cloud) != present
  }

  /// Replaces the list by its content at this revision: a new entry at the end of the history, and one step to undo. A list that has this
  /// content already stays as it is.
  ///
  /// The state of the copy in the cloud stays: otherwise the request of that time would be performed again.
  ///
  /// - Throws: `JournalError` if the journal can't be read; `ChangeError` if the store is closed or has failed.
  public func restore(in store: Store<AppState>) async throws {
    let past = try await store.state(at: revision)
    let present = store.state
    let restored = past.copied(as: present.cloud)
    // A button that is pressed twice makes one entry.
    if restored != present { try store.reset(to: restored) }
  }
}
