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
      let bytes = TodoTxtWriter.bytes(of: try await Session.state(store))
      if let file, file != "-" { try OutputFile.replace(file, with: bytes) } else { try Console.write(bytes) }
    }
  }
#endif
