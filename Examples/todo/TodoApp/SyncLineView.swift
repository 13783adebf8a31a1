#if canImport(SwiftUI)
  import Alter
  import SwiftUI
  import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The sync of a list in one line, with buttons for refused changes.
  struct SyncLineView: View {
    let store: Store<AppState>
    let connections: @Sendable () -> AsyncStream<Connection>
    @State private var connection = Connection.connecting
    @State private var line = SyncLine(.connecting)

    var body: some View {
      VStack(alignment: .leading) {
        Label(line.text, systemImage: line.isLive ? "checkmark.icloud" : "icloud.slash")
        if let advice = line.advice { Text(advice).font(.caption).foregroundStyle(Color.secondary) }
        if line.hasRefusals {
          // A change that can't be made again, or given up, stays in the line.
          HStack {
            Button("Retry") { store.retry(store.refusals) }
            Button("Dismiss") { Task { try? await store.dismiss(store.refusals) } }
          }
        }
      }
      .task {
        for await next in connections() {
          connection = next
          update()
        }
      }
      .task {
        for await _ in store.outbox { update() }
      }
    }

    private func update() { line = SyncLine(connection, unconfirmed: store.unconfirmed.count, refusals: store.refusals) }
  }
#endif
