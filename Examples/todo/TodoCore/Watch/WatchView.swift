import Alter
public import _AlterTerminal

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

  /// The keys of a synced list, in the help.
  static let syncHelp = ["h               history        R     refused changes", "~ beside an item: not yet confirmed; !: refused."]

  /// The lines to draw. No line is wider than the terminal, and there are at most as many lines as it has.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - model: The state of the view.
  ///   - sync: The sync of the list; nil if it is not synced.
  ///   - size: The size of the terminal.
  ///   - today: The user's current day.
  ///   - time: The text of a time in microseconds since 1970 UTC, as in `14:03`.
  ///   - style: The colours, if the terminal has them. Without colours a `>` marks the cursor.
  /// - Complexity: O(n log n + length of all texts).
  public static func lines(
    _ state: AppState, _ model: WatchModel, sync: SyncPanel? = nil, size: Size, today: Day?, time: (Int64) -> String = { "\($0)" },
    style: TextStyle = .plain
  ) -> [String] {
    let list = TodoList(state, today: today)
    let done = list.rows.count { $0.item.completed }
    let late = list.rows.count { $0.urgency == .overdue }
    let title = "todo: \(list.rows.count - done) open, \(done) done" + (late > 0 ? ", \(late) overdue" : "")
    var lines = [style.show(Columns.fit(title, size.columns), .strong)]
    // On a terminal with few lines the list is more important.
    if let sync, size.rows > 4 { lines.append(Columns.fit(sync.summary(time).printable, size.columns)) }
    let height = max(0, size.rows - 1 - lines.count)
    if model.mode == .help {
      lines += ((sync == nil ? [] : syncHelp) + help).prefix(height).map { Columns.fit($0, size.columns) }
    } else if case .refused(let chosen) = model.mode, let sync {
      lines += refused(sync.refused, chosen, size.columns, height, style)
    } else if case .history(let top) = model.mode, let sync {
      lines += sync.history.dropFirst(top).prefix(height).map { Columns.fit(line($0, time), size.columns) }
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
        lines.append(line(row, sync, isChosen: row.item.id == model.cursor, numbers, hasPriority, hasDue, size.columns, style))
      }
    }
    while lines.count < size.rows - 1 { lines.append("") }
    lines.append(footer(model, size.columns, style))
    return Array(lines.suffix(max(0, size.rows)).map { $0 })
  }

  private static func line(
    _ row: TodoList.Row, _ sync: SyncPanel?, isChosen: Bool, _ numbers: Int, _ hasPriority: Bool, _ hasDue: Bool, _ columns: Int,
    _ style: TextStyle
  ) -> String {
    let item = row.item
    var head = (isChosen ? "> " : "  ") + "\(row.number)".padded(to: numbers, onTheLeft: true) + (item.completed ? " [x] " : " [ ] ")
    if let sync, !sync.marks.isEmpty { head += (sync.marks.mark(beside: item.id)?.symbol ?? " ") + " " }
    if hasPriority { head += item.priority.map { "(\($0)) " } ?? "    " }
    if hasDue { head += (item.due?.description ?? "").padded(to: 10) + " " }
    let author = sync?.authors[item.id].map { "  (by \($0.printable))" } ?? ""
    let text = Columns.fit(head + row.text + author, columns)
    if isChosen { return style.show(text + String(repeating: " ", count: max(0, columns - Columns.count(text))), .chosen) }
    return style.show(text, item.completed ? .dim : row.urgency?.look)
  }

  /// The refused changes, each with its reason below it. The chosen one is always visible.
  private static func refused(
    _ changes: [SyncPanel.Refused], _ chosen: EntryID, _ columns: Int, _ height: Int, _ style: TextStyle
  ) -> [String] {
    var lines = ["Refused changes, which have no effect on the list:"].map { Columns.fit($0, columns) }
    var begin = 0
    var end = 0
    for change in changes {
      let isChosen = change.id == chosen
      if isChosen { begin = lines.count }
      let what = Columns.fit((isChosen ? "> " : "  ") + change.what.printable, columns)
      lines.append(isChosen ? style.show(what, .chosen) : what)
      lines += Columns.wrapped("\(change.reason) [\(change.code)]".printable, max(1, columns - 4)).map { Columns.fit("    " + $0, columns) }
      if isChosen { end = lines.count }
    }
    // The end of the chosen change is in sight, and its beginning in any case.
    let top = min(max(0, end - height), begin)
    return Array(lines.dropFirst(top).prefix(height))
  }

  private static func line(_ line: SyncPanel.Line, _ time: (Int64) -> String) -> String {
    let notes = [line.isUnconfirmed ? "not yet confirmed" : nil, line.isUndone ? "undone" : nil].compactMap { $0 }
    return "\(time(line.time))  \(line.author ?? "earlier"): \(line.what)\(notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))")"
      .printable
  }

  private static func footer(_ model: WatchModel, _ columns: Int, _ style: TextStyle) -> String {
    switch model.mode {
    case .renaming(_, let editor) where model.message.isEmpty: edit("Edit: ", editor, columns, style)
    case .adding(let editor) where model.message.isEmpty: edit("Add: ", editor, columns, style)
    case .help: Columns.fit("Any key: back to the list", columns)
    case .refused where model.message.isEmpty:
      style.show(Columns.fit("r make it again  d dismiss it  j k move  Esc back", columns), .dim)
    case .history where model.message.isEmpty: style.show(Columns.fit("j k scroll  any other key: back to the list", columns), .dim)
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
