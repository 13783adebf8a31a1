// The example on the first screen of the README. A test compares the two texts.

#if Macros
  import Alter
  import AlterSQLite

  @Alterable struct Card: Identifiable, Hashable {
    let id: Int
    @Default("") let title: String
    @Default(false) let isDone: Bool
  }

  @Alterable struct Board: Hashable {
    @Each let cards: IdentityArray<Card>
  }

  @main struct App {
    static func main() async throws {
      let store = try await Store.open(Board(), in: SQLiteJournal(at: "board.alter"))
      if store.state.cards.isEmpty { try store.change(.add(.card(Card(id: 1, title: "Water the plants")))) }
      try await store.change(.card(1, .isDone(true))).durable()
      print(store.state.cards)
      try await store.undo()
      print(store.state.cards)
      await store.close()
    }
  }
#else
  @main struct App {
    static func main() { print("board is written with macros: build it with the trait Macros.") }
  }
#endif
