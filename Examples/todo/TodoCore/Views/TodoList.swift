public import AlterTerminal

/// What a person sees of a list: a function of the state, of what is asked for, and of the day.
public struct TodoList: Hashable, Sendable {
  /// One item.
  public struct Row: Hashable, Sendable {
    /// Its number in the whole list, from 1, by which commands name it.
    public let number: Int
    /// The beginning of its id that is enough to name it.
    public let id: String
    /// The item.
    public let item: TodoItem
    /// Its tags, in its text and besides.
    public let tags: [String]
    /// What to do, with all its tags, as it can stand on one line of a terminal.
    public let text: String
    /// Whether it presses.
    public let urgency: Urgency?
  }

  /// How an open item stands to the day.
  public enum Urgency: Hashable, Sendable {
    /// It was due before today.
    case overdue
    /// It is due today.
    case today
  }

  /// The items that were asked for, in order.
  public let rows: [Row]

  /// The view of a state.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - query: Which items, and in what order.
  ///   - today: The day it is where the user sits; without it nothing is overdue.
  /// - Complexity: O(n log n + length of all texts).
  public init(_ state: AppState, _ query: ItemQuery = ItemQuery(), today: Day? = nil) {
    let short = ItemName.short(in: state)
    let members = state.membership
    let rows = state.items.enumerated().map { place, item in
      let named = item.fields.tags
      let missing = (members[item.id] ?? []).filter { !named.contains($0) }
      var urgency: Urgency?
      if !item.completed, let today, let due = item.due, due <= today { urgency = due < today ? .overdue : .today }
      return Row(
        number: place + 1, id: short[item.id] ?? "", item: item, tags: named + missing,
        text: ([item.text] + missing).filter { !$0.isEmpty }.joined(separator: " ").printable, urgency: urgency)
    }
    self.rows = query.sorted(rows.filter(query.matches))
  }

  /// The rows as aligned lines of text. What no item has takes no room.
  public func lines(_ style: TextStyle = .plain) -> [String] {
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
      return columns.joined(separator: "  ")
    }
  }
}

extension TodoList.Urgency {
  /// How it looks.
  var look: TextStyle.Look {
    switch self {
    case .overdue: .late
    case .today: .now
    }
  }
}

extension String {
  /// The text with spaces up to a width; for texts of characters that are one column wide.
  func padded(to width: Int, onTheLeft: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - count))
    return onTheLeft ? spaces + self : self + spaces
  }
}
