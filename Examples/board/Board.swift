// The example on the first screen of the README. A test compares the two texts.

#if Macros
  import Alter
  import AlterSQLite

  @Alterable struct Card: Identifiable, Hashable {  // generates `Change`, `apply` and the stored form
    let id: Int
    @Default("") let title: String  // .title("…") changes it; empty where a call or older data has no title
    @Default(false) let isDone: Bool
  }

  @Alterable struct Board: Hashable {
    @Each let cards: IdentityArray<Card>  // generates .add(.card(…)), .remove(.card(1)) and .card(1, change)
  }

  @main struct App {
    static func main() async throws {
      let store = try await Store.open(Board(), in: SQLiteJournal(at: "board.alter"))
      // `.add(.card(…))` adds an element to `cards`. It is refused if the id is there.
      if store.state.cards.isEmpty { try store.change(.add(.card(Card(id: 1, title: "Water the plants")))) }
      try await store.change(.card(1, .isDone(true))).durable()  // returns when the change is on the disk
      print(store.state.cards)
      try await store.undo()  // appends an entry: it works after a restart, and can be undone itself
      print(store.state.cards)
      await store.close()
    }
  }
#else
  @main struct App {
    static func main() { print("board is written with macros: build it with the trait Macros.") }
  }
#endif
