#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// One item, with a control for each field.
  struct ItemView: View {
    private let store: Store<AppState>
    private let id: UUID
    @ObservedValue<AppState, ItemScreen?> private var item: ItemScreen?

    init(store: Store<AppState>, id: UUID) {
      (self.store, self.id) = (store, id)
      _item = ObservedValue(store, id: id) { ItemScreen($0, id: id) }
    }

    var body: some View {
      let actions = ItemActions(store, id: id, through: UserAction($item, changes: { $0 }))
      Group {
        if let item {
          ItemForm(item: item, actions: actions)
        } else {
          ContentUnavailableView("Removed", systemImage: "trash", description: Text("The list does not contain this item any more."))
        }
      }
      .refusalAlert(of: $item)
    }
  }

  /// The controls of an item.
  struct ItemForm: View {
    let item: ItemScreen
    let actions: ItemActions

    var body: some View {
      Form {
        ParsedField("Text", text: item.text, action: actions.rename, parse: ItemText.init)
        Toggle("Done", isOn: item.isDone, action: actions.setDone)
        Picker("Priority", selection: item.priority, action: actions.setPriority) {
          Text("None").tag(Priority?.none)
          ForEach(choices(item.priority), id: \.self) { Text($0.description).tag(Priority?.some($0)) }
        }
        DueSection(due: item.due, action: actions.setDue)
        Section("Tags") {
          ForEach(item.tags) { tag in
            HStack {
              Text(verbatim: tag.id)
              if tag.canRemove { Button("Remove \(tag.id)", role: .destructive, action: actions.untag.provide(tag.id)) }
            }
          }
          NewTextField("New tag", add: actions.tag, parse: TagName.init)
        }
        Section("About") {
          ForEach(item.days, id: \.self) { Text($0) }
        }
        Button("Remove", role: .destructive, action: actions.remove)
      }
      .navigationTitle(item.text)
    }

    /// The priorities of the menu, including the item's own.
    private func choices(_ priority: Priority?) -> [Priority] {
      Priority.common + [priority].compactMap { $0 }.filter { !Priority.common.contains($0) }
    }
  }

  /// The due day: none, or one to pick.
  struct DueSection: View {
    let due: Day?
    let action: UserAction<Day?>

    var body: some View {
      Section("Due") {
        Toggle("Has a due day", isOn: due != nil, action: action.provide { $0 ? .today() : nil })
        if let due {
          DatePicker("Day", day: due.noon(in: .current), action: action.provide { Day($0, in: .current) })
        }
      }
    }
  }
#endif
