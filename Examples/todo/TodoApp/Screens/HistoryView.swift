#if canImport(SwiftUI)
  import Alter
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The changes of the list, with undo and redo. A link leads to the list at each revision.
  struct HistoryView: View {
    let store: Store<AppState>
    @State private var screen: HistoryScreen?
    @State private var problem: String?

    var body: some View {
      List {
        if let problem { ProblemRow(text: problem) }
        ForEach(screen?.entries ?? []) { entry in
          NavigationLink(value: Destination.past(entry.id)) {
            VStack(alignment: .leading) {
              Text(entry.text).strikethrough(entry.isUndone)
              Text(entry.time, style: .relative).font(.caption).foregroundStyle(Color.secondary)
            }
          }
        }
      }
      .navigationTitle("History")
      .toolbar {
        if let screen, let undo = screen.undo { Button(undo) { run { try await screen.performUndo(in: store) } } }
        if let screen, let redo = screen.redo { Button(redo) { run { try await screen.performRedo(in: store) } } }
      }
      .task {
        for await _ in store.revisions { problem = await failure(of: { screen = try await HistoryScreen(of: store) }) }
      }
    }

    private func run(_ task: @escaping @MainActor () async throws -> Void) {
      Task { problem = await failure(of: task) }
    }
  }

  /// The list at an earlier revision. Showing it changes nothing; the button makes it the present list, as one step to undo.
  struct PastView: View {
    let store: Store<AppState>
    let revision: Revision
    let today: Day
    @State private var past: PastScreen?
    @State private var problem: String?

    var body: some View {
      List {
        if let problem { ProblemRow(text: problem) }
        if let hint = past?.list.hint { Text(hint) }
        ForEach(past?.list.rows ?? []) { row in
          Label(row.text, systemImage: row.isDone ? "checkmark.circle" : "circle")
        }
      }
      .navigationTitle("Revision \(revision.number)")
      .toolbar {
        if let past, past.differs { Button("Restore This List") { restore(past) } }
      }
      .task(id: revision) {
        // A change of the list, such as an undo of the restoration, decides whether it differs from this one.
        for await _ in store.revisions {
          problem = await failure(of: { past = try await PastScreen(of: store, at: revision, today: today) })
        }
      }
    }

    private func restore(_ past: PastScreen) {
      Task {
        problem = await failure(of: {
          try await past.restore(in: store)
          self.past = try await PastScreen(of: store, at: revision, today: today)
        })
      }
    }
  }
#endif
