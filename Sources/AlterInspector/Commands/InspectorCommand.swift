#if Inspector
  import AlterJournal
  public import ArgumentParser

  /// The inspector as a command of an app's own executable, with its own types.
  ///
  /// ```swift
  /// @main struct MyApp: AsyncParsableCommand {
  ///   static let configuration = CommandConfiguration(subcommands: [Run.self, InspectorCommand<AppState>.self])
  /// }
  /// ```
  ///
  /// and `myapp inspect log`, `myapp inspect show 42`, `myapp inspect serve` are there. ``Inspectable`` says where the journal is.
  public struct InspectorCommand<State: Inspectable>: AsyncParsableCommand {
    /// How it is called, and what it can do.
    public static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "inspect", abstract: "Look at the journal: now, or at any point of its past. Nothing is changed.",
        subcommands: inspectorCommands(TypedSource<State>.self))
    }

    /// As the command line is parsed.
    public init() {}
  }

  /// Every command, for one way to come by a journal.
  package func inspectorCommands<Source: InspectorSource>(_ source: Source.Type) -> [any ParsableCommand.Type] {
    [
      LogCommand<Source>.self, ShowCommand<Source>.self, DifferenceCommand<Source>.self, VerifyCommand<Source>.self,
      StatsCommand<Source>.self, ExportCommand<Source>.self, BisectCommand<Source>.self, TailCommand<Source>.self,
      ServeCommand<Source>.self,
    ]
  }

  extension ParsableCommand {
    /// Ends the process as an error asks for: with help, with a complaint about the command line, or with the status of what was complained about already.
    package static func end(with error: any Error) -> Never {
      // The message of a wrong command line quotes it.
      if !(error is ExitCode), exitCode(for: error) != .success {
        CommandOutput.complain("\(message(for: error))\nSee '\(configuration.commandName ?? "") --help'.")
        exit(withError: ExitCode(exitCode(for: error) == .validationFailure ? CommandStatus.usage : CommandStatus.internalError))
      }
      exit(withError: error)
    }
  }

  /// Where a command's journal comes from: a part of its command line.
  package protocol InspectorSource: ParsableArguments {
    /// Opens it.
    ///
    /// - Parameter hiding: What nobody is to see.
    /// - Returns: What to ask, and the journal, which is closed afterwards.
    func open(hiding: Hiding) async throws -> (inspection: Inspection, journal: any Journal)
  }

  /// An app's own journal.
  struct TypedSource<State: Inspectable>: InspectorSource {
    @Option(
      name: [.long, .customLong("store")], help: ArgumentHelp("Which journal, instead of the usual one.", valueName: "location"))
    var journal: String?

    func open(hiding: Hiding) async throws -> (inspection: Inspection, journal: any Journal) {
      let journal = try await State.journal(at: journal)
      return (Inspection(of: journal, as: State.self, hiding: hiding, conditions: State.conditions), journal)
    }
  }

  /// What every command can be told.
  struct CommonOptions: ParsableArguments {
    @Option(
      name: .customLong("hide"),
      help: ArgumentHelp("Hide the values of this key, at any depth. May be given several times.", valueName: "key"))
    var hidden: [String] = []
  }

  /// How a command prints what it found.
  struct PrintingOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object a line.")
    var json = false
  }
#endif
