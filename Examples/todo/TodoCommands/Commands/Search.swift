import Alter
import ArgumentParser
import TodoCore
import TodoRows

/// `todo search`
struct Search: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Show the items with all given words in their texts or tags, the best match first.",
    discussion: Help.text(
      """
      In any case, with or without accents. A word also finds the words that begin with it; an argument of several words, or a part in "double \
      quotes", is a phrase of whole words. The filters are those of 'list', whose --text finds any part of a text.
      """, examples: "todo search rent", "todo search call land --open", "todo search \"call the landlord\""))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Filters") var filters: Filters

  @Argument(help: "The words, or their beginnings.")
  var words: [String]

  mutating func validate() throws {
    guard ItemSearch(words) != nil else {
      throw ValidationError("a word to search for needs a letter or a digit; 'todo list --text' finds any text")
    }
  }

  mutating func run() async throws {
    guard let search = ItemSearch(words) else { return }
    let (query, today, inListOrder) = (filters.query(), Clock.today(), filters.sort == .list)
    let (found, marks) = try await Session.rows(store) { database in
      let list = TodoList(try search.rows(in: database, inListOrder: inListOrder, today: today), query)
      // The count reads a whole index.
      return (list, count: list.rows.isEmpty ? try ItemSearch.count(in: database) : list.rows.count)
    }
    try List.show(found?.0 ?? TodoList([], query), of: found?.count ?? 0, output, marks)
  }
}
