public import TodoCore

/// The screen of the tags: each tag of the list with the number of its open items.
public struct TagsScreen: Hashable, Sendable {
  /// A tag.
  public struct Row: Identifiable, Hashable, Sendable {
    /// The name with its sign, as in '@home'.
    public let id: String
    /// The number of open items with this tag.
    public let open: Int
    /// The open items in words, as in '2 to do'; 'all done' if there are none.
    public let summary: String
  }

  /// The tags in alphabetical order. A tag whose items are all done is among them; one without items is not.
  public let rows: [Row]
  /// The message that the screen shows if it has no rows; nil if it has some.
  public let hint: String?

  /// The screen of a state.
  ///
  /// - Parameter state: The list.
  /// - Complexity: O(n log n + length of all texts).
  public init(_ state: AppState) {
    var open: [String: Int] = [:]
    for row in TodoList(state).rows {
      for tag in Set(row.tags) { open[tag, default: 0] += row.item.completed ? 0 : 1 }
    }
    rows = open.sorted { $0.key < $1.key }.map { name, open in
      Row(id: name, open: open, summary: open == 0 ? "all done" : "\(open) to do")
    }
    hint = rows.isEmpty ? "Type a tag in an item, as in ‘Pay rent @home’ or ‘Paint +flat’." : nil
  }
}
