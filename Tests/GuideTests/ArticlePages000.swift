#if Macros
  import Alter
  import AlterSQLite
  import Foundation
  import ProcessTesting
  import Testing

  /// The page "Article: immutable state and its changes".
  enum ArticlePages000 {
    /// The article's shape in plain Swift, without Alter.
    enum Shape {
      // snippet: article-000-shape-item
      struct Item {
        enum Change { case text(String), completed(Bool) }

        let id: Int
        let text: String
        let completed: Bool
        let created: Date
        let altered: Date

        func alter(_ changes: Change...) -> Item { alter(changes) }
        func alter(_ changes: [Change]) -> Item { changes.reduce(self) { $0.with($1) } }

        private func with(_ change: Change) -> Item {
          switch change {
          case .text(let text): Item(id: id, text: text, completed: completed, created: created, altered: Date())
          case .completed(let completed): Item(id: id, text: text, completed: completed, created: created, altered: Date())
          }
        }
      }
      // end

      struct Tag {
        let id: String
        let items: [Int]
      }

      struct AppState {
        enum Thing { case item(Item), tag(Tag) }
        enum Change { case add(Thing), update(Thing), remove(Thing) }

        var items: [Item] = []
        var tags: [Tag] = []

        func alter(_ changes: Change...) -> AppState { changes.reduce(self) { $0.with($1) } }

        func alter(_ change: NounFirst) -> AppState {
          switch change {
          case .item(.add(let item)): with(.add(.item(item)))
          case .item(.update(let item)): with(.update(.item(item)))
          case .item(.remove(let item)): with(.remove(.item(item)))
          case .tag(.add(let tag)): with(.add(.tag(tag)))
          case .tag(.update(let tag)): with(.update(.tag(tag)))
          case .tag(.remove(let tag)): with(.remove(.tag(tag)))
          }
        }

        private func with(_ change: Change) -> AppState {
          switch change {
          case .add(.item(let item)): AppState(items: items + [item], tags: tags)
          case .add(.tag(let tag)): AppState(items: items, tags: tags + [tag])
          case .update(.item(let item)): AppState(items: items.filter { $0.id != item.id } + [item], tags: tags)
          case .update(.tag(let tag)): AppState(items: items, tags: tags.filter { $0.id != tag.id } + [tag])
          case .remove(.item(let item)):
            AppState(
              items: items.filter { $0.id != item.id }, tags: tags.map { Tag(id: $0.id, items: $0.items.filter { $0 != item.id }) })
          case .remove(.tag(let tag)): AppState(items: items, tags: tags.filter { $0.id != tag.id })
          }
        }
      }

      // snippet: article-000-shape-noun
      enum NounFirst {
        case item(Verb<Item>)
        case tag(Verb<Tag>)

        enum Verb<Thing> { case add(Thing), update(Thing), remove(Thing) }
      }
      // end

      // snippet: article-000-shape-store
      struct Store {
        let state: () -> AppState
        let change: (AppState.Change) -> Void
        let reset: () -> Void
        let updated: (@escaping () -> Void) -> Void
      }

      static func createStore() -> Store {
        var state = AppState() { didSet { callbacks.forEach { $0() } } }
        var callbacks: [() -> Void] = []
        return Store(
          state: { state },
          change: { state = state.alter($0) },
          reset: { state = AppState() },
          updated: { callbacks.append($0) })
      }
      // end
    }

    // snippet: article-000-item
    @Alterable struct Item: Identifiable, Hashable {
      let id: Int
      let text: String  // .text("…")
      @Default(false) let completed: Bool  // .completed(true)
      @Stamped(.once) let created: Date?  // set when a collection receives the item
      @Stamped let altered: Date?  // set by every change
    }
    // end

    // snippet: article-000-state
    @Alterable struct Tag: Identifiable, Hashable {
      let id: String
      @Default([]) let items: [Int]
    }

    @Alterable(.nounFirst) struct AppState: Hashable {
      @Each(.add, .update, .remove, .replace) let items: IdentityArray<Item>
      @Each(.add, .update, .remove, .replace) let tags: IdentityArray<Tag>

      mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
        try applyGenerated(change, at: stamp)
        guard case .remove(.item(let id)) = change else { return }
        for tag in tags where tag.items.contains(id) {
          try applyGenerated(.tag(tag.id, .items(tag.items.filter { $0 != id })), at: stamp)
        }
      }
    }
    // end

    #if SQLite
      // snippet: article-000-disk
      static func open(in place: JournalPlace = .app("Lists")) async throws -> Store<AppState> {
        try await Store.open(AppState(), in: place)
      }
    // end
    #endif

    // snippet: article-000-use-case
    static func completeAll(in store: Store<AppState>) throws {
      var changes: [AppState.Change] = []  // mutable, and visible to no other code
      for item in store.state.items where !item.completed { changes.append(.item(item.id, .completed(true))) }
      try store.change(changes)  // one step: all or none
    }
    // end

    @Suite("The article page on immutable state")
    struct ArticleImmutableStateTests {
      let milk = Item(id: 1, text: "Milk")
      let bread = Item(id: 2, text: "Bread")
      let shopping = Tag(id: "shopping", items: [1, 2])

      @Test("alters an item in the article's shape and in ours")
      func item() throws {
        let plain = Shape.Item(id: 1, text: "Milk", completed: false, created: .distantPast, altered: .distantPast)
        let other = plain.alter(.completed(true), .text("Oat milk"))
        #expect(other.completed && other.text == "Oat milk" && other.altered != plain.altered && !plain.completed)
        let history: [Shape.Item.Change] = [.text("a"), .text("b")]
        #expect(plain.alter(history).text == "b")

        // snippet: article-000-alter
        let next = milk.alter(.completed(true), .text("Oat milk"))  // milk stays as it was
        // end
        #expect(next.completed && next.text == "Oat milk" && !milk.completed)
        let (noon, one) = (Date(timeIntervalSince1970: 43_200), Date(timeIntervalSince1970: 46_800))
        // snippet: article-000-stamp
        let state = try AppState().alter(.add(.item(milk)), at: noon).alter(.item(1, .completed(true)), at: one)
        #expect(state.items[id: 1]?.created == noon)
        #expect(state.items[id: 1]?.altered == one)
        #expect(milk.alter(.completed(true)).altered == nil)
        #expect(milk.alter(.completed(true), at: one).altered == one)
        // end
        #expect(try state.alter(.update(.item(milk)), at: one).items[id: 1]?.created == noon)
      }

      @Test("an item that is altered outside a store receives the time of the store that it is put into")
      func time() throws {
        var options = StoreOptions()
        options.environment.now = { 43_200_000_000 }
        let store = Store(AppState(), options: options)
        try store.change(.add(.item(milk)))
        try store.change(.update(.item(milk.alter(.completed(true)))))  // the article's central call
        let item = try #require(store.state.items[id: 1])
        #expect(item.altered == Date(timeIntervalSince1970: 43_200) && item.created == item.altered)
      }

      @Test("has verbs over things in the article's shape and in ours")
      func verbs() throws {
        plainVerbs()
        // snippet: article-000-verbs
        let list = try AppState().alter(.add(.item(milk)), .add(.item(bread)), .add(.tag(shopping)))
        let done = try list.alter(.update(.item(milk.alter(.completed(true)))))
        let rest = try done.alter(.remove(.item(milk)))  // the tag keeps the bread alone
        // end
        #expect(done.items.map(\.completed) == [true, false])
        #expect(rest.items.map(\.id) == [2] && rest.tags.map(\.items) == [[2]])
        // snippet: article-000-path
        #expect(try list.alter(.item(1, .completed(true))) == done)
        #expect(throws: Refusal.missing("Item", 3)) { try list.alter(.remove(.item(1)), .remove(.item(3))) }  // none or all
        // end
        #expect(try list.alter(.replace(.tags([]))).tags.isEmpty)
        // snippet: article-000-noun
        let inverted = try AppState().alter(.item(.add(milk)), .item(.remove(milk)))
        #expect(AppState.Change.item(.add(milk)) == .add(.item(milk)))  // one change, in two spellings
        // end
        #expect(inverted == AppState())

        // snippet: article-000-history
        let history: [AppState.Change] = [.add(.item(milk)), .add(.item(bread)), .item(2, .completed(true))]
        let state = try AppState(history)
        #expect(try AppState(.add(.item(milk)), .add(.item(bread)), .item(2, .completed(true))) == state)
        // end
        #expect(state.items.map(\.completed) == [false, true])

        // snippet: article-000-json
        let json = try JSONEncoder().encode(AppState.Change.remove(.item(1)))
        #expect(String(decoding: json, as: UTF8.self) == #"{"remove":{"item":1}}"#)
        // end
      }

      func plainVerbs() {
        typealias AppState = Shape.AppState
        let milk = Shape.Item(id: 1, text: "Milk", completed: false, created: .distantPast, altered: .distantPast)
        let bread = Shape.Item(id: 2, text: "Bread", completed: false, created: .distantPast, altered: .distantPast)
        let shopping = Shape.Tag(id: "shopping", items: [1, 2])
        // snippet: article-000-shape-verbs
        let list = AppState().alter(.add(.item(milk)), .add(.item(bread)), .add(.tag(shopping)))
        let done = list.alter(.update(.item(milk.alter(.completed(true)))))
        let rest = done.alter(.remove(.item(milk)))  // the tag keeps the bread alone
        // end
        #expect(done.items.map(\.completed) == [false, true])
        #expect(AppState().alter(.update(.item(milk))).items.count == 1)
        #expect(rest.items.map(\.id) == [2] && rest.tags.map(\.items) == [[2]])
        // snippet: article-000-shape-noun-calls
        let inverted = AppState().alter(.item(.add(milk))).alter(.item(.remove(milk)))
        // end
        #expect(inverted.items.isEmpty)
      }

      @Test("has a store in the article's shape and in ours")
      func stores() async throws {
        plainStore()
        let counts = Shared<[Int]>([])
        // snippet: article-000-store
        let store = Store(AppState())
        let token = store.observe { record, state in counts.withLock { $0.append(state.items.count) } }
        try store.change(.add(.item(milk)))
        try store.reset()
        // end
        #expect(counts.withLock { $0 } == [0, 1, 0])
        // The reset is an entry, which an undo reverts. A cancelled token ends the observation.
        token.cancel()
        try await store.undo()
        #expect(store.state.items.map(\.id) == [1] && counts.withLock { $0 } == [0, 1, 0])
        // A list refuses a second item of the same id, and an update of a missing one.
        #expect(throws: (any Error).self) { try store.change(.add(.item(milk))) }
        #expect(throws: (any Error).self) { try AppState().alter(.update(.item(milk))) }
      }

      func plainStore() {
        let milk = Shape.Item(id: 1, text: "Milk", completed: false, created: .distantPast, altered: .distantPast)
        var counts: [Int] = []
        // snippet: article-000-shape-store-calls
        let store = Shape.createStore()
        store.updated { counts.append(store.state().items.count) }
        store.change(.add(.item(milk)))
        store.reset()
        // end
        #expect(counts == [1, 0])
      }

      #if SQLite
        @Test("reads at the start what was written before")
        func disk() async throws {
          let folder = try Folder()
          let place = JournalPlace.file(folder.path("Lists.alter"))

          let store = try await ArticlePages000.open(in: place)
          try await store.change(.add(.item(milk))).durable()
          await store.close()
          let later = try await ArticlePages000.open(in: place)
          #expect(later.state.items.map(\.text) == ["Milk"])
          await later.close()
        }
      #endif

      @Test("changes the state by the complete result of a use case, from any thread")
      func useCase() async throws {
        // snippet: article-000-cores
        let store = Store(AppState())
        try await withThrowingTaskGroup(of: Void.self) { group in
          for id in 1...100 { group.addTask { try store.change(.add(.item(Item(id: id, text: "From a task")))) } }
          try await group.waitForAll()
        }
        #expect(store.state.items.count == 100)
        // end
        let revision = store.revision
        try completeAll(in: store)
        #expect(store.state.items.allSatisfy { $0.completed })
        #expect(store.revision == revision.next)
        await store.close()
      }
    }
  }
#endif
