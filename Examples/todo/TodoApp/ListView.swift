#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The items of a selection, with a field for a new one.
  struct ListView: View {
    private let today: Day
    @ObservedValue<AppState, ListScreen> private var screen: ListScreen
    @State private var typed = ""

    init(store: Store<AppState>, selection: Selection) {
      today = selection.today
      _screen = ObservedValue(store, id: selection) { ListScreen($0, filter: selection.filter, today: selection.today) }
    }

    var body: some View {
      List {
        TextField("New item", text: $typed).onSubmit(add)
        if let hint = screen.hint { Text(hint) }
        ForEach(screen.rows) { row in RowView(row: row, list: $screen) }
          .editRows(of: $screen, \.items, delete: { .remove(.item($0)) }, move: { .move($0, to: $1) })
        if let status = text(of: $screen.status) { Label(status, systemImage: "externaldrive.badge.xmark") }
      }
      .navigationTitle(screen.title)
      .refusalAlert(of: $screen)
    }

    /// Adds an item. A text that is none, or whose item is refused, stays in the field.
    private func add() {
      let add = UserAction($screen) { (item: TodoItem) in .add(.item(item)) }
      if let item = TodoItem(typed: typed, today: today), case .success = add(item) { typed = "" }
    }
  }

  /// One item of the list. Its properties can be compared, so a change of another item doesn't evaluate it.
  struct RowView: View {
    let row: ItemRow
    let list: Observed<AppState, ListScreen>

    var body: some View {
      HStack {
        Toggle(row.text, isOn: row.item.completed, action: ItemActions(row.item, on: list).setDone).labelsHidden()
        ItemLink(row: row)
      }
    }
  }

  /// The texts of an item, as a link to its screen.
  struct ItemLink: View {
    let row: ItemRow

    var body: some View {
      NavigationLink(value: row.id) {
        VStack(alignment: .leading) {
          Text(row.text).strikethrough(row.item.completed)
          if let due = row.due { Text(due).font(.caption).foregroundStyle(row.isOverdue ? Color.red : Color.secondary) }
        }
        if let priority = row.item.priority { Text(priority.description) }
      }
    }
  }

  extension View {
    /// Shows an alert when a change of a screen is refused.
    @MainActor
    func refusalAlert<Value>(of observed: Observed<AppState, Value>) -> some View {
      refusalAlert("Not possible", of: observed) { Text(verbatim: text(of: $0)) }
    }
  }
#endif
