// A list whose visibility filter is a part of the state.
//
//   shopping [add NAME | buy NUMBER | show all|open|bought | undo]

#if Macros
  import Alter
  import AlterSQLite
  import Console

  enum Filter: String, Codable, Sendable { case all, open, bought }

  @Alterable struct Item: Identifiable, Hashable {
    let id: Int
    let name: String
    @Default(false) let isBought: Bool
  }

  @Alterable struct Shopping: Hashable {
    @Each private(set) var items: IdentityArray<Item>
    /// Set by a change, as everything else in the state: `.filter(.open)`.
    @Default(Filter.all) let filter: Filter

    /// Adds an item. The change contains no number: two processes that add at the same time would both have chosen the same one.
    @Wire enum OwnChange: Hashable { case want(String) }

    mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .want(let name): try items.insert(Item(id: (items.last?.id ?? 0) + 1, name: name))
      }
    }

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
    static func main() async {
      do {
        let store = try await Store.open(Shopping(), in: SQLiteJournal(at: "shopping.alter"))
        try await run(Array(CommandLine.arguments.dropFirst()), store)
        for line in store.state.lines { say(line) }
        await store.close()
      } catch {
        fail("\(error)")
      }
    }

    /// Makes the change that the words request. `durable()` waits until it is on disk, and throws if another process made it impossible.
    private static func run(_ words: [String], _ store: Store<Shopping>) async throws {
      switch (words.first, words.last ?? "", words.count) {
      case (nil, _, _): break
      case ("add", let name, 2): try await store.change(.want(name)).durable()
      case ("buy", let number, 2):
        guard let id = Int(number) else { throw Refusal.missing("item", number) }
        try await store.change(.item(id, .isBought(true))).durable()
      case ("show", let name, 2):
        guard let filter = Filter(rawValue: name) else { throw Refusal.missing("filter", name) }
        try await store.change(.filter(filter)).durable()
      case ("undo", _, 1): try await store.undo()
      default: fail("shopping [add NAME | buy NUMBER | show all|open|bought | undo]")
      }
    }
  }
#else
  @main struct App {
    static func main() { print("shopping is written with macros: build it with the trait Macros.") }
  }
#endif
