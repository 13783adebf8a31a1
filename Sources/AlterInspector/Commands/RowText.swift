#if Inspector
  import AlterJournal
  import _AlterTerminal

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
      if let reason = row.refusal?.reason { notes.append("'\(reason)'") }
      notes += Self.notes(of: row.cause)
      if row.scope != "journal" { notes.append("@\(row.scope)") }
      if let receipt = row.receipt { notes.append("by \(receipt.sender), arrived \(CommandOutput.text(time: receipt.arrival))") }
      let text =
        switch row.kind {
        case .initial, .reset: "\(row.kind.rawValue) \(row.text)"
        // The id is that of the refused draft.
        case .refused: "refused \(row.origin.prefix(8))#\(row.sequence): \(row.text)"
        case .changes, .undo, .redo: row.text
        }
      return line(head, text, notes, look: row.undone ? .undone : row.kind == .refused ? .dim : nil)
    }

    /// The notes about a cause: the feedback, the drafts that it names, and the metadata.
    static func notes(of cause: Row.Cause?) -> [String] {
      guard let cause else { return [] }
      var notes: [String] = []
      if let feedback = cause.feedback { notes.append("(\(feedback)\(cause.answers.map { " answers \($0)" } ?? ""))") }
      if let required = cause.requires { notes.append("requires \(required)") }
      if let first = cause.retries { notes.append("retries \(first)") }
      if let metadata = cause.metadata { notes += metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }
      return notes
    }

    /// A line of three parts, the middle one truncated to the columns.
    func line(_ head: String, _ text: String, _ notes: [String], look: TextStyle.Look?) -> String {
      let tail = notes.isEmpty ? "" : "  " + notes.joined(separator: " ").printable
      var text = text.printable
      if let columns {
        let room = max(20, columns - head.count - tail.count)
        if text.count > room { text = text.prefix(room - 1) + "…" }
      }
      return style.show(head, .dim) + style.show(text, look) + style.show(tail, .dim)
    }
  }
#endif
