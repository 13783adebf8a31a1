public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An item in a list, with the texts that its row shows.
public struct ItemRow: Identifiable, Hashable, Sendable {
  /// The item.
  public let item: TodoItem
  /// The text with all tags.
  public let text: String
  /// The due day in words; nil if the item has none.
  public let due: String?
  /// Whether the item is open and was due before today.
  public let isOverdue: Bool

  /// The item's id.
  public var id: UUID { item.id }

  /// The row of an item.
  ///
  /// - Parameters:
  ///   - row: The item in the view of the list, or in the result of a search.
  ///   - today: The user's current day.
  public init(_ row: TodoList.Row, today: Day) {
    item = row.item
    text = row.text
    due = row.item.due.map { $0.words(today: today) }
    isOverdue = row.urgency == .overdue
  }
}
