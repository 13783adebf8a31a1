#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The settings of this device, and facts about the list.
  struct SettingsView: View {
    private let store: Store<AppState>
    @ObservedValue<AppState, SettingsScreen> private var screen: SettingsScreen
    // The order belongs to the device. It is not in the journal, so undo does not revert it.
    @AppStorage("order") private var order = ItemQuery.Order.list

    init(store: Store<AppState>) {
      self.store = store
      _screen = ObservedValue(store, SettingsScreen.init)
    }

    var body: some View {
      let actions = ListActions(store, through: UserAction($screen, changes: { $0 }))
      Form {
        Picker("Order", selection: $order) {
          ForEach(ItemQuery.Order.allCases, id: \.self) { order in Text(order.title).tag(order) }
        }
        Section("List") {
          Text(screen.summary)
          if let clearDone = screen.clearDone { Button(clearDone, role: .destructive, action: actions.clearDone) }
        }
      }
      .navigationTitle("Settings")
      .refusalAlert(of: $screen)
    }
  }
#endif
