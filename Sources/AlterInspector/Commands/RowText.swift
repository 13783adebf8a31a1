#if Inspector
  import AlterJournal
  import AlterTerminal

  /// Formats a row of the timeline as a line for a person.
  struct RowText {
    /// Whether undone entries are marked by a stroke, or by a word.
    let style: TextStyle
    /// The maximum number of columns of a line; nil for no limit.
    let columns: Int?
    /// The minimum number of columns for the revision.
    let width: Int

    /// The line, like '42  2026-12-01 09:30:05  1f0c9a3e  .item(id: 7, change: .completed(true))  (undone)'.
    func line(_ row: Row) -> String {
      let number = String(row.revision)
      let head =
        String(repeating: " ", count: max(0, width - number.count)) + number + "  " + CommandOutput.text(time: row.time) + "  "
        + row.origin.prefix(8) + "  "
      var notes: [String] = []
      if row.undone, style == .plain { notes.append("(undone)") }
      if row.suppressed == true, !row.undone { notes.append("(suppressed: the state refused it)") }
      if let cause = row.cause {
        if let feedback = cause.feedback { notes.append("(\(feedback)\(cause.answers.map { " answers \($0)" } ?? ""))") }
        if let metadata = cause.metadata { notes += metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }
      }
      if row.scope != "journal" { notes.append("@\(row.scope)") }
      let tail = notes.isEmpty ? "" : "  " + notes.joined(separator: " ").printable
      var text = (row.kind == .initial || row.kind == .reset ? "\(row.kind.rawValue) \(row.text)" : row.text).printable
      if let columns {
        let room = max(20, columns - head.count - tail.count)
        if text.count > room { text = text.prefix(room - 1) + "…" }
      }
      return style.show(head, .dim) + style.show(text, row.undone ? .undone : nil) + style.show(tail, .dim)
    }
  }
#endif
