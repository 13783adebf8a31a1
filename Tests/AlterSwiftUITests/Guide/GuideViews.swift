#if canImport(SwiftUI)
  import AlterJournal
  import AlterStore
  import AlterSwiftUI
  import SwiftUI

  // The views of the guide "In SwiftUI". Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  struct ListView: View {
    @ObservedValue<AppState, TodoList> private var list: TodoList

    init(store: Store<AppState>) { _list = ObservedValue(store, TodoList.init) }

    var body: some View {
      List(list.open) { item in
        HStack {
          Toggle("Done", isOn: $list.binding(for: item.completed) { .item(item.id, .completed($0)) })
          EditedField("Title", text: item.text) { $list.send(.item(item.id, .text($0))) }
        }
      }
      .navigationTitle(list.title)
      .refusalAlert("Not possible", of: $list)
    }
  }

  struct ItemView: View {
    @ObservedValue<AppState, TodoItem?> private var item: TodoItem?

    init(store: Store<AppState>, id: Int) {
      _item = ObservedValue(store, id: id) { state in state.items.first { $0.id == id } }
    }

    var body: some View { Text(item?.text ?? "Deleted") }
  }

  struct FilteredView: View {
    let store: Store<AppState>
    @State private var showsCompleted = false

    var body: some View {
      Toggle("Completed items, too", isOn: $showsCompleted)
      ItemsView(store: store, showsCompleted: showsCompleted)
    }
  }

  struct ItemsView: View {
    @ObservedValue<AppState, [TodoItem]> private var items: [TodoItem]

    init(store: Store<AppState>, showsCompleted: Bool) {
      _items = ObservedValue(store, id: showsCompleted) { $0.items.filter { showsCompleted || !$0.completed } }
    }

    var body: some View { ForEach(items) { Text($0.text) } }
  }

  struct SavingView: View {
    @ObservedValue<AppState, TodoList> private var list: TodoList

    init(store: Store<AppState>) { _list = ObservedValue(store, TodoList.init) }

    var body: some View {
      if case .failed(let error) = $list.status {
        ContentUnavailableView("Can't save any more", systemImage: "externaldrive.badge.xmark", description: Text(error.description))
      }
    }
  }

  struct RecipeView: View {
    @ObservedValue<Recipe, Recipe> private var recipe: Recipe

    init(store: Store<Recipe>) { _recipe = ObservedValue(store) { $0 } }

    var body: some View {
      Stepper("Portions", value: $recipe.binding(\.portions) { .portions($0) })
      Toggle("Vegetarian", isOn: $recipe.binding(\.isVegetarian) { .vegetarian($0) })
      Picker("Course", selection: $recipe.binding(\.course) { .course($0) }) {
        ForEach(Recipe.Course.allCases, id: \.self) { Text("\($0)") }
      }
      Text("\(recipe.portions) portions")
    }
  }

  struct ShelfView: View {
    @ObservedValue<Shelf, [Book]> private var unread: [Book]

    init(store: Store<Shelf>) { _unread = ObservedValue(store) { $0.books.filter { !$0.isRead } } }

    var body: some View {
      List {
        ForEach(unread) { Text($0.title) }
          .editRows(of: $unread, \.books, delete: { .remove($0) }, move: { .move($0, to: $1) })
      }
      .refusalAlert("Not possible", of: $unread)
    }
  }

  struct UndoableShelfView: View {
    let store: Store<Shelf>

    var body: some View {
      ShelfView(store: store)
        .undo(by: store, failure: "Can't undo")
    }
  }

  struct RootView: View {
    let open: @MainActor () async throws -> Store<Shelf>

    var body: some View {
      OpeningView {
        try await open()
      } content: { store in
        ShelfView(store: store)
      }
    }
  }

  struct CarefulRootView: View {
    let open: @MainActor () async throws -> Store<Shelf>

    var body: some View {
      OpeningView {
        try await open()
      } content: { store in
        ShelfView(store: store)
      } loading: {
        ProgressView("Opening your books …")
      } failure: { error, retry in
        if (error as? JournalError)?.code == .newerSchema {
          Text("Your books were saved by a newer version. Please update this app.")
        } else {
          OpeningFailure(error, retry: retry)
        }
      }
    }
  }

  struct BookRow: View {
    let title: String
    let remove: UserAction<Void>

    var body: some View { Button("Remove \(title)", action: remove) }
  }

  struct BooksView: View {
    @ObservedValue<Shelf, [Book]> private var books: [Book]

    init(store: Store<Shelf>) { _books = ObservedValue(store) { Array($0.books) } }

    var body: some View {
      let remove = UserAction($books) { (id: Int) in .remove(id) }
      List(books) { BookRow(title: $0.title, remove: remove.provide($0.id)) }
        .refusalAlert("Not possible", of: $books)
    }
  }
#endif
