public import TodoCore

/// The filters of the list's screen. Each one is an `ItemQuery`.
public enum ListFilter: String, Sendable, Hashable, CaseIterable, Identifiable {
  /// Items that are not done.
  case open
  /// Open items that are due today, or were due before.
  case today
  /// Open items that were due before today.
  case overdue
  /// Completed items.
  case done
  /// All items.
  case all

  /// The filter itself.
  public var id: ListFilter { self }

  /// The title of the filter in a menu.
  public var title: String {
    switch self {
    case .open: "Open"
    case .today: "Today"
    case .overdue: "Overdue"
    case .done: "Done"
    case .all: "All"
    }
  }

  /// The query for the items that this filter shows.
  ///
  /// - Parameters:
  ///   - search: The typed search text. An item matches if it contains all of its words, ignoring case.
  ///   - order: The order of the items.
  ///   - today: The user's current day.
  public func query(search: String = "", order: ItemQuery.Order = .list, today: Day) -> ItemQuery {
    var query = ItemQuery()
    query.words = search.split(whereSeparator: \.isWhitespace).map(String.init)
    query.order = order
    switch self {
    case .open: query.status = .open
    case .today:
      query.status = .open
      query.dueBefore = today.adding(days: 1)
    case .overdue: query.isOverdue = true
    case .done: query.status = .done
    case .all: break
    }
    return query
  }
}

extension ItemQuery.Order {
  /// The title of the order in a menu.
  public var title: String {
    switch self {
    case .list: "Manual"
    case .due: "Due day"
    case .priority: "Priority"
    case .created: "Oldest first"
    case .altered: "Last changed"
    case .text: "Alphabetical"
    }
  }
}
