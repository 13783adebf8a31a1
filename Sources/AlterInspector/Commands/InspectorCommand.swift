#if Inspector
  import AlterJournal
  public import ArgumentParser

  /// The inspector as a command of an app's own executable, with the app's types.
  ///
  /// ```swift
  /// @main struct MyApp: AsyncParsableCommand {
  ///   static let configuration = CommandConfiguration(subcommands: [Run.self, InspectorCommand<AppState>.self])
  /// }
  /// ```
  ///
  /// The executable then has the commands `myapp inspect log`, `myapp inspect show 42` and so on. ``Inspectable`` opens the journal.
  /// `InspectorServerCommand` of the product `AlterInspectorServer` has `serve`, too, which shows the journal as a web page.
  public struct InspectorCommand<State: Inspectable>: AsyncParsableCommand {
    /// The name of the command, its help and its subcommands.
    public static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "inspect", abstract: "Inspect the journal, at the newest revision or at any earlier one. Nothing is changed.",
        subcommands: inspectorCommands(TypedSource<State>.self, whole: TypedJournal<State>.self))
    }

    /// Creates the command; its parser sets the properties.
    public init() {}
  }

  /// Returns all commands that need no web server.
  ///
  /// - Parameters:
  ///   - source: The source of the commands that have arguments of their own.
  ///   - whole: The source of the commands that have none, so that the journal may be their argument.
  package func inspectorCommands<Source: InspectorSource, Whole: InspectorSource>(
    _ source: Source.Type, whole: Whole.Type
  ) -> [any ParsableCommand.Type] {
    [
      LogCommand<Whole>.self, ShowCommand<Source>.self, DifferenceCommand<Source>.self, OutboxCommand<Whole>.self,
      VerifyCommand<Whole>.self, StatsCommand<Whole>.self, ExportCommand<Source>.self, BisectCommand<Source>.self, TailCommand<Whole>.self,
    ]
  }

  extension ParsableCommand {
    /// Ends the process after an error: it prints help, or a message about the command line, or nothing if the error was already printed,
    /// and sets the exit status.
    package static func end(with error: any Error) -> Never {
      // The message of a malformed command line quotes it, so it must be escaped.
      if !(error is ExitCode), exitCode(for: error) != .success {
        CommandOutput.complain("\(message(for: error))\nSee '\(configuration.commandName ?? "") --help'.")
        exit(withError: ExitCode(exitCode(for: error) == .validationFailure ? CommandStatus.usage : CommandStatus.internalError))
      }
      exit(withError: error)
    }
  }

  /// The part of a command line that names the journal.
  package protocol InspectorSource: ParsableArguments {
    /// Opens the journal.
    ///
    /// - Parameter hiding: The keys whose values are hidden.
    /// - Returns: The inspection, and its journal, which the caller closes.
    func open(hiding: Hiding) async throws -> (inspection: Inspection, journal: any Journal)
  }

  /// The journal of an app with its types.
  struct TypedSource<State: Inspectable>: InspectorSource {
    @Option(
      name: [.long, .customLong("store")],
      help: ArgumentHelp("The location of the journal, if it is not the default.", valueName: "location"))
    var journal: String?

    func open(hiding: Hiding) async throws -> (inspection: Inspection, journal: any Journal) {
      let journal = try await State.journal(at: journal)
      return (Inspection(of: journal, as: State.self, hiding: hiding, conditions: State.conditions), journal)
    }
  }

  /// The journal of an app with its types, given as an option or as an argument, as `alter` takes it.
  package struct TypedJournal<State: Inspectable>: InspectorSource {
    @OptionGroup var source: TypedSource<State>

    // The message does not repeat the location: an address may contain a password.
    @Argument(help: ArgumentHelp("The same as --journal.", valueName: "location"), completion: .file())
    var location: String?

    /// Creates the source; the parser sets the properties.
    package init() {}

    package mutating func validate() throws {
      guard let location else { return }
      guard source.journal == nil else {
        throw ValidationError("The journal is named twice: by '--journal' and by an argument. Leave one of them out.")
      }
      source.journal = location
    }

    package func open(hiding: Hiding) async throws -> (inspection: Inspection, journal: any Journal) {
      try await source.open(hiding: hiding)
    }
  }

  /// The options of every command.
  package struct CommonOptions: ParsableArguments {
    @Option(
      name: .customLong("hide"),
      help: ArgumentHelp("Hide the values of this key, at any depth. May be given several times.", valueName: "key"))
    var hidden: [String] = []

    /// Creates the options; the parser sets them.
    package init() {}
  }

  /// The output format of a command.
  package struct PrintingOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object a line.")
    package var json = false

    /// Creates the options; the parser sets them.
    package init() {}
  }
#endif
