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
  /// The journal; nil for a store of a synced journal or in memory.
  let backend: Backend<State>?
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
    backend = upstream as? Backend<State>
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
  @inlinable public var state: State { core.withLock { $0.replica.state } }

  /// The confirmed state and its revision, without pending changes, read at one moment.
  ///
  /// - Complexity: O(1).
  @inlinable public var confirmed: (state: State, revision: Revision) {
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

extension Store {
  /// The mutable state of a store, protected by one lock.
  @usableFromInline
  struct Core: Sendable {
    @usableFromInline var replica: Replica<State>
    /// Never `waiting`: ``shownStatus`` derives that from ``outages``.
    var status = StoreStatus.open {
      didSet {
        takesChanges = status == .open && !isClosing
        tellStatus()
      }
    }
    var outages = Outages()
    /// Expires when an outage of the writer has lasted for `StoreOptions.outageTimeout`.
    var outageTimer: Task<Void, Never>?
    /// The reason for an outage that has lasted longer than `StoreOptions.outageTimeout`; otherwise nil.
    @usableFromInline var delay: JournalError?
    var statusReaders: [AsyncStream<StoreStatus>.Continuation] = []
    var isClosing = false { didSet { takesChanges = status == .open && !isClosing } }
    /// Whether the store is open and not being closed.
    @usableFromInline private(set) var takesChanges = true
    @usableFromInline var isWriting = false
    /// Whether the journal was found to be one that a server decides, for which this store appends.
    var isServed = false
    /// Moves rows in the transactions of appends; nil for none.
    var rowMover: (any RowMover<State>)?
    /// Counts the changes of the visible state; see `Store.visible`.
    @usableFromInline var version: Int64 = 0
    /// The number of tasks that wait for a new version, or are about to. If it is 0, no version is published.
    @usableFromInline var watchers = 0
    /// The promises of unresolved commits, by sequence.
    @usableFromInline var promises = PromiseLine<Result<Revision, CommitError<State.Failure>>>()
    @usableFromInline var observers: [Observer<State>] = []
    @usableFromInline var notifications: [Notification<State>] = []
    @usableFromInline var isDelivering = false
    /// Whether a task watches the deliveries.
    @usableFromInline var isWatched = false
    var problems: ProblemLog
    var monitored = MonitoredNumbers()
    #if DEBUG
      @usableFromInline var determinism = DeterminismCheck<State>()
    #endif
    /// The promises that work is in the outbox, by sequence, and the refused changes: of a store of a synced journal.
    @usableFromInline var synced = SyncedWork<State>()
    /// The sizes in bytes of large pending work, by sequence, and their sum. Large means more than 2 KiB.
    var weights: [Int64: Int64] = [:]
    @usableFromInline var pendingBytes: Int64 = 0
    /// The runs of feedbacks, which end before the store is closed.
    var runs: [any StoreRun] = []
    /// By name: the run that performs it, then those that wait.
    var claims: [String: [(id: Int, begin: @Sendable () -> Void)]] = [:]
    var lastClaim = 0
    /// The collections of states that feedbacks and views look at.
    @usableFromInline var looks: [Looks<State>] = []
    @usableFromInline var transitions: [AsyncStream<StoreTransition<State>>.Continuation] = []
    /// The reading of the undo window that is in progress, or that has ended with a permanent error; nil for none.
    var undoWindowLoading: (promise: Promise<Result<Void, UndoError>>, task: Task<Void, Never>)?
    /// Whether the writer takes a turn before it appends. It is the last property, because the size of `ContinuousClock.Instant` is looked up at
    /// run time: the places of properties behind it would be looked up, too, at each change.
    var contention = Contention()
    /// Whether the pending work should be appended in a turn, because others append to the journal, and a turn costs less than a conflict.
    var isContended: Bool { contention.isHigh && !isServed && status == .open && replica.pendingCount > 0 }

    init(replica: Replica<State>, isMonitored: Bool) {
      self.replica = replica
      problems = ProblemLog(isMonitored: isMonitored)
    }

    /// Whether nothing waits for a change: no task, observer, stream, feedback or view.
    @inlinable var isUnwatched: Bool { watchers == 0 && observers.isEmpty && transitions.isEmpty && looks.isEmpty }

    /// Begins to deliver notifications.
    ///
    /// - Returns: Whether the deliveries must be watched from now on.
    @inlinable
    mutating func beginDelivering() -> Bool {
      isDelivering = true
      defer { isWatched = true }
      return !isWatched
    }

    /// The error of a change that the store rejects because it has ended.
    @usableFromInline var refusal: ChangeError<State.Failure> { if case .failed(let error) = status { .failed(error) } else { .closed } }

    /// Counts the bytes of pending work.
    mutating func weigh(_ drafts: some Sequence<Entry.Draft>) {
      for draft in drafts where replica.pending(draft.id) != nil {
        pendingBytes += draft.size - (weights.updateValue(draft.size, forKey: draft.id.sequence) ?? 0)
      }
    }

    /// Subtracts the bytes of work that is no longer pending.
    mutating func unweigh(_ sequence: Int64) {
      if !weights.isEmpty, let weight = weights.removeValue(forKey: sequence) { pendingBytes -= weight }
    }

    /// Throws if the store has ended.
    func allowUndo() throws(UndoError) {
      switch status {
      case .open, .waiting: if isClosing { throw .closed }
      case .closed: throw .closed
      case .failed(let error): throw .failed(error)
      }
    }

    /// Whether an observer, a stream, a feedback or a view wants the state after each confirmed record.
    var wantsSteps: Bool { !observers.isEmpty || !transitions.isEmpty || wantsLooks }
    /// Whether a feedback or a view wants the state after each record.
    var wantsLooks: Bool { looks.contains { $0.keepsStates } }

    /// The public status.
    var shownStatus: StoreStatus { if status == .open, let wait = outages.wait { .waiting(wait) } else { status } }

    mutating func addStatusReader(_ reader: AsyncStream<StoreStatus>.Continuation) {
      reader.yield(shownStatus)
      if status == .open { statusReaders.append(reader) } else { reader.finish() }
    }

    /// Sends the status to its streams, and ends them if the store has ended.
    mutating func tellStatus() {
      guard !statusReaders.isEmpty else { return }
      let shown = shownStatus
      statusReaders.removeAll { if case .terminated = $0.yield(shown) { true } else { false } }
      guard status != .open else { return }
      statusReaders.forEach { $0.finish() }
      statusReaders = []
    }

    #if DEBUG
      /// Ends the check of a change.
      ///
      /// - Returns: False if there is a problem, which ``problems`` has now.
      @usableFromInline
      mutating func endCheck(_ probe: DeterminismCheck<State>.Probe, _ content: Record<State>.Content) -> Bool {
        guard let problem = determinism.end(probe, content, at: replica) else { return true }
        problems.add(problem)
        return false
      }
    #endif

    /// Unresolved commits, and the sequences of those that the journal may have.
    typealias Abandoned = (
      doubtful: Set<Int64>, unstored: Set<Int64>,
      promises: [(sequence: Int64, promise: Promise<Result<Revision, CommitError<State.Failure>>>)]
    )

    /// Removes and returns every commit that is not known to be in the journal.
    mutating func abandonCommits() -> Abandoned {
      let stored = synced.stored.removeAll()
      return (replica.doubtfulSequences, Set(stored.lazy.map(\.sequence)), promises.removeAll() + stored)
    }

    /// Ends the streams of transitions.
    mutating func endTransitions() {
      transitions.forEach { $0.finish() }
      transitions = []
    }

    /// Announces a new start of the confirmed side: observers miss the entries up to it.
    mutating func announce(_ start: (ground: MirrorNews<State>.Ground.Reason, revision: Revision, state: State)) {
      if !observers.isEmpty { notifications.append(Notification<State>(record: nil, state: start.state, observers: observers)) }
      switch start.ground {
      case .contact: announce(.contacted(start.state))
      case .floor: announce(.skipped(to: start.revision, start.state))
      case .restart, .refold: announce(.restarted(start.state))
      }
    }

    @usableFromInline
    mutating func announce(_ transition: StoreTransition<State>) {
      transitions.removeAll { if case .terminated = $0.yield(transition) { true } else { false } }
    }
  }
}

/// Whether other writers append to the journal so often that an append without a turn would fail.
///
/// After a conflict every flight takes a turn first, and reads the missed entries with it, until several turns in a row have missed nothing.
struct Contention: Sendable {
  /// The number of turns without others' entries after which there is no contention.
  private static let calm = 4
  private var turnsLeft = 0
  /// The time of the last turn.
  private var lastTurn: ContinuousClock.Instant?

  /// Whether a flight should take a turn first.
  var isHigh: Bool { turnsLeft > 0 }

  /// Another writer came first.
  mutating func lost() { turnsLeft = Self.calm }

  /// A turn began.
  ///
  /// - Parameters:
  ///   - missed: Whether there were entries that the store did not know.
  ///   - now: The present time.
  mutating func tookTurn(missed: Bool, now: ContinuousClock.Instant) {
    turnsLeft = missed ? Self.calm : max(0, turnsLeft - 1)
    lastTurn = now
  }

  /// Returns whether the writer has taken turns so recently that its next one will probably read others' entries before a reader could.
  func isFresh(now: ContinuousClock.Instant) -> Bool { isHigh && lastTurn.map { now - $0 < .milliseconds(50) } ?? false }
}
