public import AlterCore
public import AlterJournal

extension Store {
  /// Everything that changes in a store, under one lock.
  @usableFromInline
  struct Core: Sendable {
    @usableFromInline var replica: Replica<State>
    /// Never `waiting`: that is what ``shownStatus`` says of an open store.
    var status = StoreStatus.open {
      didSet {
        takesChanges = status == .open && !isClosing
        tellStatus()
      }
    }
    var outages = Outages()
    /// Runs out when an outage has lasted for longer than anybody is willing to wait.
    var outageTimer: Task<Void, Never>?
    /// Why commits take longer than anybody is willing to wait; nil as long as they don't.
    @usableFromInline var delay: JournalError?
    var statusReaders: [AsyncStream<StoreStatus>.Continuation] = []
    var isClosing = false { didSet { takesChanges = status == .open && !isClosing } }
    /// Whether it is open, and not being closed.
    @usableFromInline private(set) var takesChanges = true
    @usableFromInline var isWriting = false
    /// Counts what changes what is seen; see `Store.visible`.
    @usableFromInline var version: Int64 = 0
    /// How many wait for it, or are about to: with none, nobody needs to be told.
    @usableFromInline var watchers = 0
    /// By sequence: commits that are not resolved.
    @usableFromInline var promises = PromiseLine<Result<Revision, CommitError<State.Failure>>>()
    @usableFromInline var observers: [Observer<State>] = []
    @usableFromInline var notifications: [Notification<State>] = []
    @usableFromInline var isDelivering = false
    var problems = ProblemLog()
    #if DEBUG
      @usableFromInline var determinism = DeterminismCheck<State>()
    #endif
    /// The bytes of pending work that is large, and all of them together.
    var weights: [Int64: Int64] = [:]
    @usableFromInline var pendingBytes: Int64 = 0
    /// Ended before anything else when the store is closed: feedback loops.
    var attachments: [(id: Int, end: @Sendable () async -> Void)] = []
    var lastAttachment = 0
    @usableFromInline var transitions: [AsyncStream<StoreTransition<State>>.Continuation] = []

    /// Why it takes no changes.
    @usableFromInline var refusal: ChangeError<State.Failure> { if case .failed(let error) = status { .failed(error) } else { .closed } }

    /// Counts the bytes of pending work.
    mutating func weigh(_ drafts: some Sequence<Entry.Draft>) {
      for draft in drafts where replica.pending(draft.id) != nil {
        pendingBytes += draft.size - (weights.updateValue(draft.size, forKey: draft.id.sequence) ?? 0)
      }
    }

    /// Some work is pending no more.
    mutating func unweigh(_ sequence: Int64) {
      if !weights.isEmpty, let weight = weights.removeValue(forKey: sequence) { pendingBytes -= weight }
    }

    /// Throws why nothing can be taken back.
    func allowUndo() throws(UndoError) {
      switch status {
      case .open, .waiting: if isClosing { throw .closed }
      case .closed: throw .closed
      case .failed(let error): throw .failed(error)
      }
    }

    /// Whether somebody wants the state after each confirmed record.
    var wantsSteps: Bool { !observers.isEmpty || !transitions.isEmpty }

    /// How the store is doing.
    var shownStatus: StoreStatus { if status == .open, let wait = outages.wait { .waiting(wait) } else { status } }

    mutating func addStatusReader(_ reader: AsyncStream<StoreStatus>.Continuation) {
      reader.yield(shownStatus)
      if status == .open { statusReaders.append(reader) } else { reader.finish() }
    }

    /// Tells the status to those who follow it.
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

    /// Commits that nobody resolves any more, and the sequences of those that the journal may have.
    typealias Abandoned = (
      doubtful: Set<Int64>, promises: [(sequence: Int64, promise: Promise<Result<Revision, CommitError<State.Failure>>>)]
    )

    /// Takes out every commit that is not in the journal, as far as is known.
    mutating func abandonCommits() -> Abandoned { (replica.doubtfulSequences, promises.removeAll()) }

    /// Ends the streams of transitions.
    mutating func endTransitions() {
      transitions.forEach { $0.finish() }
      transitions = []
    }

    @usableFromInline
    mutating func announce(_ transition: StoreTransition<State>) {
      transitions.removeAll { if case .terminated = $0.yield(transition) { true } else { false } }
    }
  }
}
