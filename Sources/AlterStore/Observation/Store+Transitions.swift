public import AlterCore
public import AlterJournal

/// An event in a store, as it happens, confirmed or not.
public enum StoreTransition<State: Alterable>: Sendable {
  /// This store has made work, which is visible and in flight to the journal. Its revision is provisional.
  case pending(Record<State>)
  /// The journal has an entry of this store or another one.
  case confirmed(Record<State>)
  /// Pending work was replayed on top of other writers' entries. The value is the state that is visible now.
  case rebased(State)
  /// Work of this store was removed from the state, for this reason.
  case dropped(EntryID, CommitError<State.Failure>)
  /// The confirmed side has a new start, because the entries up to a revision were removed from the journal.
  case skipped(to: Revision, State)
  /// The confirmed side has a new start, because the device has reached its server for the first time: the journal's initial state has taken
  /// the place of the one that was passed to `open`. Pending work stays.
  case contacted(State)
  /// The confirmed side has a new start, because another journal has taken the place of the former one.
  case restarted(State)
  /// The journal has failed permanently; pending work stays in memory.
  case failed(JournalError)
}

extension Store {
  /// All events from now on: pending, confirmed, rebased, dropped. No event is skipped, so the buffer grows without limit until the stream
  /// is read.
  ///
  /// Use it for logs, tests and inspectors. ``values(of:)`` suits an app that shows a state, ``observe(_:file:line:)`` or ``entries(after:)`` one
  /// that follows the journal. The stream ends after `failed`, or when the store is closed.
  public var transitions: AsyncStream<StoreTransition<State>> {
    let (stream, continuation) = AsyncStream<StoreTransition<State>>.makeStream(bufferingPolicy: .unbounded)
    usage.register(continuation)
    let isOver = core.withLock { core in
      guard core.status == .open else { return true }
      core.transitions.append(continuation)
      return false
    }
    if isOver { continuation.finish() }
    return stream
  }
}
