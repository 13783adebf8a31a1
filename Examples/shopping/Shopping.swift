// A list whose visibility filter is a part of the state.
//
//   shopping [add NAME | buy NUMBER | show all|open|bought | undo]

#if Macros
  import Alter
  import AlterSQLite

  enum Filter: String, Codable, Sendable { case all, open, bought }

  @Alterable struct Item: Identifiable, Hashable {
    let id: Int
    let name: String
    @Default(false) let isBought: Bool
  }

  @Alterable struct Shopping: Hashable {
    @Each let items: IdentityArray<Item>
    /// Set by a change, as everything else in the state: `.filter(.open)`.
    @Default(Filter.all) let filter: Filter

    /// The visible items: a function of the state alone.
    var visible: [Item] {
      switch filter {
      case .all: Array(items)
      case .open: items.filter { !$0.isBought }
      case .bought: items.filter(\.isBought)
      }
    }

    /// The list as lines of text.
    var lines: [String] {
      visible.map { "\($0.isBought ? "x" : "-") \($0.id) \($0.name)" } + ["\(visible.count) of \(items.count) (\(filter))"]
    }
  }

  @main struct App {
    static func main() async throws {
      let store = try await Store.open(Shopping(), in: SQLiteJournal(at: "shopping.alter"))
      let words = Array(CommandLine.arguments.dropFirst())
      do {
        switch (words.first, words.last ?? "", words.count) {
        case (nil, _, _): break
        case ("add", let name, 2): try store.change(.add(.item(Item(id: (store.state.items.last?.id ?? 0) + 1, name: name))))
        case ("buy", let number, 2): try store.change(.item(Int(number) ?? 0, .isBought(true)))
        case ("show", let name, 2):
          guard let filter = Filter(rawValue: name) else { throw Refusal.missing("filter", name) }
          try store.change(.filter(filter))
        case ("undo", _, 1): try await store.undo()
        default: print("shopping [add NAME | buy NUMBER | show all|open|bought | undo]")
        }
      } catch { print(error) }
      for line in store.state.lines { print(line) }
      await store.close()  // writes what is pending
    }
  }
#else
  @main struct App {
    static func main() { print("shopping is written with macros: build it with the trait Macros.") }
  }
#endif
