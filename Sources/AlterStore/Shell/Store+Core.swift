public import AlterCore
public import AlterJournal

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
    /// Whether the writer takes a turn before it appends.
    var contention = Contention()
    /// Whether the pending work should be appended in a turn, because others append to the journal, and a turn costs less than a conflict.
    var isContended: Bool { contention.isHigh && !isServed && status == .open && replica.pendingCount > 0 }
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

    init(replica: Replica<State>, isMonitored: Bool) {
      self.replica = replica
      problems = ProblemLog(isMonitored: isMonitored)
    }

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
      @usableFromInline
      mutating func endCheck(_ probe: DeterminismCheck<State>.Probe, _ content: Record<State>.Content) {
        if let problem = determinism.end(probe, content, at: replica) { problems.add(problem) }
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
