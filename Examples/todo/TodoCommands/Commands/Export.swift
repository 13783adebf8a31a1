import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

/// `todo export`
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the list as a todo.txt file.",
    discussion: Help.text(
      "Lines that were imported and not altered since are written with the same bytes.", examples: "todo export todo.txt",
      "todo export | grep @home", "todo export --json state.json"))

  @OptionGroup var store: StoreLocation

  @Flag(help: "Write the whole list, with notes and tags, as one JSON object, which 'todo import' reads.")
  var json = false

  @Argument(help: "The file, which is replaced as a whole or not at all; the standard output without one.", completion: .file())
  var file: String?

  mutating func run() async throws {
    let target = file.flatMap { $0 == "-" ? nil : $0 }
    let kept = try keptFile(from: target)
    // The name of the store is probably wrong. The existing file must not be overwritten with an empty list.
    let isThere = target == nil ? true : try await Session.exists(store)
    if !isThere { throw try missing(target ?? "") }
    let state = try await Session.state(store)
    try write(bytes(of: state), to: target, keeping: kept)
  }

  // Separate from `run`, because the optimiser of Swift 6.3.1 crashes when all of it is in one asynchronous function.
  private func missing(_ file: String) throws -> CommandError {
    CommandError(.noSuchThing, "there is no list '\(try store.name.printable)' to export; '\(file.printable)' is unchanged")
  }

  /// The file of the list, which must not be a target; nil if the list is in a database.
  private func keptFile(from target: String?) throws -> String? {
    let path = try store.find().path
    let kept = try SharedList(path) == nil ? path : nil
    // A shell may have opened the list's own file as the standard output.
    try OutputFile.refuseJournal(target ?? OpenDescriptor.standardOutput, kept)
    return kept
  }

  private func write(_ bytes: [UInt8], to file: String?, keeping store: String?) throws {
    if let file {
      try OutputFile.replace(file, with: bytes, isJSON: json, keeping: store)
    } else {
      try Console.print(document: bytes, isJSON: json)
    }
  }

  private func bytes(of state: AppState) throws -> [UInt8] {
    json ? Array(try JournalCoding.encode(state)) + [UInt8(ascii: "\n")] : TodoTxtWriter.bytes(of: state)
  }
}
