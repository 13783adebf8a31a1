import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo done`
  struct Done: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Mark items as done.")

    @OptionGroup var store: StoreLocation
    @OptionGroup var items: ItemNames

    mutating func run() async throws {
      let today = Clock.today()
      try await items.change(in: store, saying: "Done") { item in
        item.completed
          ? .leave(why: "is done already") : .make([.item(item.id, .completed(true)), .item(item.id, .finished(today))])
      }
    }
  }
#endif
