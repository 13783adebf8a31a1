public import AlterCore
public import AlterJournal

/// One thing that happens in a store, as it happens: confirmed or not.
public enum StoreTransition<State: Alterable>: Sendable {
  /// Work was made here. It shows, and is on its way to the journal; its revision is provisional.
  case pending(Record<State>)
  /// The journal has an entry, of this store or another.
  case confirmed(Record<State>)
  /// What is pending was made again on top of others' work: this is the state that shows now.
  case rebased(State)
  /// Work of this store was taken out again, or will not be written, for this reason.
  case dropped(EntryID, CommitError<State.Failure>)
  /// The journal has failed for good: what is pending stays in memory.
  case failed(JournalError)
}

extension Store {
  /// Everything that happens from now on: pending, confirmed, rebased, dropped. Nothing is passed over, so take what comes.
  ///
  /// For logs, tests and inspectors. An app that shows a state is better served by ``values(of:)``, one that follows the journal by
  /// ``observe(_:)`` or ``entries(after:)``. The stream ends when the store has failed, after `failed`,
  /// or is closed.
  public var transitions: AsyncStream<StoreTransition<State>> {
    let (stream, continuation) = AsyncStream<StoreTransition<State>>.makeStream(bufferingPolicy: .unbounded)
    let isOver = core.withLock { core in
      guard core.status == .open else { return true }
      core.transitions.append(continuation)
      return false
    }
    if isOver { continuation.finish() }
    return stream
  }
}
