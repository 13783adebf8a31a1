#if Inspector
  import AlterJournal
  import ArgumentParser

  /// `verify`: verifies the journal, and reports the first damage, or each part of an undamaged journal that can't be read.
  struct VerifyCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "verify", abstract: "Verify the whole journal. The exit status for damage, and for an entry that can't be read, is 65."
      )
    }

    @OptionGroup var source: Source
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
      try await source.work(common) { inspection in
        let result = try await inspection.verify()
        if printing.json { try CommandOutput.printJSON(result) }
        guard result.isSound else {
          let problems = result.findings.isEmpty ? [result.problem ?? "the journal is damaged"] : result.findings.map(\.problem)
          if !printing.json { for problem in problems { CommandOutput.complain(problem) } }
          throw ExitCode(CommandStatus.badData)
        }
        if !printing.json {
          let floor = result.floor > 0 ? " after the floor, revision \(result.floor)," : ""
          let device = result.sync?.device.map {
            " with \(SyncText.count($0.drafts, "draft")) in the outbox and \(SyncText.count($0.refusals, "refusal")),"
          }
          let seconds = Double(Int(result.seconds * 1_000)) / 1_000
          try CommandOutput.print("Sound: \(result.revision - result.floor) entries,\(floor)\(device ?? "") in \(seconds) s.")
        }
      }
    }
  }

  /// `stats`: prints the sizes of the parts of the journal.
  struct StatsCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(commandName: "stats", abstract: "Count entries and bytes: by kind, origin, feedback and day.")
    }

    @OptionGroup var source: Source
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
      try await source.work(common) { inspection in
        let stats = try await inspection.stats()
        if printing.json { return try CommandOutput.printJSON(stats) }
        var lines = ["\(stats.revision - stats.floor) entries, \(stats.bytes) bytes"]
        if let sync = stats.sync {
          lines += SyncText(sync: sync, floor: stats.floor).lines
        } else if stats.floor > 0 {
          lines.append(SyncText.floor(stats.floor))
        }
        lines.append(
          "payloads: median \(stats.payloads.median) bytes, largest \(stats.payloads.largest)"
            + (stats.payloads.revision.map { " (revision \($0))" } ?? ""))
        for (name, shares) in [
          ("kind", stats.kinds), ("origin", stats.origins), ("feedback", stats.feedbacks), ("day (UTC)", stats.days),
        ] where !shares.isEmpty {
          lines.append("by \(name):")
          // At most 20 of each, the newest days and the first of the others; `--json` contains all.
          let shown = name == "day (UTC)" ? Array(shares.suffix(20)) : Array(shares.prefix(20))
          let width = shown.map { String($0.count).count }.max() ?? 0
          for share in shown {
            let count = String(share.count)
            lines.append("  \(String(repeating: " ", count: width - count.count))\(count)  \(share.name)  (\(share.bytes) bytes)")
          }
          if shown.count < shares.count { lines.append("  … \(shares.count - shown.count) more") }
        }
        lines.append(
          "snapshots: \(stats.snapshots.count)" + (stats.snapshots.first.map { ", the newest at \($0.revision) (\($0.bytes) bytes)" } ?? "")
        )
        try CommandOutput.print(lines)
      }
    }
  }

  /// `bisect`: finds the entry at which a condition changes its value.
  struct BisectCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "bisect", abstract: "Find the entry at which a condition of the app changed.",
        discussion: "A binary search finds one of the changes. --scan checks every entry and finds the first change.")
    }

    @OptionGroup var source: Source
    @Argument(help: "The name of a condition that the app has registered.") var condition: String
    @Flag(help: "Check every entry.") var scan = false
    @Option(help: ArgumentHelp("The first revision to check; 1 by default.", valueName: "revision")) var from: Int64?
    @Option(help: ArgumentHelp("The last revision to check; the newest by default.", valueName: "revision")) var to: Int64?
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      try OptionNumber.check(from, "--from", in: 0...Int64.max)
      try OptionNumber.check(to, "--to", in: 0...Int64.max)
    }

    func run() async throws {
      try await source.work(common) { inspection in
        let turning = try await inspection.bisect(condition, from: from, to: to, scan: scan)
        if printing.json { return try CommandOutput.printJSON(turning) }
        guard let revision = turning.revision else {
          return try CommandOutput.print(
            "The condition is \(turning.was) at both ends\(scan ? ", and at every entry between" : "; it may differ in between (see --scan)")."
          )
        }
        try CommandOutput.print("The condition changed from \(turning.was) to \(turning.is) at revision \(revision):")
        let rows = try await inspection.entries(after: revision - 1, limit: 1).entries
        let text = RowText(style: CommandOutput.style, columns: CommandOutput.columns, width: 0)
        try CommandOutput.print(shown: rows.map(text.line))
      }
    }
  }
#endif
