#if InspectorServer && SQLite
  import Alter
  import AlterInspector
  import AlterInspectorServer
  import AlterSQLite
  import Testing

  /// The state of the guide "Debugging with the inspector".
  struct Board: Journaled, Hashable {
    enum Change: Hashable, Codable { case title(String) }

    private(set) var title = ""

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .title(let title): self.title = title
      }
    }
  }

  extension Board: Inspectable {
    static func journal(at location: String?) async throws -> any Journal {
      try await SQLiteJournal(at: location ?? "board.db", isReadOnly: true)
    }
  }
  // Add `InspectorCommand<Board>.self`, or `InspectorServerCommand<Board>.self` with a web page, to the subcommands of your own command.

  @Suite("The guide's inspector")
  struct GuideInspector {
    @Test("has every command, and opens nothing that is not there")
    func commands() async throws {
      let names = InspectorCommand<Board>.configuration.subcommands.compactMap { $0.configuration.commandName }
      #expect(Set(["log", "show", "diff", "verify", "stats", "export", "bisect", "tail"]).isSubset(of: names))
      #expect(!names.contains("serve"))
      #expect(InspectorServerCommand<Board>.configuration.subcommands.compactMap { $0.configuration.commandName } == names + ["serve"])
      await #expect(throws: JournalError.self) { try await Board.journal(at: "/nowhere/board.db") }
    }
  }
#endif
