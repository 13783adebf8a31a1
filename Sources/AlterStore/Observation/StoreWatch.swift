import AlterCore
package import AlterJournal

/// Waits for changes of a store's visible state, and reads it, without keeping the store alive.
///
/// A store publishes no version while no task waits, so it counts its watchers. A watcher is counted before it reads the version, so that
/// it misses nothing: a later change sees the count, and an earlier one is in the version.
package struct StoreWatch<State: Alterable>: Sendable {
  private let visible: EventCount<Int64>
  private weak var store: Store<State>?

  init(_ store: Store<State>) {
    visible = store.visible
    self.store = store
  }

  /// Waits until the version is greater than a given one.
  ///
  /// - Throws: ``JournalError`` `closed` if the store was closed or is gone, the journal's error if it has failed, `cancelled` if the task
  ///   was cancelled.
  package func wait(past version: Int64) async throws(JournalError) {
    if let now = count(1) { visible.advance(to: now) }
    defer { _ = count(-1) }
    try await visible.wait(past: version)
  }

  /// Waits until the store has failed, was closed or is gone, or the task is cancelled.
  ///
  /// - Returns: The reason.
  package func end() async -> JournalError {
    do throws(JournalError) { try await visible.wait(past: .max) } catch { return error }
    return .closed("store")
  }

  /// Adds to the number of watchers.
  ///
  /// - Returns: The present version; nil if the store is gone.
  private func count(_ change: Int) -> Int64? {
    store?.core.withLock { core in
      core.watchers += change
      return core.version
    }
  }

  /// Returns the visible state and its version; nil if the store is gone.
  package func present() -> (version: Int64, state: State)? {
    store?.core.withLock { ($0.version, $0.replica.state) }
  }

  /// The state that rows show, read at one moment: the visible one of a synced journal, the confirmed one of any other.
  package struct RowGround: Sendable {
    /// The version of the visible state.
    package let version: Int64
    /// The state.
    package let state: State
    /// The confirmed place. A store in memory has a journal of its own: the id is that of its replica, and the checksum is the revision.
    package let head: Head
    /// Of a synced journal: the last transaction of the device's file that the store has read, and the ids of the pending work, in order.
    package let drafts: (transaction: Int64, pending: [EntryID])?
  }

  /// Returns what rows show now; nil if the store is gone.
  ///
  /// - Complexity: O(1); O(pending work) for a synced journal.
  package func presentRows() -> RowGround? {
    guard let store else { return nil }
    let isSynced = store.isSynced
    let (version, state, head, transaction, pending) = store.core.withLock { core in
      let head = core.replica.head ?? Head(inMemory: core.replica.origin, at: core.replica.history.revision)
      let state = isSynced ? core.replica.state : core.replica.history.state
      return (core.version, state, head, core.synced.transaction, isSynced ? core.replica.pending.pieces : nil)
    }
    return RowGround(
      version: version, state: state, head: head, drafts: pending.map { work in (transaction, work.map(\.record.id)) })
  }

  /// Returns the confirmed revision and the present version; nil if the store is gone.
  func presentRevision() -> (version: Int64, value: Revision)? {
    store?.core.withLock { ($0.version, $0.replica.history.revision) }
  }

  /// Returns the unsettled changes and the present version; nil if the store is gone.
  func presentOutbox() -> (version: Int64, value: OutboxState<State>)? {
    guard let store else { return nil }
    let isSynced = store.isSynced
    return store.core.withLock { core in
      guard isSynced else { return (core.version, OutboxState(unconfirmed: [], refusals: [])) }
      return (core.version, OutboxState(unconfirmed: core.unconfirmed, refusals: core.listedRefusals))
    }
  }
}

extension Store {
  /// Waits for changes of the visible state without keeping the store alive.
  package var watch: StoreWatch<State> { StoreWatch(self) }
}
