#if Inspector
  import AlterJournal
  import ArgumentParser

  /// `verify`: verifies the journal, and reports the first damage.
  struct VerifyCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "verify", abstract: "Check everything that the journal holds. Damage ends with the status 65.")
    }

    @OptionGroup var source: Source
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
      try await source.work(common) { inspection in
        let result = try await inspection.verify()
        if printing.json { try CommandOutput.printJSON(result) }
        guard result.isSound else {
          if !printing.json { CommandOutput.complain(result.problem ?? "is damaged") }
          throw ExitCode(CommandStatus.badData)
        }
        if !printing.json {
          try CommandOutput.print("Sound: \(result.revision) entries, in \(Double(Int(result.seconds * 1_000)) / 1_000) s.")
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
        var lines = ["\(stats.revision) entries, \(stats.bytes) bytes"]
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
        commandName: "bisect", abstract: "Find the entry with which a condition of the app turned.",
        discussion: "By halving, which finds one of the times it turned. --scan looks at every entry, and finds the first.")
    }

    @OptionGroup var source: Source
    @Argument(help: "The condition's name, as the app has registered it.") var condition: String
    @Flag(help: "Look at every entry.") var scan = false
    @Option(help: ArgumentHelp("Where to begin.", valueName: "revision")) var from: Int64?
    @Option(help: ArgumentHelp("Where to end.", valueName: "revision")) var to: Int64?
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
            "It is \(turning.was) at both ends\(scan ? ", and all the way" : "; in between it may have turned (--scan)").")
        }
        try CommandOutput.print("With revision \(revision) it turned from \(turning.was) to \(turning.is):")
        let rows = try await inspection.entries(after: revision - 1, limit: 1).entries
        let text = RowText(style: CommandOutput.style, columns: CommandOutput.columns, width: 0)
        try CommandOutput.print(shown: rows.map(text.line))
      }
    }
  }
#endif
