#if canImport(SwiftUI)
  import Alter
  import AlterSwiftUI
  import SwiftUI
  import TodoCore
  import TodoRows
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The screens that a link leads to.
  nonisolated enum Destination: Hashable {
    case item(UUID)
    case tags
    case tag(String)
    case notes
    case history
    case past(Revision)
    case settings
    case sync
  }

  /// The list of an open store, with its other screens, and undo in the Edit menu and by a shake.
  struct RootView: View {
    let store: Store<AppState>
    /// Of a synced list, returns the statuses of the connection.
    var connections: (@Sendable () -> AsyncStream<Connection>)?
    @State private var today = Day.today()
    @State private var lost: String?
    @State private var index: SearchIndex?
    @Environment(\.scenePhase) private var scenePhase

    var body: some View {
      NavigationStack {
        ListView(store: store, today: today, isSynced: connections != nil, index: index)
          .navigationDestination(for: Destination.self) { destination in
            switch destination {
            case .item(let id): ItemView(store: store, id: id)
            case .tags: TagsView(store: store)
            case .tag(let name): TagView(store: store, tag: name, today: today)
            case .notes: NotesView(store: store)
            case .history: HistoryView(store: store)
            case .past(let revision): PastView(store: store, revision: revision, today: today)
            case .settings: SettingsView(store: store)
            case .sync: if let connections { SyncView(store: store, connections: connections) }
            }
          }
      }
      .undo(by: store, failure: "Can't undo")
      // While the app was in the background, another day may have begun.
      .onChange(of: scenePhase) { today = .today() }
      // A search works without the index, too.
      .task { if let path = TodoFile.rows { index = try? await SearchIndex(of: store, at: path) } }
      .task { await WidgetScreen.follow(store) { TodoWidget.reload() } }
      .alert("Not saved", isPresented: isLossShown, presenting: lost) { _ in
        // Without a button of its own, the alert has 'OK'.
      } message: { lost in
        Text(lost)
      }
      .task {
        // A change that was shown, and then could not be made, has no action any more that would report it.
        for await problem in store.problems {
          if let text = text(of: problem) { lost = text }
        }
      }
    }

    private var isLossShown: Binding<Bool> {
      Binding(get: { @MainActor in lost != nil }, set: { @MainActor isPresented in if !isPresented { lost = nil } })
    }
  }
#endif
