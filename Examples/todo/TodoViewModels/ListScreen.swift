public import TodoCore

/// The filters of the list.
public enum ListFilter: String, Hashable, Sendable, CaseIterable, Identifiable {
  case open, today, done, all

  /// The filter itself.
  public var id: ListFilter { self }

  /// The title of the filter in a menu.
  public var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// The query for the items that this filter shows. Today's items are those that are due today, or were due before.
  fileprivate func query(today: Day) -> ItemQuery {
    var query = ItemQuery()
    switch self {
    case .open: query.status = .open
    case .today: (query.status, query.dueBefore) = (.open, today.adding(days: 1))
    case .done: query.status = .done
    case .all: break
    }
    return query
  }
}

/// The screen of the list: a function of the state, the filter, and the day.
public struct ListScreen: Hashable, Sendable {
  /// The items that match the filter, in the list's order.
  public let rows: [ItemRow]
  /// The title: the number of open items in the whole list.
  public let title: String
  /// The message of a screen without rows; nil if there are some.
  public let hint: String?

  /// The screen of a state.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - filter: The filter.
  ///   - today: The user's current day.
  /// - Complexity: O(n log n + length of all texts).
  public init(_ state: AppState, filter: ListFilter = .open, today: Day) {
    rows = TodoList(state, filter.query(today: today), today: today).rows.map { ItemRow($0, today: today) }
    let open = state.items.count { !$0.completed }
    title = open == 0 ? "All done" : "\(open) to do"
    hint =
      if !rows.isEmpty { nil } else if state.items.isEmpty { "Add your first item." } else {
        switch filter {
        case .open, .all: "Everything is done."
        case .today: "Nothing is due today."
        case .done: "Nothing is done yet."
        }
      }
  }
}
