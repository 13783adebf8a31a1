/// A filter and an order for the items of a list. It is a value, so that all commands and pages give it the same meaning.
public struct ItemQuery: Sendable, Hashable {
  /// The status of an item.
  public enum Status: Sendable, Hashable {
    /// Not completed.
    case open
    /// Completed.
    case done
  }

  /// The order of the items. Items without the key come last. Items with equal keys stay in the list's order.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// The list's own order.
    case list
    /// Earliest due day first.
    case due
    /// Highest priority first.
    case priority
    /// Oldest day of creation first.
    case created
    /// Last changed first.
    case altered
    /// Alphabetical, ignoring case.
    case text
  }

  /// Only items of this status; nil for all.
  public var status: Status?
  /// Only open items that were due before today.
  public var isOverdue = false
  /// Only items with all of these tags, as users type them: `home` means `@home` and `+home`.
  public var tags: [String] = []
  /// Only items due before this day.
  public var dueBefore: Day?
  /// Only items due after this day.
  public var dueAfter: Day?
  /// Only items that contain all of these words, ignoring case.
  public var words: [String] = []
  /// The order of the items.
  public var order = Order.list

  /// All items, in the list's order.
  public init() {}

  /// Whether a row matches the filter.
  func matches(_ row: TodoList.Row) -> Bool {
    if let status, row.item.completed != (status == .done) { return false }
    if isOverdue, row.urgency != .overdue { return false }
    if let dueBefore, row.item.due.map({ $0 < dueBefore }) != true { return false }
    if let dueAfter, row.item.due.map({ $0 > dueAfter }) != true { return false }
    guard tags.allSatisfy({ name in row.tags.contains { Tag.isMeant(by: name, $0) } }) else { return false }
    guard !words.isEmpty else { return true }
    let text = row.text.lowercased()
    return words.allSatisfy { text.contains($0.lowercased()) }
  }

  /// The rows in order.
  ///
  /// - Complexity: O(n log n).
  func sorted(_ rows: [TodoList.Row]) -> [TodoList.Row] {
    switch order {
    case .list: rows
    case .due: sorted(rows, by: \.item.due)
    case .priority: sorted(rows, by: \.item.priority)
    case .created: sorted(rows, by: \.item.created)
    case .altered: sorted(rows) { $0.item.altered.map { -$0.timeIntervalSinceReferenceDate } }
    case .text: sorted(rows) { $0.text.lowercased() }
    }
  }

  private func sorted<Key: Comparable>(_ rows: [TodoList.Row], by key: (TodoList.Row) -> Key?) -> [TodoList.Row] {
    // Each key is computed once, because it may be expensive. The number breaks ties.
    rows.map { ($0, key($0)) }
      .sorted { left, right in
        switch (left.1, right.1) {
        case (let first?, let second?) where first != second: first < second
        case (nil, _?): false
        case (_?, nil): true
        default: left.0.number < right.0.number
        }
      }
      .map(\.0)
  }
}
