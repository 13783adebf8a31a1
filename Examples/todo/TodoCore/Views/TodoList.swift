/// What a person sees of a list: a function of the state.
public struct TodoList: Hashable, Sendable {
  /// One item.
  public struct Row: Hashable, Sendable {
    /// Its number in the list, from 1.
    public let number: Int
    /// The beginning of its id that is enough to name it.
    public let id: String
    /// Whether it is done.
    public let completed: Bool
    /// How much it matters.
    public let priority: Priority?
    /// By when it must be done.
    public let due: Day?
    /// What to do, with all its tags.
    public let text: String
  }

  /// The items, in order.
  public let rows: [Row]

  /// The view of a state.
  ///
  /// - Complexity: O(n log n + length of all texts).
  public init(_ state: AppState) {
    let short = ItemName.short(in: state)
    let members = state.membership
    rows = state.items.enumerated().map { place, item in
      let missing = members[item.id].map { names in
        let named = Set(item.fields.tags)
        return names.filter { !named.contains($0) }
      }
      return Row(
        number: place + 1, id: short[item.id] ?? "", completed: item.completed, priority: item.priority, due: item.due,
        text: ([item.text] + (missing ?? [])).filter { !$0.isEmpty }.joined(separator: " ").printable)
    }
  }

  /// The rows as aligned lines of text. What no item has takes no room.
  public var lines: [String] {
    let numbers = rows.map { String($0.number).count }.max() ?? 0
    let ids = rows.map(\.id.count).max() ?? 0
    let hasPriority = rows.contains { $0.priority != nil }
    let hasDue = rows.contains { $0.due != nil }
    return rows.map { row in
      var columns = [String(row.number).padded(to: numbers, onTheLeft: true), row.id.padded(to: ids), row.completed ? "[x]" : "[ ]"]
      if hasPriority { columns.append(row.priority.map { "(\($0))" } ?? "   ") }
      if hasDue { columns.append((row.due?.description ?? "").padded(to: 10)) }
      columns.append(row.text)
      return columns.joined(separator: "  ")
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
