#if Inspector
  import AlterJournal
  import _AlterTerminal
  import ArgumentParser

  /// `outbox`: lists the drafts, the refusals and the verdicts in a device's file.
  struct OutboxCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "outbox",
        abstract: "List the changes in a device's file that its server has not decided, and those that it has refused.",
        discussion: """
          The outbox is in the order in which it is sent: time, id, change, and the drafts that it requires or retries. With --json, each line is an \
          object with one member: 'sync' for the first line, then 'outbox', 'refused', 'awaited' (accepted, but the entry must arrive again) or \
          'verdict' (on drafts without an entry in the file).
          """)
    }

    @OptionGroup var source: Source
    @Option(help: "The largest number of each list to show.") var limit = 50
    @Flag(help: "List all, whatever --limit is.") var all = false
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try OptionNumber.check(limit, "--limit", in: 0...Int.max) }

    /// The status line of `--json`.
    private struct Status: Encodable {
      let role: JournalRole
      let floor: Int64
      let revision: Int64
      let part: SyncPart
    }

    func run() async throws {
      try await source.work(common) { inspection in
        // Fails with the reason for a journal that is no device's copy.
        let outbox = try await inspection.drafts(in: .outbox, limit: 0)
        let overview = try await inspection.overview()
        guard let sync = overview.sync else { return }
        if printing.json {
          try CommandOutput.printJSON(["sync": Status(role: sync.role, floor: overview.floor, revision: overview.revision, part: sync)])
        } else {
          try CommandOutput.print(SyncText(sync: sync, floor: overview.floor).lines)
        }
        try await list(.outbox, as: "outbox", "In the outbox, in the order in which it is sent:", outbox.count, inspection)
        try await list(
          .refusals, as: "refused", "Refused, until they are retried or dismissed:", sync.device?.refusals ?? 0, inspection)
        try await list(
          .awaited, as: "awaited", "Accepted before the server's journal was restored, and not seen again:", sync.device?.awaited ?? 0,
          inspection)
        try await verdicts(sync.device?.verdicts ?? 0, inspection)
      }
    }

    private var text: RowText { RowText(style: CommandOutput.style, columns: CommandOutput.columns, width: 0) }

    private func title(_ title: String, _ count: Int) throws {
      if !printing.json, count > 0 { try CommandOutput.print(["", title]) }
    }

    private func list(_ list: DeviceList, as name: String, _ title: String, _ count: Int, _ inspection: Inspection) async throws {
      try self.title(title, count)
      var rest = all ? Int.max : limit
      var place: Int64?
      while rest > 0 {
        let page = try await inspection.drafts(in: list, after: place, limit: min(rest, Inspection.pageLimit))
        for draft in page.drafts {
          if printing.json { try CommandOutput.printJSON([name: draft]) } else { try CommandOutput.print(shown: ["  " + text.line(draft)]) }
        }
        rest -= page.drafts.count
        place = page.next
        if place == nil { return }
      }
      if !printing.json, count > limit { try CommandOutput.print("  … \(count - limit) more; see --all") }
    }

    private func verdicts(_ count: Int, _ inspection: Inspection) async throws {
      try title("Decided, without an entry in this file:", count)
      let wanted = all ? count : min(count, limit)
      var shown = 0
      while shown < wanted {
        let page = try await inspection.verdicts(skipping: shown, limit: min(wanted - shown, Inspection.pageLimit))
        guard !page.verdicts.isEmpty else { return }
        for verdict in page.verdicts {
          if printing.json {
            try CommandOutput.printJSON(["verdict": verdict])
          } else {
            try CommandOutput.print(shown: ["  " + text.line(verdict)])
          }
        }
        shown += page.verdicts.count
      }
      if !printing.json, count > wanted { try CommandOutput.print("  … \(count - wanted) more; see --all") }
    }
  }
#endif
