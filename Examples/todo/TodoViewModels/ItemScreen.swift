import Alter
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The screen of one item.
public struct ItemScreen: Hashable, Sendable {
  /// The item's id.
  public let id: UUID
  /// The text.
  public let text: String
  /// Whether the item is completed.
  public let isDone: Bool
  /// The priority; nil if it has none.
  public let priority: Priority?
  /// The due day; nil if it has none.
  public let due: Day?
  /// A tag of the item.
  public struct TagRow: Identifiable, Hashable, Sendable {
    /// The name with its sign.
    public let id: String
    /// Whether the tag can be removed: not if the item's text would become empty.
    public let canRemove: Bool
  }

  /// The tags.
  public let tags: [TagRow]
  /// The days of the item's life, as sentences: 'Created on 2026-11-20'.
  public let days: [String]

  /// The screen of an item; nil if the list does not contain it, because another process may have removed it.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - id: The item's id.
  /// - Complexity: O(length of the text + members of all tags).
  public init?(_ state: AppState, id: UUID) {
    guard let item = state.items[id: id] else { return nil }
    self.id = id
    text = item.text
    isDone = item.completed
    priority = item.priority
    due = item.due
    tags = state.tags(of: item).map { TagRow(id: $0, canRemove: (try? item.changes(untagging: [$0], in: state)) != nil) }
    days = [item.created.map { "Created on \($0)" }, item.finished.map { "Done on \($0)" }].compactMap { $0 }
  }
}

extension Priority {
  /// The priorities of a menu, highest first. Others are typed: '(F) Call'.
  public static let common = ["A", "B", "C", "D"].compactMap { Priority($0) }
}
