#if canImport(SwiftUI)
  public import Alter
  public import SwiftUI
  public import TodoCore
  import TodoViewModels

  // Compiled on Linux only against a stand-in for SwiftUI: script/apple.

  /// The sync of a list: the connection, and the changes that are not settled. Refused changes have buttons.
  public struct SyncView: View {
    private let store: Store<AppState>
    private let connections: @Sendable () -> AsyncStream<Connection>
    @State private var connection = Connection.connecting
    @State private var screen: SyncScreen?
    @State private var problem: String?

    /// Creates the screen of a synced list.
    ///
    /// - Parameters:
    ///   - store: The list.
    ///   - connections: Returns the statuses of the connection: the present one, and each later one.
    public init(store: Store<AppState>, connections: @escaping @Sendable () -> AsyncStream<Connection>) {
      (self.store, self.connections) = (store, connections)
    }

    /// The screen.
    public var body: some View {
      List {
        if let problem { ProblemRow(text: problem) }
        if let screen {
          VStack(alignment: .leading) {
            Label(screen.connection, systemImage: screen.isLive ? "checkmark.icloud" : "icloud.slash")
            if let since = screen.since { Text(since, style: .relative).font(.caption) }
            if let advice = screen.advice { Text(advice).font(.caption).foregroundStyle(Color.secondary) }
          }
          if let title = screen.unconfirmedTitle {
            Section(title) { ForEach(screen.unconfirmed) { row in Label(row.title, systemImage: "clock") } }
          }
          if let title = screen.refusedTitle {
            Section(title) { ForEach(screen.refused) { row in refused(row) } }
          }
        }
      }
      .navigationTitle("Sync")
      .task {
        for await next in connections() {
          connection = next
          screen = SyncScreen(next, store.state, unconfirmed: store.unconfirmed, refusals: store.refusals)
        }
      }
      .task {
        for await outbox in store.outbox { screen = SyncScreen(connection, store.state, outbox) }
      }
    }

    private func refused(_ row: SyncScreen.Row) -> some View {
      VStack(alignment: .leading) {
        Label(row.title, systemImage: "exclamationmark.triangle")
        if let reason = row.reason { Text(reason).font(.caption).foregroundStyle(Color.secondary) }
        HStack {
          Button("Retry") { run { try SyncScreen.retry(row.id, in: store) } }
          Button("Dismiss") { run { try await SyncScreen.dismiss(row.id, in: store) } }
        }
      }
    }

    private func run(_ task: @escaping @MainActor () async throws -> Void) {
      Task { problem = await failure(of: task) }
    }
  }
#endif
