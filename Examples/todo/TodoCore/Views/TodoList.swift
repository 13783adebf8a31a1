public import _AlterTerminal

/// The visible part of a list: a function of the state, the query, and the day.
public struct TodoList: Hashable, Sendable {
  /// One item.
  public struct Row: Hashable, Sendable {
    /// The item's number in the whole list, from 1. Commands accept it as a name.
    public let number: Int
    /// The shortest beginning of the item's id that names it unambiguously.
    public let id: String
    /// The item.
    public let item: TodoItem
    /// The item's tags, from its text and from the tags that it belongs to.
    public let tags: [String]
    /// The text with all tags, printable on one line of a terminal.
    public let text: String
    /// The urgency; nil if the item is not urgent.
    public let urgency: Urgency?

    /// The row of an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - number: Its number in the whole list.
    ///   - id: The shortest unambiguous beginning of its id.
    ///   - membership: The names of the tags that it belongs to.
    ///   - today: The user's current day; without it no item is overdue.
    public init(_ item: TodoItem, number: Int, id: String, membership: [String], today: Day?) {
      let named = item.fields.tags
      let missing = membership.filter { !named.contains($0) }
      (self.item, self.number, self.id, tags) = (item, number, id, named + missing)
      text = ([item.text] + missing).filter { !$0.isEmpty }.joined(separator: " ").printable
      if !item.completed, let today, let due = item.due, due <= today {
        urgency = due < today ? .overdue : .today
      } else {
        urgency = nil
      }
    }
  }

  /// The urgency of an open item.
  public enum Urgency: Hashable, Sendable {
    /// The item was due before today.
    case overdue
    /// The item is due today.
    case today
  }

  /// The items that match the query, in order.
  public let rows: [Row]

  /// The view of a state.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - query: The filter and the order.
  ///   - today: The user's current day; without it no item is overdue.
  /// - Complexity: O(n log n + length of all texts).
  public init(_ state: AppState, _ query: ItemQuery = ItemQuery(), today: Day? = nil) {
    let short = ItemName.short(in: state)
    let members = state.membership
    let rows = state.items.enumerated().map { place, item in
      Row(item, number: place + 1, id: short[item.id] ?? "", membership: members[item.id] ?? [], today: today)
    }
    self.init(rows, query)
  }

  /// The view of rows that a search has found.
  ///
  /// - Parameters:
  ///   - rows: The rows. The order `list` leaves them in theirs.
  ///   - query: The filter and the order.
  /// - Complexity: O(n log n + length of all texts).
  public init(_ rows: [Row], _ query: ItemQuery) { self.rows = query.sorted(rows.filter(query.matches)) }

  /// The rows as aligned lines of text. A column that is empty in all rows takes no space.
  ///
  /// - Parameters:
  ///   - style: The colours.
  ///   - marks: The marks of a synced list, which are words behind the text.
  public func lines(_ style: TextStyle = .plain, _ marks: SyncMarks = SyncMarks()) -> [String] {
    let numbers = rows.map { String($0.number).count }.max() ?? 0
    let ids = rows.map(\.id.count).max() ?? 0
    let hasPriority = rows.contains { $0.item.priority != nil }
    let hasDue = rows.contains { $0.item.due != nil }
    return rows.map { row in
      let item = row.item
      let dim: TextStyle.Look? = item.completed ? .dim : nil
      var columns = [
        style.show(String(row.number).padded(to: numbers, onTheLeft: true), dim), style.show(row.id.padded(to: ids), .dim),
        style.show(item.completed ? "[x]" : "[ ]", dim),
      ]
      if hasPriority { columns.append(style.show(item.priority.map { "(\($0))" } ?? "   ", dim ?? .strong)) }
      if hasDue { columns.append(style.show((item.due?.description ?? "").padded(to: 10), row.urgency?.look ?? dim)) }
      columns.append(style.show(row.text, dim))
      if let mark = marks.text(beside: item.id) { columns.append(mark) }
      return columns.joined(separator: "  ")
    }
  }
}

extension TodoList.Urgency {
  /// The style for this urgency.
  var look: TextStyle.Look {
    switch self {
    case .overdue: .late
    case .today: .now
    }
  }
}

extension String {
  /// The text padded with spaces to a width. Each of its characters must be one column wide.
  func padded(to width: Int, onTheLeft: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return onTheLeft ? spaces + self : self + spaces
  }
}
