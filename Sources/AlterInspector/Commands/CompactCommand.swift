#if Inspector
  import AlterCore
  import AlterJournal
  import ArgumentParser

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// `compact`: gives up the oldest entries of a journal.
  package struct CompactCommand<Opener: JournalOpener>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "compact", abstract: "Give up the oldest entries.",
        discussion: """
          The journal then begins at a stored snapshot: the newest one that leaves all entries to keep. The entries before it, and the states \
          between them, can't be read any more, and their changes can't be undone. A request of a durable feedback that is still open, and \
          whose entry goes, gets another idempotency key. Programs that have the journal open continue. Make a backup first. The next compaction finishes one that was interrupted.

          Examples:
            alter compact todo.db --keep 90d --dry-run
            alter compact todo.db --keep 10000 --vacuum
          """)
    }

    @Argument(help: ArgumentHelp("The SQLite file, or the address of a database.", valueName: "journal"), completion: .file())
    var location: String
    @Option(help: "The key of the journal, if the file or the database holds several.") var key = "main"
    @Option(
      help: ArgumentHelp("The entries to keep: those of the last days, as in 90d, or a number of entries, as in 10000.", valueName: "range")
    )
    var keep: Kept
    @Flag(help: "Print the plan, and change nothing.") var dryRun = false
    @Flag(help: "Rewrite the file, so that it becomes smaller at once. All writers wait meanwhile, and the disk needs space for a copy.")
    var vacuum = false
    @OptionGroup var printing: PrintingOptions

    package init() {}

    package func validate() throws {
      if dryRun, vacuum { throw ValidationError("--vacuum has no effect with --dry-run. Leave one of them out.") }
    }

    /// The value of `--keep`.
    package struct Kept: ExpressibleByArgument, Sendable {
      enum Range: Sendable {
        case days(Int64)
        case entries(Int)
      }

      let range: Range

      package init?(argument: String) {
        let isDays = argument.hasSuffix("d")
        let digits = isDays ? argument.dropLast() : argument[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(digits) else { return nil }
        range = isDays ? .days(number) : .entries(Int(clamping: number))
      }

      func resolved(now: Int64) -> CompactionRange {
        switch range {
        case .entries(let count): return .last(count)
        case .days(let days):
          let (length, isTooLong) = days.multipliedReportingOverflow(by: 86_400_000_000)
          return .since(isTooLong ? .min : now.saturatingSubtracting(length))
        }
      }
    }

    /// The line of `--json`.
    private struct Result: Encodable {
      let floor: Int64
      let revision: Int64
      let entries: Int
      let bytes: Int64
      let limitation: String?
      let isDone: Bool
      let free: Int64?
    }

    package func run() async throws {
      CommandOutput.begin()
      do {
        let journal = try await dryRun ? Opener.journal(at: location, key: key) : Opener.writableJournal(at: location, key: key)
        do {
          try await work(on: journal)
          await journal.close()
        } catch {
          await journal.close()
          throw error
        }
      } catch {
        guard let (message, status) = CommandOutput.told(error) else { throw error }
        CommandOutput.complain(message)
        throw ExitCode(status)
      }
    }

    private func work(on journal: any Journal) async throws {
      let plan = try await journal.compactionPlan(keeping: keep.resolved(now: Date().microseconds))
      var free: FreeSpace?
      if !dryRun {
        try await journal.compact(plan)
        if vacuum { try await journal.vacuumed() }
        free = try await journal.capabilities.space?.freeSpace()
      }
      if printing.json {
        return try CommandOutput.printJSON(
          Result(
            floor: plan.floor.number, revision: plan.head.revision.number, entries: plan.entries, bytes: plan.bytes,
            limitation: plan.limitation, isDone: !dryRun, free: free?.bytes))
      }
      try CommandOutput.print(lines(of: plan, free: free))
    }

    private static var noFile: String { "--vacuum has no effect on a database. VACUUM FULL, an SQL command, returns its free space." }

    private func lines(of plan: CompactionPlan, free: FreeSpace?) -> [String] {
      var lines: [String] = []
      if plan.entries > 0 {
        let went = plan.entries == 1 ? "1 entry" : "\(plan.entries) entries"
        lines.append(
          "\(dryRun ? "Would go" : "Gone"): \(went) up to revision \(plan.floor), \(plan.bytes) bytes. "
            + "Kept: \(plan.head.revision - plan.floor) up to \(plan.head.revision).")
        if let why = plan.limitation { lines.append("A later beginning is not possible: \(why).") }
      } else {
        lines = [
          "No entry can go: \(plan.limitation ?? "the journal is empty").",
          "A journal can begin only at a stored snapshot. The app's stores make snapshots as the journal grows.",
        ]
      }
      if dryRun { lines.append("Nothing was changed.") }
      if vacuum { lines.append(free == nil ? Self.noFile : "The file was rewritten.") }
      if let free, free.bytes > 0, !free.isReturned {
        lines.append("The file has \(free.bytes) free bytes, which new entries use. --vacuum returns them to the system.")
      }
      return lines
    }
  }
#endif
