#if Inspector
  import AlterCore
  import AlterJournal
  import _AlterTerminal
  import ArgumentParser

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// `export`: writes the journal as JSON lines.
  struct ExportCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "export", abstract: "Write the journal as JSON lines, to the standard output or a new file. Every entry is checked.",
        discussion: "An export with --hide is marked, and can't be imported.")
    }

    @OptionGroup var source: Source
    @Argument(help: "The new file; the standard output by default.", completion: .file()) var file: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
      // This check must run before the journal is open; see `JournalFiles.place`.
      if let file, let place = JournalFiles.place(of: file) {
        CommandOutput.complain("can't create '\(file.printable)': \(place.refusal)")
        throw ExitCode(73)
      }
      try await source.work(common) { inspection in
        guard let file else {
          return try await inspection.export { lines in
            // A file or a pipe receives the exact bytes. On a terminal, JSON escapes with the same meaning replace control characters.
            let bytes = TextOutput.standard.isTerminal ? Array(String(decoding: lines, as: UTF8.self).printableJSON.utf8) : Array(lines)
            try CommandOutput.write(bytes, to: STDOUT_FILENO, "the standard output")
          }
        }
        // An existing file is not overwritten, and other users cannot read the new one.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
          let advice = errno == EEXIST ? "Choose another name." : "Choose another place."
          CommandOutput.complain("can't create '\(file.printable)': \(String(cString: strerror(errno))). \(advice)")
          throw ExitCode(73)
        }
        do {
          try await inspection.export { try CommandOutput.write(Array($0), to: descriptor, "'\(file.printable)'") }
        } catch {
          // An incomplete export must not look like a complete one.
          close(descriptor)
          unlink(file)
          throw error
        }
        let synced = syncToDisk(descriptor)
        let code = close(descriptor) == 0 || synced != 0 ? synced : errno
        guard code == 0 else {
          CommandOutput.complain("can't write '\(file.printable)': \(String(cString: strerror(code)))")
          throw ExitCode(74)
        }
      }
    }
  }

  /// `tail`: prints new entries as they arrive.
  struct TailCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(commandName: "tail", abstract: "Print new entries as they arrive, until Ctrl-C.")
    }

    @OptionGroup var source: Source
    @Option(help: ArgumentHelp("Begin with this revision instead of the next new entry.", valueName: "revision")) var from: Int64?
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try OptionNumber.check(from, "--from", in: 1...Int64.max) }

    func run() async throws {
      try await source.work(common) { inspection in
        let head = try await inspection.entries(before: nil, limit: 1).revision
        let text = RowText(style: CommandOutput.style, columns: CommandOutput.columns, width: String(head).count)
        if let from, from - 1 > head {
          throw InspectionError(
            .notFound, "There is no revision \(from) yet: the journal ends at \(head). Begin with \(head + 1) or earlier.")
        }
        var known = from.map { $0 - 1 } ?? head
        for await news in inspection.news(readingAll: false) {
          if case .gone(let why) = news {
            CommandOutput.complain(why)
            throw ExitCode(CommandStatus.badData)
          }
          guard case .head(let head, _) = news else { continue }
          while known < head {
            let rows = try await inspection.entries(after: known, limit: Inspection.pageLimit)
            for row in rows.entries {
              if printing.json { try CommandOutput.printJSON(row) } else { try CommandOutput.print(shown: [text.line(row)]) }
            }
            if let problem = rows.problem { CommandOutput.complain(problem) }
            known = min(head, known.saturatingAdding(Int64(Inspection.pageLimit)))
          }
        }
      }
    }
  }
#endif
