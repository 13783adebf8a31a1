#if Inspector
  import AlterJournal
  import _AlterTerminal
  import ArgumentParser

  /// `show`: prints an entry, and the state after it.
  struct ShowCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(commandName: "show", abstract: "Show an entry and the state after it. The default is the newest entry.")
    }

    @OptionGroup var source: Source
    @Argument(help: "The revision of the entry.") var revision: Int64?
    @Option(help: ArgumentHelp("Show only this part of the state: a JSON Pointer, such as /items/0.", valueName: "pointer")) var path = ""
    @Option(help: "The number of levels of the state to show.") var depth = 2
    @Option(help: "The number of values to show on each level.") var limit = 50
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      try OptionNumber.check(revision, "the revision", in: 0...Int64.max)
      try OptionNumber.check(depth, "--depth", in: 1...1_000)
      try OptionNumber.check(limit, "--limit", in: 0...1_000)
    }

    /// The output of `--json`.
    struct Output: Encodable {
      struct Part: Encodable {
        let at: Int64
        let exact: Bool
        let path: String
        let value: JSONValue
      }
      let entry: Detail
      let state: Part
    }

    func run() async throws {
      try await source.work(common) { inspection in
        let overview = try await inspection.overview()
        let (head, floor) = (overview.revision, overview.floor)
        guard head > 0 else { return try CommandOutput.print("The journal is empty.") }
        // The floor has a state, and no entry.
        if floor > 0, revision ?? head == floor, !printing.json {
          try CommandOutput.print(SyncText.below(floor))
          return try await CommandOutput.print(lines(of: inspection, at: floor))
        }
        let detail = try await inspection.detail(revision ?? head)
        if printing.json {
          let (value, at, isExact) = try await inspection.wholeState(at: detail.row.revision)
          guard let part = StateTree(root: value).value(at: path) else {
            throw InspectionError(.notFound, "The state at revision \(at) has nothing at '\(path)'.")
          }
          return try CommandOutput.printJSON(Output(entry: detail, state: Output.Part(at: at, exact: isExact, path: path, value: part)))
        }
        if path.isEmpty { try CommandOutput.print(shown: Self.lines(detail)) }
        try await CommandOutput.print(lines(of: inspection, at: detail.row.revision))
      }
    }

    private static func lines(_ detail: Detail) -> [String] {
      let row = detail.row
      var lines = [RowText(style: CommandOutput.style, columns: nil, width: 0).line(row)]
      func list(_ revisions: [Int64]) -> String { revisions.map(String.init).joined(separator: ", ") }
      lines.append(
        "  origin \(row.origin), sequence \(row.sequence); schema \(detail.schema); \(detail.size) bytes; checksum \(detail.checksum)")
      if let receipt = row.receipt { lines.append("  sent by \(receipt.sender), arrived \(CommandOutput.text(time: receipt.arrival))") }
      if let refusal = row.refusal {
        lines.append("  refuses the draft \(row.origin)#\(row.sequence), hash \(refusal.hash): \(refusal.code)")
      }
      if let required = row.cause?.requires { lines.append("  requires \(required)") }
      if let first = row.cause?.retries { lines.append("  retries \(first)") }
      if let taker = detail.takenBackBy { lines.append("  undone by \(taker)") }
      if !detail.takesBack.isEmpty { lines.append("  undoes \(list(detail.takesBack))") }
      if !detail.answers.isEmpty { lines.append("  answered by \(list(detail.answers))") }
      return lines
    }

    private func lines(of inspection: Inspection, at revision: Int64) async throws -> [String] {
      let answer = try await inspection.state(at: revision, path: path, limit: limit)
      var lines = ["state at \(answer.at)\(path.isEmpty ? "" : ", \(path)"):"]
      if !answer.exact {
        lines = [
          "Without the app's types, the state at \(answer.asked) is not known. The nearest known state before it, at \(answer.at)\(path.isEmpty ? "" : ", \(path)"):"
        ]
      }
      guard let children = answer.node.children, answer.node.count > 0 else { return lines + ["  \(answer.node.text)"] }
      try await add(children, of: answer.node.count, at: revision, indentation: "  ", levels: depth - 1, to: &lines, in: inspection)
      return lines
    }

    private func add(
      _ nodes: [Node], of count: Int, at revision: Int64, indentation: String, levels: Int, to lines: inout [String],
      in inspection: Inspection
    ) async throws {
      for node in nodes {
        guard levels > 0, node.count > 0 else {
          lines.append("\(indentation)\(node.key): \(node.text)")
          continue
        }
        lines.append("\(indentation)\(node.key):" + (node.kind == .array ? "  (\(node.count))" : ""))
        let inner = try await inspection.state(at: revision, path: node.path, limit: limit).node
        try await add(
          inner.children ?? [], of: inner.count, at: revision, indentation: indentation + "  ", levels: levels - 1, to: &lines,
          in: inspection)
      }
      if nodes.count < count { lines.append("\(indentation)… \(count - nodes.count) more") }
    }
  }

  /// `diff`: prints the differences between two states.
  struct DifferenceCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "diff", abstract: "Show the differences between the states at two revisions. The second is the newest by default.",
        discussion: "+ added, - removed, ~ changed, > moved. Elements that have an id are matched by it.")
    }

    @OptionGroup var source: Source
    @Argument(help: "The older revision.") var from: Int64
    @Argument(help: "The newer revision.") var to: Int64?
    @Option(help: "The largest number of differences to show.") var limit = 500
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      try OptionNumber.check(from, "the older revision", in: 0...Int64.max)
      try OptionNumber.check(to, "the newer revision", in: 0...Int64.max)
      try OptionNumber.check(limit, "--limit", in: 0...1_000_000)
    }

    func run() async throws {
      try await source.work(common) { inspection in
        let answer = try await inspection.difference(from: from, to: to, limit: limit)
        if printing.json { return try CommandOutput.printJSON(answer) }
        if answer.areUnknown {
          return try CommandOutput.print(
            """
            Without the app's types, these states are not known: the nearest known state before both is the one at \(answer.from). The entries between \
            them may differ in any part; `log` lists them.
            """)
        }
        if !answer.exact {
          try CommandOutput.print(
            "Without the app's types, only some states are known. The compared states are those at \(answer.from) and \(answer.to).")
        }
        if answer.differences.isEmpty, answer.isComplete {
          try CommandOutput.print(common.hidden.isEmpty ? "The states are equal." : "The states are equal, apart from hidden values.")
        }
        try CommandOutput.print(shown: answer.differences.map(Self.line))
        if !answer.isComplete { try CommandOutput.print("… and more; see --limit") }
      }
    }

    private static func line(_ difference: StateDifference) -> String {
      let (sign, look, text): (String, TextStyle.Look, String) =
        switch difference.kind {
        case .added: ("+", .added, difference.new ?? "")
        case .removed: ("-", .removed, difference.old ?? "")
        case .changed: ("~", .changed, "\(difference.old ?? "") → \(difference.new ?? "")")
        case .moved: (">", .moved, "from place \(difference.old ?? "") to \(difference.new ?? "")")
        }
      return CommandOutput.style.show("\(sign) \(difference.path): \(text)", look)
    }
  }
#endif
