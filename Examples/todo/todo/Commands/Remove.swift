import Alter
import TodoCore

#if Examples
  import ArgumentParser

  /// `todo remove`
  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Take items out of the list, and out of every tag.")

    @OptionGroup var store: StoreLocation
    @OptionGroup var items: ItemNames

    mutating func run() async throws {
      try await items.change(in: store, saying: "Removed") { item in .make([.remove(.item(item.id))]) }
    }
  }
#endif
