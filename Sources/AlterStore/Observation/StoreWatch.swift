import AlterCore
import AlterJournal

/// How somebody waits for what a store shows to change, and looks at it, without keeping the store alive.
///
/// A store with nobody waiting tells nobody, and does not even look: that is what the count is for. Whoever is counted before it looks at the version
/// misses nothing, for a change that comes after sees the count, and one that came before is in the version.
struct StoreWatch<State: Alterable>: Sendable {
  private let visible: EventCount<Int64>
  private weak var store: Store<State>?

  init(_ store: Store<State>) {
    visible = store.visible
    self.store = store
  }

  /// Returns as soon as what is seen is past a version.
  ///
  /// - Throws: ``JournalError`` `closed` when the store was closed or is gone, `cancelled` when the task was cancelled.
  func wait(past version: Int64) async throws(JournalError) {
    if let now = count(1) { visible.advance(to: now) }
    defer { _ = count(-1) }
    try await visible.wait(past: version)
  }

  /// Waits until the store has failed, was closed or is gone, or the task is cancelled.
  ///
  /// - Returns: Why.
  func end() async -> JournalError {
    do throws(JournalError) { try await visible.wait(past: .max) } catch { return error }
    return .closed("store")
  }

  /// Counts a watcher in or out.
  ///
  /// - Returns: The version that is seen; nil when the store is gone.
  private func count(_ change: Int) -> Int64? {
    store?.core.withLock { core in
      core.watchers += change
      return core.version
    }
  }

  /// What is seen now, and its version; nil when the store is gone.
  func present() -> (version: Int64, state: State)? {
    store?.core.withLock { ($0.version, $0.replica.state) }
  }

  /// The confirmed revision, and the version that is seen; nil when the store is gone.
  func presentRevision() -> (version: Int64, revision: Revision)? {
    store?.core.withLock { ($0.version, $0.replica.history.revision) }
  }
}

extension Store {
  /// For whoever wants to wait for a change of what is seen.
  var watch: StoreWatch<State> { StoreWatch(self) }
}
