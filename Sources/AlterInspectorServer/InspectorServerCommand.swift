#if InspectorServer
  public import AlterInspector
  public import ArgumentParser

  /// ``/AlterInspector/InspectorCommand`` with one more command: `serve` shows the journal as a web page.
  ///
  /// ```swift
  /// @main struct MyApp: AsyncParsableCommand {
  ///   static let configuration = CommandConfiguration(subcommands: [Run.self, InspectorServerCommand<AppState>.self])
  /// }
  /// ```
  ///
  /// The executable then has `myapp inspect serve` in addition to `myapp inspect log`, `myapp inspect show 42` and so on.
  public struct InspectorServerCommand<State: Inspectable>: AsyncParsableCommand {
    /// The name of the command, its help and its subcommands.
    public static var configuration: CommandConfiguration {
      var configuration = InspectorCommand<State>.configuration
      configuration.subcommands.append(ServeCommand<TypedJournal<State>>.self)
      return configuration
    }

    /// Creates the command; its parser sets the properties.
    public init() {}
  }
#endif
