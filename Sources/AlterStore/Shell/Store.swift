public import AlterCore
public import AlterJournal

// The folders of this target. Each uses those above it:
//
//   Records       the contents of a journal entry, and its coding
//   Folding       records applied to a state, with undo: `History`, and a whole journal folded: `Backend`
//   Snapshots     states that are kept beside the entries: when one is due, how it is made and read
//   Replica       the state machine of one participant: pure values
//   Commits       the promise of a change, and the errors
//   Upstream      carries work to a journal or a device's file, and other writers' entries back: writer, reader, outages
//   Shell         the calls of an app: open, change, close
//   Undo          undo and redo: steps, marks, and the window that is kept
//   Observation   streams and callbacks of changes
//   Past          queries of a journal's history: earlier states, searches, verification, copies
//   Views         values and actions for a user interface

/// The owner of a state: applies changes, journals them, and notifies observers.
///
/// ```swift
/// let store = try await Store.open(AppState(), in: SQLiteJournal(at: path))
/// let commit = try store.change(.add(.item(milk)))   // visible at once, from any thread
/// try await commit.durable()                         // in the journal
/// store.state.items
/// await store.close()
/// ```
///
/// ## Confirmed and pending
///
/// A store holds the *confirmed* state (the journal folded up to a revision) and its *pending* changes. ``state`` is pending over
/// confirmed. The writer appends pending changes after the confirmed head; many changes share one append, and one sync to disk. If another
/// writer came first, the store reads that writer's entries, replays its pending changes on top, and appends again. A change that the state
/// refuses there is dropped, with the changes that require it. Threads, processes and machines all use this one protocol. A store without a
/// journal, ``init(_:options:)``, confirms every change at once.
///
/// ## Observing
///
/// | for | use | order |
/// |---|---|---|
/// | a view, a task | ``observed(_:)``, ``values(of:)`` | newest value; intermediate ones may be skipped |
/// | a label on the main actor | `bind(_:onEnd:render:)` | before `change` returns; with the old value, nothing skipped |
/// | a signal without entries | ``revisions`` | ascending; coalesced |
/// | every confirmed entry from now on | ``observe(_:file:line:)`` | revision order, one call at a time |
/// | every confirmed entry since a revision | ``entries(after:)`` | revision order, at the reader's pace |
/// | a log, an inspector, a test | ``transitions`` | as it happens, nothing skipped |
///
/// ## Errors
///
/// If the state refuses a change, `change` throws ``ChangeError``, and nothing has changed. A change that is lost later fails its
/// ``Commit``. During an outage of the journal the store accepts changes up to its limits and keeps trying; ``status`` is
/// ``StoreStatus/waiting(_:)``. A permanent failure of the journal ends the store: ``StoreStatus/failed(_:)``. ``problems`` reports the
/// failures that no caller waits for.
///
/// ## Concurrency
///
/// Every method may be called from any thread. A local change runs `apply` on the calling thread, under the store's lock; the entries of
/// other writers are applied on background threads. `apply` must not call the store: that ends the process with a message.
///
/// A store that is released without ``close(deadline:)`` still writes its pending changes, as long as the process runs.
///
/// ## Complexity
///
/// Reading ``state`` is O(1): it is a snapshot that shares structure with the store's own. A change costs its own `apply`, in place. A
/// conflict costs O(new entries + pending changes). An observer that receives states makes the store apply its own changes a second time
/// when they are confirmed.
public final class Store<State: Alterable>: Sendable {
  @usableFromInline let core: Lock<Core>
  /// The keeper of the entries; nil for a store in memory.
  let upstream: (any Upstream<State>)?
  /// Whether the store has a journal.
  @usableFromInline package let isJournaled: Bool
  /// Refuses changes that are too deep to be stored; nil if none can be.
  let depthCheck: DepthCheck<State>?
  /// Whether there is such a check.
  @usableFromInline let isMeasured: Bool
  @usableFromInline let options: StoreOptions
  /// The state to which `reset()` returns; an error if it can't be read from the journal any more.
  let initial: Result<State, JournalError>
  /// Publishes `Core.version` while there are watchers: `values(of:)`, `ready` and `close` wait on it.
  @usableFromInline let visible = EventCount<Int64>(journal: "store")
  /// The calls of the observers.
  let calls = Lock(ObserverCall())
  /// The tasks that wait in `values(of:)`.
  let followers = Followers<State>()
  /// The sequences and streams that observe the store.
  let usage = StoreUsage()
  let ahead = DraftsAhead()
  /// Serialises the writer and the reader: one of them at a time reads or appends for this store.
  let gate = TurnQueue(journal: "store")
  let reader = Lock<Task<Void, Never>?>(nil)
  let following: Lock<Following>
  /// Decides when the next snapshot is due, and holds the task that makes it.
  let snapshots: Lock<SnapshotMaker>

  init(
    _ replica: Replica<State>, initial: Result<State, JournalError>, upstream: (any Upstream<State>)?, depthCheck: DepthCheck<State>?,
    options: StoreOptions
  ) {
    core = Lock(Core(replica: replica, isMonitored: options.monitor != nil), telling: Self.recursion)
    self.upstream = upstream
    isJournaled = upstream != nil
    self.depthCheck = depthCheck
    isMeasured = depthCheck != nil
    self.options = options
    self.initial = initial
    following = Lock(options.followsLater ? .later : .begun)
    snapshots = Lock(SnapshotMaker(rule: SnapshotRule(spacing: options.snapshotSpacing)))
    tellMonitor()
  }

  deinit {
    reader.withLock { $0 }?.cancel()
    visible.finish(.closed("store"))
    core.withLock { core in
      core.problems.finish()
      core.transitions.forEach { $0.finish() }
    }
    // The writer of another journal keeps the store until nothing is pending. Here the server's verdicts may be missing.
    if isSynced { abandonCommits(because: .closed(journalName)) }
    tellMonitor(isReleased: true)
    #if DEBUG
      printUnreadProblems()
    #endif
  }

  private static var recursion: String {
    """
    Store<\(State.self)>: `apply`, or the condition of a change, has called its own store. It must depend on the state, the change and the stamp alone. \
    In `apply` the state is `self`; in a condition the state is the argument.
    """
  }

  /// Creates a store in memory, without a journal. Undo, observation and time travel work; the state is lost when the process ends.
  ///
  /// - Parameters:
  ///   - initial: The initial state.
  ///   - options: The options of the store.
  public convenience init(_ initial: State, options: StoreOptions = StoreOptions()) {
    let history = History(initial, at: 1, window: options.undoWindow)
    let replica = Replica(
      history, head: nil, origin: options.environment.origin(), scope: options.scope ?? .journal, limit: options.pendingLimit)
    self.init(replica, initial: .success(initial), upstream: nil, depthCheck: nil, options: options)
  }

  // MARK: - State

  /// The present state: the confirmed state with this store's pending changes on top.
  ///
  /// The result is a value and never changes. To notice later states, observe the store.
  ///
  /// - Complexity: O(1).
  public var state: State { core.withLock { $0.replica.state } }

  /// The confirmed state and its revision, without pending changes, read at one moment.
  ///
  /// - Complexity: O(1).
  public var confirmed: (state: State, revision: Revision) {
    core.withLock { ($0.replica.history.state, $0.replica.history.revision) }
  }

  /// The last revision of the journal that this store has applied. It never decreases.
  public var revision: Revision { core.withLock { $0.replica.history.revision } }

  /// The present status. ``statuses`` is the stream of its changes.
  public var status: StoreStatus { core.withLock { $0.shownStatus } }

  /// Whether the store has neither failed nor been closed.
  var isOpen: Bool { core.withLock { $0.status == .open } }

  /// The problems that no caller was waiting for: first the last hundred so far, then each new one.
  ///
  /// Each access returns a new stream. It buffers the newest hundred, and ends when the store is closed. Debug builds print
  /// problems that no code reads to the standard error, a second after they occur and when the store is closed.
  public var problems: AsyncStream<StoreProblem> { core.withLock { $0.problems.stream(countedBy: usage) } }
}
