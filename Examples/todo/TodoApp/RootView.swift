#if canImport(SwiftUI)
  import Alter
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The screens that a link leads to.
  nonisolated enum Destination: Hashable {
    case item(UUID)
    case history
    case past(Revision)
    case settings
  }

  /// The list of an open store, with its other screens and the alert for refused actions.
  struct RootView: View {
    let store: Store<AppState>
    @State private var today = Day.today()
    @State private var refusals = Refusals()
    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
      NavigationStack {
        ListView(store: store, today: today)
          .navigationDestination(for: Destination.self) { destination in
            switch destination {
            case .item(let id): ItemView(store: store, id: id)
            case .history: HistoryView(store: store)
            case .past(let revision): PastView(store: store, revision: revision, today: today)
            case .settings: SettingsView(store: store)
            }
          }
      }
      .environment(refusals)
      .alert(
        "Not possible",
        isPresented: Binding(get: { refusals.message != nil }, set: { if !$0 { refusals.message = nil } }),
        presenting: refusals.message
      ) { _ in
        // Without a button of ours, SwiftUI shows 'OK' in the user's language.
      } message: {
        Text($0)
      }
      // While the app was in the background, another day may have begun.
      .onChange(of: scenePhase) { today = .today() }
      .task { await WidgetScreen.follow(store) { TodoWidget.reload() } }
    }
  }
#endif
