#if Inspector
  import AlterCore
  import AlterJournal
  import ArgumentParser

  /// The options of the commands that decide about a restored journal.
  package struct RestoredJournal: ParsableArguments {
    @Argument(help: ArgumentHelp("The server's SQLite file, or the address of its database.", valueName: "journal"), completion: .file())
    var location: String
    @Option(help: "The key of the journal, if the file or the database holds several.") var key = "main"
    @Flag(help: "Print the plan, and change nothing.") var dryRun = false

    package init() {}

    /// Opens the journal, and prints the errors of work on it.
    func work<Opener: JournalOpener>(_ opener: Opener.Type, _ body: (any Journal) async throws -> Void) async throws {
      CommandOutput.begin()
      do {
        let journal = try await dryRun ? Opener.journal(at: location, key: key) : Opener.writableJournal(at: location, key: key)
        do { try await body(journal) } catch {
          await journal.close()
          throw error
        }
        await journal.close()
      } catch {
        guard let (message, status) = CommandOutput.told(error) else { throw error }
        CommandOutput.complain(message)
        throw ExitCode(status)
      }
    }
  }

  /// `recover`: appends the entries that a restored server's journal lacks, from the file of a device.
  package struct RecoverCommand<Opener: JournalOpener>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "recover", abstract: "Append the entries that a restored server's journal lacks, from the file of a device.",
        discussion: """
          The devices then continue without a notice. Stop the server first, choose the device with the newest entries, and start the server \
          afterwards. The origins of the recovered changes belong to the first user that uses them again.

          Example:
            alter recover server.db --from phone.db --from-key lists/42 --dry-run
          """)
    }

    @OptionGroup var restored: RestoredJournal
    @Option(help: ArgumentHelp("The file of the device, or a copy of it.", valueName: "file"), completion: .file()) var from: String
    @Option(help: "The key of the journal in the device's file.") var fromKey = "main"

    package init() {}

    package func run() async throws {
      try await restored.work(Opener.self) { journal in
        let mirror = try await Opener.journal(at: from, key: fromKey)
        do { try await recover(journal, from: mirror) } catch {
          await mirror.close()
          throw error
        }
        await mirror.close()
      }
    }

    private func recover(_ journal: any Journal, from mirror: any Journal) async throws {
      let (position, end, _) = try await journal.recovery(from: mirror)
      let count = end.revision - position.head.revision
      try CommandOutput.print([
        "The journal ends at revision \(position.head.revision), and the device's copy of it at \(end.revision).",
        count == 0
          ? "No entry is missing. A new generation begins, and the devices continue."
          : "\(count == 1 ? "The missing entry is" : "The \(count) missing entries are") appended. A new generation begins, and the devices continue.",
      ])
      guard !restored.dryRun else { return try CommandOutput.print("Nothing was changed.") }
      try await journal.recover(from: mirror)
      try CommandOutput.print("Done. The server can start.")
    }
  }

  /// `discard`: gives up the entries that a restored server's journal lacks.
  package struct DiscardCommand<Opener: JournalOpener>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "discard", abstract: "Give up the entries that a restored server's journal lacks.",
        discussion: """
          The devices then take the journal as it is. Each lists its accepted changes that are missing as refused, with the code 'lost', and its \
          user can make them again. Stop the server first. To get the entries back from a device instead, use 'alter recover'.

          Example:
            alter discard server.db --dry-run
          """)
    }

    @OptionGroup var restored: RestoredJournal

    package init() {}

    package func run() async throws {
      try await restored.work(Opener.self) { journal in
        let end = try await journal.head().revision
        try CommandOutput.print([
          "The journal ends at revision \(end). A new generation begins: the devices give up the entries after it,",
          "and list those of their own as lost. Changes that were never decided stay on the devices.",
        ])
        guard !restored.dryRun else { return try CommandOutput.print("Nothing was changed.") }
        try await journal.discardLostEntries()
        try CommandOutput.print("Done. The server can start.")
      }
    }
  }
#endif
