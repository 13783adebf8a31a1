public import AlterCore
public import AlterJournal

// The parts of this target, each a folder; they use those above them:
//
//   Records       what an entry of a journal says, and its coding
//   Folding       records applied to a state, with undo: `History`, and a whole journal folded: `Backend`
//   Snapshots     states that are kept beside the entries: when one is due, how it is made and read
//   Decision      `Replica`, the state machine of one participant: pure values
//   Commits       the promise of a change, and why one was not made
//   Sync          carries work to the journal and others' work back: writer, reader, outages
//   Shell         what an app calls: open, change, undo, close
//   Observation   streams and callbacks of what changes
//   Past          questions to a journal's history: earlier states, searches, verification, copies
//   Views         what a user interface holds of a store

/// The one object that holds a state: takes changes, keeps them in a journal, and tells who wants to know.
///
/// ```swift
/// let store = try await Store.open(AppState(), in: SQLiteJournal(at: path))
/// let commit = try store.change(.add(.item(milk)))   // visible at once, from any thread
/// try await commit.durable()                         // in the journal
/// store.state.items
/// ```
///
/// It holds the *confirmed* state (the journal folded up to a revision) and its *pending* changes; ``state`` is pending over
/// confirmed. What is pending is appended at the confirmed head; when another writer was first, the store reads what it wrote,
/// makes its pending changes again on top, and appends again. Threads, processes and machines are all this one case.
///
/// Every method may be called from any thread. The decisions are made by `Replica`, a pure value; this class carries them out.
public final class Store<State: Alterable>: Sendable {
  @usableFromInline let core: Lock<Core>
  let backend: Backend<State>?
  /// Whether there is a journal behind it.
  @usableFromInline package let isJournaled: Bool
  @usableFromInline let options: StoreOptions
  /// Advances with `Core.version` while there are watchers: what `values(of:)`, `ready` and `close` wait on.
  @usableFromInline let visible = EventCount<Int64>(journal: "store")
  /// Those who iterate `values(of:)`.
  let followers = Followers<State>()
  let ahead = DraftsAhead()
  /// Whoever reads or appends on behalf of this store: the writer and the reader, one at a time.
  let gate = TurnQueue(journal: "store")
  let reader = Lock<Task<Void, Never>?>(nil)
  /// When the next snapshot is due, and the task that makes it.
  let snapshots: Lock<SnapshotMaker>

  init(_ replica: Replica<State>, backend: Backend<State>?, options: StoreOptions) {
    core = Lock(Core(replica: replica), telling: Self.recursion)
    self.backend = backend
    isJournaled = backend != nil
    self.options = options
    snapshots = Lock(SnapshotMaker(rule: SnapshotRule(spacing: options.snapshotSpacing)))
  }

  deinit {
    reader.withLock { $0 }?.cancel()
    visible.finish(.closed("store"))
    core.withLock { core in
      core.problems.finish()
      core.transitions.forEach { $0.finish() }
    }
  }

  private static var recursion: String {
    """
    Store<\(State.self)>: `apply`, or the condition of a change, calls the store that is calling it. It must depend on the state, the change and the \
    stamp alone; the state is `self` in `apply`, and the argument of a condition.
    """
  }

  /// A store in memory only: undo, observation and time travel as ever, gone with the process.
  ///
  /// - Parameters:
  ///   - initial: The state to begin with.
  ///   - options: How it behaves.
  public convenience init(_ initial: State, options: StoreOptions = StoreOptions()) {
    let history = History(initial, at: 1, window: options.undoWindow)
    let replica = Replica(history, head: nil, origin: options.origin(), scope: options.scope, limit: options.pendingLimit)
    self.init(replica, backend: nil, options: options)
  }

  /// Opens a store on a journal.
  ///
  /// The first to open a journal writes the initial state into it; what a later one passes is ignored, so that another release's
  /// other defaults can't change old history.
  ///
  /// - Parameters:

  // MARK: - State

  /// The present state: what is confirmed, and this store's own changes on top.
  ///
  /// A snapshot: it stays as it is, whatever happens later. Complexity: O(1).
  public var state: State { core.withLock { $0.replica.state } }

  /// The state as the journal has it, without what is still pending.
  public var confirmed: (state: State, revision: Revision) {
    core.withLock { ($0.replica.history.state, $0.replica.history.revision) }
  }

  /// The last revision of the journal that this store has taken in. It never decreases.
  public var revision: Revision { core.withLock { $0.replica.history.revision } }

  /// How the store is doing.
  public var status: StoreStatus { core.withLock { $0.shownStatus } }

  /// Whether it has neither failed nor was closed.
  var isOpen: Bool { core.withLock { $0.status == .open } }

  /// What went wrong and nobody was waiting to hear: first what is already there (the last hundred), then as it comes.
  public var problems: AsyncStream<StoreProblem> { core.withLock { $0.problems.stream() } }
}
