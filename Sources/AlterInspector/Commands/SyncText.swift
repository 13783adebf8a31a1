#if Inspector
  import _AlterTerminal

  /// Formats the part of a journal in sync for a person.
  struct SyncText {
    /// The part in sync.
    let sync: SyncPart
    /// The last revision that the journal does not have; 0 for a whole journal.
    let floor: Int64

    /// The lines about the journal as a whole: its role, its generation, its floor, and on a device the owner and the lists.
    var lines: [String] {
      var lines: [String] = []
      let generation = sync.generation.map {
        "generation \($0)\(sync.former > 0 ? ", after \(Self.count(sync.former, "former one"))" : "")"
      }
      switch sync.role {
      case .plain: break
      case .server:
        let schema = sync.accepts.map { "; decides drafts up to schema \($0)" } ?? ""
        lines.append("decided by a server: \(generation ?? "no generation")\(schema)")
      case .mirror:
        lines.append(
          "a device's copy of a server's journal\(sync.device.map { ", of the user '\($0.principal)'" } ?? ""): "
            + (generation ?? "no contact with the server yet"))
      }
      if floor > 0 { lines.append(Self.floor(floor)) }
      if let device = sync.device {
        lines.append(
          "outbox: \(Self.count(device.drafts, "draft"))\(device.decided > 0 ? ", \(device.decided) of them decided, waiting for entries" : "")"
        )
        lines.append("refusals: \(device.refusals)")
        if device.awaited > 0 {
          lines.append("awaited: \(Self.count(device.awaited, "accepted draft")), since a restart of the server's journal")
        }
        if device.verdicts > 0 { lines.append("verdicts without entries: \(Self.count(device.verdicts, "range"))") }
      }
      if let problem = sync.problem { lines.append("problem: \(problem)") }
      return lines
    }

    /// The line about the beginning of a journal that is not whole.
    static func floor(_ floor: Int64) -> String { "floor: revision \(floor). \(below(floor)) The state at \(floor) is." }

    /// The explanation of missing entries.
    static func below(_ floor: Int64) -> String {
      "The entries up to revision \(floor) are not in this journal: it was compacted, or is a device's copy of a server's journal."
    }

    /// The number with its noun.
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
  }

  extension RowText {
    /// The line of a draft in a list of a device's file, like
    /// '2026-12-01 09:30:05  1f0c9a3e#7  .item(id: 7, change: .completed(true))  requires 1f0c9a3e#6'.
    func line(_ draft: DraftLine) -> String {
      guard !draft.origin.isEmpty else { return style.show("damaged: \(draft.problem ?? "")", .removed) }
      let head = "\(CommandOutput.text(time: draft.time))  \(draft.origin.prefix(8))#\(draft.sequence)  "
      var notes: [String] = []
      if let verdict = draft.verdict {
        notes.append("(\(verdict)\(draft.revision.map { " at \($0)" } ?? ""))")
      }
      if let reason = draft.reason { notes.append("'\(reason)'") }
      notes += Self.notes(of: draft.cause)
      if draft.scope != "journal" { notes.append("@\(draft.scope)") }
      if let problem = draft.problem { notes.append("damaged: \(problem)") }
      let kind = draft.kind == .changes || draft.kind == .undo || draft.kind == .redo ? "" : "\(draft.kind.rawValue) "
      return line(head, kind + draft.text, notes, look: draft.problem == nil ? nil : .removed)
    }

    /// The line of a range of verdicts, like '1f0c9a3e#2…21  accepted at 2…21'.
    func line(_ verdict: VerdictLine) -> String {
      let isOne = verdict.first == verdict.last
      let (last, isOver) = (verdict.revision ?? 0).addingReportingOverflow(verdict.last - verdict.first)
      let revisions = verdict.revision.map { isOne || isOver ? " at \($0)" : " at \($0)…\(last)" } ?? ""
      return style.show(
        "\(verdict.origin.prefix(8))#\(verdict.first)\(isOne ? "" : "…\(verdict.last)")  \(verdict.verdict)\(revisions)", nil)
    }
  }
#endif
