import Alter
import TodoCore

/// Follows the sync of the open list, for a screen.
package struct SyncFollower: Sendable {
  private enum Event: Sendable {
    case connection(Connection)
    /// No connection was reported for a while: another process of this device has it.
    case silence
    case changed
  }

  private let store: Store<AppState>
  private let user: String
  private let connections: @Sendable () -> AsyncStream<Connection>

  /// A follower; nil if the list is not synced.
  package init?(_ store: Store<AppState>) {
    guard let user = SyncSupport.user, let connections = SyncSupport.connections else { return nil }
    (self.store, self.user, self.connections) = (store, user, connections)
  }

  /// Reports the sync now and whenever it changes, until the task is cancelled.
  package func run(_ report: @Sendable (SyncPanel) async -> Void) async {
    let (events, happen) = AsyncStream<Event>.makeStream()
    let (store, connections) = (store, connections)
    let tasks = [
      Task { for await connection in connections() { happen.yield(.connection(connection)) } },
      Task { for await _ in store.outbox { happen.yield(.changed) } },
      Task { for await _ in store.revisions { happen.yield(.changed) } },
      Task {
        try? await Task.sleep(for: .seconds(2))
        happen.yield(.silence)
      },
    ]
    defer { for task in tasks { task.cancel() } }
    var (connection, shown) = (Connection?.none, SyncPanel?.none)
    var history = RecentEntries()
    var wasSilent = false
    for await event in events {
      switch event {
      case .connection(let new): connection = new
      case .silence: wasSilent = true
      case .changed: break
      }
      await history.read(to: store.revision)
      let panel = SyncPanel(
        user: user, connection: connection ?? (wasSilent ? .elsewhere : .connecting), state: store.state,
        unconfirmed: store.unconfirmed, refusals: store.refusals, records: history.records, after: history.past)
      guard panel != shown else { continue }
      shown = panel
      await report(panel)
    }
    await history.close()
  }
}

/// The newest entries of a list. They are read once, and continued from then on.
private struct RecentEntries {
  /// Consecutive entries, oldest first.
  private(set) var records: [Record<AppState>] = []
  /// The state before them; nil if the device does not have it.
  private(set) var past: AppState?
  private var last = Revision.zero
  /// The copy of the server's entries, from the first successful opening on.
  private var mirror: (any Journal)?

  func close() async { await mirror?.close() }

  /// The number of entries that are shown at least, if there are so many.
  private static let wanted: Int64 = 30

  /// Reads the entries that the server has decided since the last call. Entries that can't be read now are read at the next call: the list is
  /// more important.
  ///
  /// - Complexity: O(new entries); at first and after every 30 entries also O(entries from the nearest snapshot on).
  mutating func read(to newest: Revision) async {
    guard newest != last else { return }
    if mirror == nil { mirror = try? await SyncSupport.openMirror?() }
    guard let mirror else { return }
    if newest > last, last > .zero, newest.number - last.number <= Self.wanted,
      let new = try? await Store<AppState>.entries(in: Revision(last.number + 1)...newest, of: mirror)
    {
      (records, last) = (records + new, newest)
      guard records.count > 2 * Self.wanted else { return }
    }
    // A new device has the entries from its first contact on.
    var limit = Self.wanted
    while limit > 0 {
      let first = Revision(max(1, newest.number - limit + 1))
      if first <= newest, let read = try? await Store<AppState>.entries(in: first...newest, of: mirror) {
        (records, last) = (read, newest)
        past = first > 1 ? try? await Store<AppState>.state(at: Revision(first.number - 1), in: mirror) : nil
        return
      }
      limit /= 2
    }
  }
}
