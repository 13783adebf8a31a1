import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo reopen`
  struct Reopen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Mark items that are done as open again.")

    @OptionGroup var store: StoreLocation
    @OptionGroup var items: ItemNames

    mutating func run() async throws {
      try await items.change(in: store, saying: "Reopened") { item in
        item.completed ? .make([.item(item.id, .completed(false))]) : .leave(why: "is open already")
      }
    }
  }
#endif
