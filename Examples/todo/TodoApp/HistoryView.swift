#if canImport(SwiftUI)
  import Alter
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The changes of the list, with undo and redo.
  struct HistoryView: View {
    let store: Store<AppState>
    @State private var screen: HistoryScreen?
    @State private var problem: String?

    var body: some View {
      List {
        if let problem { Label(problem, systemImage: "exclamationmark.triangle") }
        ForEach(screen?.entries ?? []) { entry in
          VStack(alignment: .leading) {
            Text(entry.text).strikethrough(entry.isUndone)
            Text(entry.time, style: .relative).font(.caption).foregroundStyle(Color.secondary)
          }
        }
      }
      .navigationTitle("History")
      .toolbar {
        if let undo = screen?.undo { Button(undo) { Task { await run { _ = try await store.undo() } } } }
        if let redo = screen?.redo { Button(redo) { Task { await run { _ = try await store.redo() } } } }
      }
      .task {
        for await _ in store.revisions { await run { screen = try await HistoryScreen(of: store) } }
      }
    }

    /// Runs a task. The screen shows the reason of its failure until a task succeeds.
    private func run(_ task: @MainActor () async throws -> Void) async {
      do {
        try await task()
        problem = nil
      } catch { problem = "\(error)" }
    }
  }
#endif
