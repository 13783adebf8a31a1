#if Macros
  import Alter
  import AlterSQLite
  import Foundation

  // The first article: a sealed model, its changes, and a store of four functions.

  // lines: TodoItem
  @Alterable struct TodoItem: Identifiable, Hashable {
    let id: UUID
    let text: String  // .text("…")
    @Default(false) let completed: Bool  // .completed(true)
    let due: Date?  // .due(tomorrow)
    @Stamped(.once) let creationDate: Date?  // when it becomes part of a state
    @Stamped let alterationDate: Date?  // at every change

    init(text: String) { self.init(id: UUID(), text: text) }
  }
  // end

  // lines: AppState
  @Alterable struct Tag: Identifiable, Hashable {
    let id: String
    @Default([]) let items: [UUID]
  }

  @Alterable(.nounFirst) struct AppState: Hashable {
    @Each(.add, .update, .remove) let items: IdentityArray<TodoItem>
    @Each(.add, .update, .remove) let tags: IdentityArray<Tag>

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      try applyGenerated(change, at: stamp)
      guard case .remove(.item(let id)) = change else { return }
      for tag in tags where tag.items.contains(id) {
        try applyGenerated(.tag(tag.id, .items(tag.items.filter { $0 != id })), at: stamp)
      }
    }
  }
  // end

  // lines: createStore
  typealias AppStore = (
    state: () -> AppState, change: (AppState.Change) -> Void, reset: () -> Void, updated: (@escaping () -> Void) -> Void
  )

  @MainActor func createStore(over store: Store<AppState> = Store(AppState())) -> AppStore {
    var bindings: [ViewBinding] = []
    return (
      state: { store.state }, change: { _ = try? store.change($0) }, reset: { _ = try? store.reset() },
      updated: { callback in bindings.append(store.bind(\.self) { old, _ in if old != nil { callback() } }) }
    )
  }

  @MainActor func createDiskStore(at path: String) async throws -> AppStore {
    createStore(over: try await Store.open(AppState(), in: .file(path)))
  }
  // end

  @MainActor func immutableState(in folder: URL) async throws {
    let milk = TodoItem(text: "Get milk")
    let bread = TodoItem(text: "Get bread")
    print(milk.alter(.completed(true), .text("Get oat milk")).text, "|", milk.text)

    let store = createStore()
    var updates = 0
    store.updated { updates += 1 }
    store.change(.add(.item(milk)))
    store.change(.item(.add(bread)))
    store.change(.add(.tag(Tag(id: "shopping", items: [milk.id, bread.id]))))
    store.change(.update(.item(milk.alter(.completed(true)))))
    print(store.state().items.map { "\($0.text)\($0.completed ? " ✓" : "")" }, "after \(updates) updates")
    // The time is that of the store: outside of it, a change has none.
    print("created:", store.state().items[0].creationDate != nil, "outside:", milk.alter(.completed(true)).alterationDate as Any)
    store.change(.remove(.item(milk)))
    print("shopping has", store.state().tags[0].items.count, "item")
    store.reset()
    print(store.state().items.count, "items after \(updates) updates")

    // A durable list: the article's file, in which each change is one entry.
    let list = try await Store.open(AppState(), in: .file(folder.path + "/Todos.alter"))
    try await list.change(.add(.item(bread))).durable()
    await list.close()
    print(try await createDiskStore(at: folder.path + "/Todos.alter").state().items.map(\.text))
  }
#endif
