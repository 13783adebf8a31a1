public import AlterTerminal

/// The drawing of a live view: a function of the list, the model, and the size of the terminal.
public struct WatchView: Sendable {
  /// The size of a terminal.
  public struct Size: Sendable, Hashable {
    /// The number of columns in a line.
    public let columns: Int
    /// The number of lines.
    public let rows: Int

    /// A size.
    public init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
  }

  /// The keys in the help, the most common ones first.
  static let help = [
    "j k, arrows     move           g G   first, last", "space or x      done or open   a     add",
    "e or Enter      edit the text  d     remove",
    "u               undo           r     redo", "Ctrl-L          redraw         q     quit",
    "", "While editing: Enter keeps the text, Esc discards the edit.", "Changes by others appear at once.",
  ]

  /// The lines to draw. No line is wider than the terminal, and there are at most as many lines as it has.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - model: The state of the view.
  ///   - size: The size of the terminal.
  ///   - today: The user's current day.
  ///   - style: The colours, if the terminal has them. Without colours a `>` marks the cursor.
  /// - Complexity: O(n log n + length of all texts).
  public static func lines(
    _ state: AppState, _ model: WatchModel, size: Size, today: Day?, style: TextStyle = .plain
  ) -> [String] {
    let list = TodoList(state, today: today)
    let done = list.rows.count { $0.item.completed }
    let late = list.rows.count { $0.urgency == .overdue }
    let title = "todo: \(list.rows.count - done) open, \(done) done" + (late > 0 ? ", \(late) overdue" : "")
    let height = max(0, size.rows - 2)
    var lines = [style.show(Columns.fit(title, size.columns), .strong)]
    if model.mode == .help {
      lines += help.prefix(height).map { Columns.fit($0, size.columns) }
    } else if list.rows.isEmpty {
      lines += ["Nothing to do. Press a to add an item."].prefix(height).map { Columns.fit($0, size.columns) }
    } else {
      // The cursor is in the middle, except near the ends of the list.
      let top = max(0, min(model.place - height / 2, list.rows.count - height))
      let numbers = "\(list.rows.count)".count
      let visible = list.rows.dropFirst(top).prefix(height)
      let hasPriority = visible.contains { $0.item.priority != nil }
      let hasDue = visible.contains { $0.item.due != nil }
      for row in visible {
        lines.append(line(row, isChosen: row.item.id == model.cursor, numbers, hasPriority, hasDue, size.columns, style))
      }
    }
    while lines.count < size.rows - 1 { lines.append("") }
    lines.append(footer(model, size.columns, style))
    return Array(lines.suffix(max(0, size.rows)).map { $0 })
  }

  private static func line(
    _ row: TodoList.Row, isChosen: Bool, _ numbers: Int, _ hasPriority: Bool, _ hasDue: Bool, _ columns: Int, _ style: TextStyle
  ) -> String {
    let item = row.item
    var head = (isChosen ? "> " : "  ") + "\(row.number)".padded(to: numbers, onTheLeft: true) + (item.completed ? " [x] " : " [ ] ")
    if hasPriority { head += item.priority.map { "(\($0)) " } ?? "    " }
    if hasDue { head += (item.due?.description ?? "").padded(to: 10) + " " }
    let text = Columns.fit(head + row.text, columns)
    if isChosen { return style.show(text + String(repeating: " ", count: max(0, columns - Columns.count(text))), .chosen) }
    return style.show(text, item.completed ? .dim : row.urgency?.look)
  }

  private static func footer(_ model: WatchModel, _ columns: Int, _ style: TextStyle) -> String {
    switch model.mode {
    case .renaming(_, let editor) where model.message.isEmpty: edit("Edit: ", editor, columns, style)
    case .adding(let editor) where model.message.isEmpty: edit("Add: ", editor, columns, style)
    case .help: Columns.fit("Any key: back to the list", columns)
    default:
      model.message.isEmpty
        ? style.show(Columns.fit("space done  e edit  a add  d remove  u undo  ? help  q quit", columns), .dim)
        : Columns.fit(model.message.split(whereSeparator: \.isNewline).joined(separator: " ").printable, columns)
    }
  }

  /// A line in the editor, scrolled so that the cursor is visible. Without colours the cursor is a `|`.
  private static func edit(_ prompt: String, _ editor: LineEditor, _ columns: Int, _ style: TextStyle) -> String {
    let room = max(1, columns - prompt.count - 2)
    var before = Array(String(editor.before).printable)
    while Columns.count(before) > room { before.removeFirst() }
    var after = Array(String(editor.after).printable)
    let cursor: String
    if style == .plain {
      cursor = "|"
    } else {
      cursor = style.show(after.isEmpty ? " " : String(after.removeFirst()), .chosen)
    }
    while Columns.count(before) + Columns.count(after) > room, !after.isEmpty { after.removeLast() }
    return prompt + String(before) + cursor + String(after)
  }
}
