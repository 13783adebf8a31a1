import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo export`
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the list as a todo.txt file.",
      discussion: "What was imported and not altered since is written with the same bytes.")

    @OptionGroup var store: StoreLocation

    @Argument(help: "The file, which is replaced as a whole or not at all; the standard output without one.")
    var file: String?

    mutating func run() async throws {
      guard let file, file != "-" else { return try Console.write(TodoTxtWriter.bytes(of: try await Session.state(store))) }
      // Most likely a slip in naming the store, which must not cost the file that is there.
      let path = try store.find().path
      guard Session.exists(path) else { throw CommandError(.noSuchThing, "there is no list '\(path)' to export; '\(file)' is as it was") }
      try OutputFile.replace(file, with: TodoTxtWriter.bytes(of: try await Session.state(store)))
    }
  }
#endif
