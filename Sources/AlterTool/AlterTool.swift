#if Inspector
  import AlterCore
  import AlterInspector
  import ArgumentParser

  #if InspectorServer
    import AlterInspectorServer
  #endif

  /// The inspector without the types of an app. It reads any journal in a SQLite file or a PostgreSQL database.
  @main struct AlterTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "alter",
      abstract:
        "Inspect any journal of Alter, at the newest revision or at any earlier one. Only 'compact', 'recover' and 'discard' change a journal.",
      discussion: """
        Examples:
          alter log todo.db --text milk
          alter show todo.db 42
          alter diff todo.db 1 42
          alter verify postgres://db.example.org/shop --key orders
          alter trace 1f0c9a3e#7 phone.db laptop.db server.db
          alter compact todo.db --keep 90d --dry-run
          alter recover server.db --from phone.db --from-key lists/42 --dry-run

        The journal holds some states as a whole. Only the app's own types can compute the states between them. An app adds the same commands, \
        with its types, by InspectorCommand<AppState>; see docs/inspector.md.
        """,
      version: AlterVersion.current,
      subcommands: inspectorCommands(JournalSource.self, whole: JournalSource.self) + server + rows
        + [
          TraceCommand<JournalSource>.self, CompactCommand<JournalSource>.self, RecoverCommand<JournalSource>.self,
          DiscardCommand<JournalSource>.self,
        ])

    /// The command `rows`, which needs SQLite.
    private static var rows: [any ParsableCommand.Type] {
      #if SQLite
        [RowsCommand.self]
      #else
        []
      #endif
    }

    /// The command `serve`, which needs a web server.
    private static var server: [any ParsableCommand.Type] {
      #if InspectorServer
        [ServeCommand<JournalSource>.self]
      #else
        []
      #endif
    }

    static func main() async {
      do {
        var command = try await asyncParseAsRoot()
        if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
      } catch {
        end(with: error)
      }
    }
  }
#else
  @main struct AlterTool {
    static func main() {
      print("this build has no commands. Build it with: swift build --traits SQLite,Inspector --product alter")
    }
  }
#endif
