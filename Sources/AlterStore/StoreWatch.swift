import AlterCore
import AlterJournal

/// How somebody waits for what a store shows to change, without keeping the store alive.
///
/// A store with nobody waiting tells nobody, and does not even look: that is what the count is for. Whoever is counted before it looks at the version
/// misses nothing, for a change that comes after sees the count, and one that came before is in the version.
struct StoreWatch: Sendable {
  private let visible: RevisionWaiters
  /// Counts a watcher in or out, and returns the version that is seen; nil when the store is gone.
  private let count: @Sendable (Int) -> Int64?

  init<State>(_ store: Store<State>) {
    visible = store.visible
    count = { [weak store] change in
      store?.core.withLock { core in
        core.watchers += change
        return core.version
      }
    }
  }

  /// Returns as soon as what is seen is past a version.
  ///
  /// - Throws: ``JournalError`` `closed` when the store was closed or is gone, `cancelled` when the task was cancelled.
  func wait(past version: Int64) async throws(JournalError) {
    if let now = count(1) { visible.advance(to: Revision(now)) }
    defer { _ = count(-1) }
    try await visible.wait(past: Revision(version))
  }
}

extension Store {
  /// For whoever wants to wait for a change of what is seen.
  var watch: StoreWatch { StoreWatch(self) }
}
