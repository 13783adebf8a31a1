#if Inspector || Examples
  import AlterJournal
  import ArgumentParser

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// `export`: the journal as JSON lines.
  struct ExportCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "export", abstract: "Write the journal as JSON lines, to the standard output or a new file. Every entry is checked.",
        discussion: "With --hide the export says that it can't be imported.")
    }

    @OptionGroup var source: Source
    @Argument(help: "The new file.", completion: .file()) var file: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
      try await source.work(common) { inspection in
        guard let file else {
          return try await inspection.export { try CommandOutput.write(Array($0), to: STDOUT_FILENO, "the standard output") }
        }
        // Nothing is written over, and nobody else may read it.
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
          let advice = errno == EEXIST ? "Choose another name." : "Name another place."
          CommandOutput.complain("can't make '\(file)': \(String(cString: strerror(errno))). \(advice)")
          throw ExitCode(73)
        }
        do {
          try await inspection.export { try CommandOutput.write(Array($0), to: descriptor, "'\(file)'") }
        } catch {
          // Half an export must not look like a whole one.
          close(descriptor)
          unlink(file)
          throw error
        }
        guard fsync(descriptor) == 0, close(descriptor) == 0 else {
          CommandOutput.complain("can't write '\(file)': \(String(cString: strerror(errno)))")
          throw ExitCode(74)
        }
      }
    }
  }

  /// `tail`: what comes.
  struct TailCommand<Source: InspectorSource>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(commandName: "tail", abstract: "Print entries as they come, until you end it (Ctrl-C).")
    }

    @OptionGroup var source: Source
    @Option(help: ArgumentHelp("Begin with this entry, instead of the next new one.", valueName: "revision")) var from: Int64?
    @OptionGroup var printing: PrintingOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
      try await source.work(common) { inspection in
        let head = try await inspection.entries(before: nil, limit: 1).revision
        let text = RowText(hasColours: CommandOutput.hasColours, columns: CommandOutput.columns, width: String(head).count)
        var known = from.map { $0 - 1 } ?? head
        for await news in inspection.news(readingAll: false) {
          if case .gone(let why) = news {
            CommandOutput.complain(why)
            throw ExitCode(CommandStatus.badData)
          }
          guard case .head(let head) = news else { continue }
          while known < head {
            let rows = try await inspection.entries(after: known, limit: Inspection.pageLimit)
            for row in rows.entries {
              if printing.json { try CommandOutput.printJSON(row) } else { try CommandOutput.print(text.line(row)) }
            }
            if let problem = rows.problem { CommandOutput.complain(problem) }
            known = min(head, known + Int64(Inspection.pageLimit))
          }
        }
      }
    }
  }
#endif
