#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// One item, with a control for each field. The observed value is the item itself; nil once another screen or process has removed it.
  struct ItemView: View {
    @ObservedValue<AppState, TodoItem?> private var item: TodoItem?

    init(store: Store<AppState>, id: UUID) { _item = ObservedValue(store, id: id) { $0.items[id: id] } }

    var body: some View {
      Group {
        if let item {
          ItemForm(item: item, actions: ItemActions(item, on: $item))
        } else {
          ContentUnavailableView("Removed", systemImage: "trash", description: Text("The list does not contain this item any more."))
        }
      }
      .refusalAlert(of: $item)
    }
  }

  /// The controls of an item.
  struct ItemForm: View {
    let item: TodoItem
    let actions: ItemActions

    var body: some View {
      Form {
        EditedField("Text", text: item.text) { actions.rename($0) }
        Toggle("Done", isOn: item.completed, action: actions.setDone)
        Toggle("Has a due day", isOn: item.due != nil, action: actions.setDue.provide { $0 ? .today() : nil })
        if let due = item.due {
          DatePicker("Due day", day: due.noon(in: .current), action: actions.setDue.provide { Day($0, in: .current) })
        }
        Button("Remove", role: .destructive, action: actions.remove)
      }
      .navigationTitle(item.text)
    }
  }
#endif
