#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoRows
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The list with its filter and its search.
  struct ListView: View {
    let store: Store<AppState>
    let today: Day
    var isSynced = false
    /// The rows of the list; nil while they are opened, or if their database can't be.
    var index: SearchIndex?
    @State private var filter = ListFilter.open
    @State private var search = ""
    @AppStorage("order") private var order = ItemQuery.Order.list

    var body: some View {
      Group {
        if let index, let search = ItemSearch(search.split(separator: " ").map(String.init)) {
          FoundItemsView(index: index, search: search, today: today)
        } else {
          FilteredListView(store: store, selection: Selection(filter: filter, search: search, order: order, today: today))
        }
      }
      .searchable(text: $search, prompt: "Search")
      .toolbar {
        Picker("Filter", selection: $filter) {
          ForEach(ListFilter.allCases) { filter in Text(filter.title).tag(filter) }
        }
        NavigationLink("Tags", value: Destination.tags)
        NavigationLink("Notes", value: Destination.notes)
        NavigationLink("History", value: Destination.history)
        if isSynced { NavigationLink("Sync", value: Destination.sync) }
        NavigationLink("Settings", value: Destination.settings)
      }
    }
  }

  /// The values besides the state that determine the visible items.
  nonisolated struct Selection: Hashable, Sendable {
    var filter = ListFilter.open
    var tag: String?
    var search = ""
    var order = ItemQuery.Order.list
    let today: Day
  }

  /// The items of a selection.
  struct FilteredListView: View {
    private let store: Store<AppState>
    @ObservedValue<AppState, ListScreen> private var screen: ListScreen

    init(store: Store<AppState>, selection: Selection) {
      self.store = store
      _screen = ObservedValue(store, id: selection) {
        ListScreen(
          $0, filter: selection.filter, tag: selection.tag, search: selection.search, order: selection.order, today: selection.today)
      }
    }

    var body: some View {
      let actions = ListActions(store, through: UserAction($screen, changes: { $0 }))
      List {
        NewTextField("New item", add: actions.add, parse: ItemText.init)
        if let hint = screen.hint { Text(hint) }
        ForEach(screen.rows) { row in RowView(row: row, store: store, list: $screen) }
          .editRows(of: $screen, \.items, delete: { .remove(.item($0)) }, move: move)
        if let note = screen.orderNote { Text(note).font(.caption).foregroundStyle(Color.secondary) }
        if let status = text(of: $screen.status) { Label(status, systemImage: "externaldrive.badge.xmark") }
      }
      .navigationTitle(screen.title)
      .refusalAlert(of: $screen)
    }

    /// In another order than the list's own, a row would not stay where it is dropped.
    private var move: (@MainActor (UUID, Int) -> AppState.Change)? {
      guard screen.canMove else { return nil }
      return { id, position in .move(id, to: position) }
    }
  }

  /// One item. Its properties can be compared, so a change of another item doesn't evaluate it.
  struct RowView: View {
    let row: ItemRow
    let store: Store<AppState>
    let list: Observed<AppState, ListScreen>

    var body: some View {
      let actions = ItemActions(store, id: row.id, through: UserAction(list, changes: { $0 }))
      HStack {
        Toggle(row.text, isOn: row.isDone, action: actions.setDone).labelsHidden()
        NavigationLink(value: Destination.item(row.id)) {
          VStack(alignment: .leading) {
            Text(row.text).strikethrough(row.isDone)
            if let due = row.due {
              Text(due).font(.caption).foregroundStyle(row.urgency == .overdue ? Color.red : Color.secondary)
            }
          }
        }
        if let priority = row.priority { Text(priority) }
      }
    }
  }
#endif
