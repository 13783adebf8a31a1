public import TodoCore

/// The screen of the list: a function of the state, the filter, and the day.
public struct ListScreen: Hashable, Sendable {
  /// The items that match the filter and the search text, in order.
  public let rows: [ItemRow]
  /// The title: the number of open items in the whole list.
  public let title: String
  /// The message that the screen shows if it has no rows; nil if it has some.
  public let hint: String?

  /// The screen of a state.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - filter: The filter.
  ///   - search: The typed search text.
  ///   - order: The order of the items.
  ///   - today: The user's current day.
  /// - Complexity: O(n log n + length of all texts).
  public init(_ state: AppState, filter: ListFilter = .open, search: String = "", order: ItemQuery.Order = .list, today: Day) {
    let query = filter.query(search: search, order: order, today: today)
    rows = TodoList(state, query, today: today).rows.map { ItemRow($0, today: today) }
    let open = state.items.count { !$0.completed }
    title = open == 0 ? "All done" : "\(open) to do"
    hint =
      if !rows.isEmpty { nil } else if !query.words.isEmpty { "Nothing contains ‘\(query.words.joined(separator: " "))’." } else {
        switch filter {
        case .open, .all: state.items.isEmpty ? "Add your first item." : "Everything is done."
        case .today: "Nothing is due today."
        case .overdue: "Nothing is overdue."
        case .done: "Nothing is done yet."
        }
      }
  }
}
