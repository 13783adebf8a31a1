#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The list with its filter and its search.
  struct ListView: View {
    let store: Store<AppState>
    let today: Day
    @State private var filter = ListFilter.open
    @State private var search = ""
    @AppStorage("order") private var order = ItemQuery.Order.list

    var body: some View {
      FilteredListView(store: store, selection: Selection(filter: filter, search: search, order: order, today: today))
        .searchable(text: $search, prompt: "Search")
        .toolbar {
          Picker("Filter", selection: $filter) {
            ForEach(ListFilter.allCases) { filter in Text(filter.title).tag(filter) }
          }
          NavigationLink("History", value: Destination.history)
          NavigationLink("Settings", value: Destination.settings)
        }
    }
  }

  /// The values besides the state that determine the visible items.
  nonisolated struct Selection: Hashable, Sendable {
    var filter = ListFilter.open
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
        ListScreen($0, filter: selection.filter, search: selection.search, order: selection.order, today: selection.today)
      }
    }

    var body: some View {
      let actions = ListActions(store, through: UserAction($screen, changes: { $0 }))
      List {
        NewItemField(add: actions.add)
        if let hint = screen.hint { Text(hint) }
        ForEach(screen.rows) { row in RowView(row: row, store: store, list: $screen) }
          .editRows(of: $screen, \.items, delete: { .remove(.item($0)) })
        if case .failed(let error) = $screen.status {
          Label(error.description, systemImage: "externaldrive.badge.xmark")
        }
      }
      .navigationTitle(screen.title)
      .refusalAlert("Not possible", of: $screen)
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

  /// The field for a new item. Return adds it.
  struct NewItemField: View {
    let add: UserAction<ItemText>
    @State private var text = ""
    @State private var problem: String?

    var body: some View {
      VStack(alignment: .leading) {
        TextField("New item", text: $text).onSubmit { submit() }
        if let problem { Text(problem).font(.caption).foregroundStyle(Color.red) }
      }
    }

    private func submit() {
      do throws(ItemText.Problem) {
        add(try ItemText(text))
        (text, problem) = ("", nil)
      } catch {
        problem = error.description
      }
    }
  }
#endif
