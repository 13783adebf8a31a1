#if Inspector
  import AlterJournal
  import ArgumentParser

  /// `log`: lists the timeline, newest first.
  struct LogCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "log", abstract: "List entries, newest first: revision, time, origin and change.",
        discussion: """
          Undone entries are struck through on a terminal, and marked (undone) elsewhere. A refused change has an entry with its id and the code of the \
          refusal. Changes that a device has not sent yet are no entries: see 'outbox'.
          """)
    }

    @OptionGroup var source: Source
    @Option(help: "Only entries with this text in the change, the cause or the origin, ignoring case.") var text = ""
    @Option(help: "Only this kind: initial, changes, reset, undo, redo or refused. May be given several times.") var kind: [Entry.Kind] = []
    @Option(help: "Only entries of the origin whose id begins with this text.") var origin = ""
    @Option(help: "Only entries of this undo scope.") var scope: String?
    @Option(
      help: ArgumentHelp("Only entries since this time: 2026-12-01, 2026-12-01T09:30:00Z, or microseconds since 1970.", valueName: "time"))
    var since: String?
    @Option(help: ArgumentHelp("Only entries until this time.", valueName: "time")) var until: String?
    @Flag(inversion: .prefixedNo, help: "Only undone entries, or only entries in force.") var undone: Bool?
    @Option(help: ArgumentHelp("Only entries before this revision.", valueName: "revision")) var before: Int64?
    @Option(help: "The largest number of entries to list.") var limit = 50
    @Flag(help: "List all entries, whatever --limit is.") var all = false
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
      let query = try query()
      try await source.work(common) { inspection in
        let head = try await inspection.entries(before: nil, limit: 1).revision
        let text = RowText(
          style: CommandOutput.style, columns: CommandOutput.columns,
          width: String(min(head, before.map { $0 - 1 } ?? head)).count)
        let overview = printing.json ? nil : try await inspection.overview()
        if before == nil, let drafts = overview?.sync?.device?.drafts, drafts > 0 {
          try CommandOutput.print("\(SyncText.count(drafts, "change")) in the outbox, not in this list: see 'outbox'.")
        }
        var rest = all ? Int.max : limit
        // The first page is small, so that it appears at once; the following ones are larger.
        var (position, page) = (before, 50)
        while rest > 0 {
          let found = try await inspection.search(query, before: position, limit: min(page, rest), lasting: .seconds(1))
          if printing.json {
            for row in found.entries { try CommandOutput.printJSON(row) }
          } else {
            try CommandOutput.print(shown: found.entries.map(text.line))
          }
          rest -= found.entries.count
          guard let next = found.next else {
            if let floor = overview?.floor, floor > 0 { try CommandOutput.print(SyncText.below(floor)) }
            break
          }
          (position, page) = (next, Inspection.pageLimit)
        }
      }
    }

    private func query() throws -> Inspection.Query {
      var query = Inspection.Query()
      query.text = text
      query.kinds = Set(kind)
      query.origin = origin
      query.scope = scope
      query.from = try time(since, "--since")
      query.to = try time(until, "--until")
      query.undone = undone
      return query
    }

    private func time(_ text: String?, _ option: String) throws -> Int64? {
      guard let text else { return nil }
      guard let time = CommandOutput.time(text) else {
        throw ValidationError("\(option) needs a time like 2026-12-01, 2026-12-01T09:30:00Z, or microseconds since 1970, not '\(text)'")
      }
      return time
    }

    func validate() throws {
      try OptionNumber.check(limit, "--limit", in: 0...Int.max)
      try OptionNumber.check(before, "--before", in: 1...Int64.max)
    }
  }

  extension Entry.Kind: ExpressibleByArgument {}
#endif
