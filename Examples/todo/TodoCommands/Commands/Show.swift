import Alter
import ArgumentParser
import TodoCore

/// `todo show`
struct Show: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the list as it was at a revision of the log.", discussion: Help.text(examples: "todo show --at 3"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions

  @Option(help: "The revision, a number as 'todo log' shows it.")
  var at: Int64

  mutating func run() async throws {
    guard at > 0 else { throw CommandError(.noSuchThing, "there is no revision \(at): they are numbered from 1 (see 'todo log')") }
    try await Session.read(store) { journal in
      guard let journal else { throw CommandError(.noSuchThing, "there is no revision \(at): there is no list yet") }
      try List.show(try await Store<AppState>.state(at: Revision(at), in: journal), ItemQuery(), output)
    }
  }
}
