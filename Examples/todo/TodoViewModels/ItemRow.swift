public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An item in a list: the texts that its row shows.
public struct ItemRow: Identifiable, Hashable, Sendable {
  /// The item's id.
  public let id: UUID
  /// The text with all tags.
  public let text: String
  /// Whether the item is completed.
  public let isDone: Bool
  /// The priority, as in 'A'; nil if it has none.
  public let priority: String?
  /// The due day in words; nil if it has none.
  public let due: String?
  /// The urgency; nil if the item is not urgent.
  public let urgency: TodoList.Urgency?

  /// The row of an item.
  ///
  /// - Parameters:
  ///   - row: The item in the view of the list.
  ///   - today: The user's current day.
  public init(_ row: TodoList.Row, today: Day) {
    id = row.item.id
    text = row.text
    isDone = row.item.completed
    priority = row.item.priority?.description
    due = row.item.due?.words(today: today)
    urgency = row.urgency
  }
}
