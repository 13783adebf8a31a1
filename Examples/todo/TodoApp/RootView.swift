#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoRows
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// An open list: the items of a filter, or those that a search finds.
  struct RootView: View {
    let store: Store<AppState>
    /// Of a synced list, returns the statuses of the connection.
    var connections: (@Sendable () -> AsyncStream<Connection>)?
    @State private var filter = ListFilter.open
    @State private var search = ""
    @State private var today = Day.today()
    /// The rows of the list; nil while they are opened, or if their database can't be.
    @State private var index: SearchIndex?
    @State private var isChangeLost = false
    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
      NavigationStack {
        VStack {
          if let connections { SyncLineView(store: store, connections: connections) }
          if let search = ItemSearch(search.split(separator: " ").map(String.init)) {
            if let index { FoundItemsView(index: index, search: search, today: today) } else { Text("The search is not available.") }
          } else {
            ListView(store: store, selection: Selection(filter: filter, today: today))
          }
        }
        .searchable(text: $search, prompt: "Search")
        .toolbar {
          Picker("Filter", selection: $filter) {
            ForEach(ListFilter.allCases) { filter in Text(filter.title).tag(filter) }
          }
          NavigationLink {
            HistoryView(store: store)
          } label: {
            Text("History")
          }
        }
        .navigationDestination(for: UUID.self) { id in ItemView(store: store, id: id) }
      }
      // In the Edit menu, by the keyboard, and by a shake.
      .undo(by: store, failure: "Can't undo")
      // While the app was in the background, another day may have begun.
      .onChange(of: scenePhase) { today = .today() }
      .task {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        if let caches { index = try? await SearchIndex(of: store, at: caches.appendingPathComponent("todo-rows.db").path) }
      }
      .task {
        // A change that was shown, and then could not be made, has no action any more that would report it.
        for await problem in store.problems {
          if case .lost = problem { isChangeLost = true }
        }
      }
      .alert("A change was lost", isPresented: $isChangeLost) {
        // Without a button of its own, the alert has 'OK'.
      } message: {
        Text("The list was changed elsewhere, or the change could not be saved. Check the list.")
      }
    }
  }

  /// The values besides the state that determine the visible items.
  nonisolated struct Selection: Hashable, Sendable {
    let filter: ListFilter
    let today: Day
  }
#endif
