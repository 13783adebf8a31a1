import Alter
import ArgumentParser
import TodoCore

/// `todo search`
struct Search: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Show the items that contain all given words, in any case.",
    discussion: Help.text("As 'list' does, with the same filters.", examples: "todo search rent", "todo search call landlord --open"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: Filters

  @Argument(help: "The words, or parts of them.")
  var words: [String]

  mutating func run() async throws {
    var query = filters.query()
    query.words += words.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    let (state, marks) = try await Session.view(store)
    try List.show(state, query, output, marks)
  }
}
