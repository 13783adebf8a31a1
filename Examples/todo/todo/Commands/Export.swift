import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo export`
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the list as a todo.txt file.",
      discussion: Help.text(
        "What was imported and not altered since is written with the same bytes.", examples: "todo export todo.txt",
        "todo export | grep @home", "todo export --json state.json"))

    @OptionGroup var store: StoreLocation

    @Flag(help: "Write all of it, notes and tags too, as one JSON object, which 'todo import' reads.")
    var json = false

    @Argument(help: "The file, which is replaced as a whole or not at all; the standard output without one.", completion: .file())
    var file: String?

    mutating func run() async throws {
      guard let file, file != "-" else { return try Console.write(try bytes(of: try await Session.state(store))) }
      // Most likely a slip in naming the store, which must not cost the file that is there.
      guard try await Session.exists(store) else {
        throw CommandError(.noSuchThing, "there is no list '\(try store.name)' to export; '\(file)' is as it was")
      }
      try OutputFile.replace(file, with: try bytes(of: try await Session.state(store)))
    }

    private func bytes(of state: AppState) throws -> [UInt8] {
      json ? Array(try JournalCoding.encode(state)) + [UInt8(ascii: "\n")] : TodoTxtWriter.bytes(of: state)
    }
  }
#endif
