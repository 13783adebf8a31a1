/// Which items of a list to show, and in what order: a value, so that every way of asking means the same.
public struct ItemQuery: Sendable, Hashable {
  /// Whether items are done.
  public enum Status: Sendable, Hashable {
    /// Not done.
    case open
    /// Done.
    case done
  }

  /// In what order items are shown. Those that have nothing to be ordered by come last; equal ones stay in the list's order.
  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// The list's own.
    case list
    /// The earliest first.
    case due
    /// `A` first.
    case priority
    /// The oldest first.
    case created
    /// What was altered last first.
    case altered
    /// By the alphabet, whatever the case.
    case text
  }

  /// Open ones, done ones, or both.
  public var status: Status?
  /// Only open ones that were due before today.
  public var isOverdue = false
  /// Only those that have all of these tags, as people write them: `home` means `@home` and `+home`.
  public var tags: [String] = []
  /// Only those due before this day.
  public var dueBefore: Day?
  /// Only those due after this day.
  public var dueAfter: Day?
  /// Only those that contain all of these words, whatever the case.
  public var words: [String] = []
  /// In what order.
  public var order = Order.list

  /// All items, in the list's order.
  public init() {}

  /// Whether a row is asked for.
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
    // Each key once: it may be costly. The number makes the order of equals certain.
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
