public import TodoCore

/// The screen of the list: a function of the state, the filter, and the day.
public struct ListScreen: Hashable, Sendable {
  /// The items that match the filter and the search text, in order.
  public let rows: [ItemRow]
  /// The title: the number of open items in the whole list.
  public let title: String
  /// The message that the screen shows if it has no rows; nil if it has some.
  public let hint: String?
  /// Whether the user can move rows: only in the list's own order.
  public let canMove: Bool
  /// The reason why rows can't be moved, with the next step; nil if they can be, or if there are none.
  public let orderNote: String?

  /// The screen of a state.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - filter: The filter.
  ///   - tag: The name of a tag, with its sign: only items with this tag; nil for all.
  ///   - search: The typed search text.
  ///   - order: The order of the items.
  ///   - today: The user's current day.
  /// - Complexity: O(n log n + length of all texts).
  public init(
    _ state: AppState, filter: ListFilter = .open, tag: String? = nil, search: String = "", order: ItemQuery.Order = .list, today: Day
  ) {
    var query = filter.query(search: search, order: order, today: today)
    if let tag { query.tags = [tag] }
    rows = TodoList(state, query, today: today).rows.map { ItemRow($0, today: today) }
    let open = state.items.count { !$0.completed }
    title = open == 0 ? "All done" : "\(open) to do"
    canMove = order == .list
    orderNote =
      canMove || rows.isEmpty
      ? nil : "Sorted by ‘\(order.title)’. To move items, choose the order ‘\(ItemQuery.Order.list.title)’ in the settings."
    hint =
      if !rows.isEmpty { nil } else if !query.words.isEmpty { "Nothing contains ‘\(query.words.joined(separator: " "))’." } else {
        switch filter {
        case .open where tag != nil: "Nothing with this tag is to do."
        case .all where tag != nil: "No item has this tag."
        case .open, .all: state.items.isEmpty ? "Add your first item." : "Everything is done."
        case .today: "Nothing is due today."
        case .overdue: "Nothing is overdue."
        case .done: "Nothing is done yet."
        }
      }
  }
}
