public import AlterCore
public import AlterJournal

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
    var patience: Task<Void, Never>?
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
    @usableFromInline var transitions: [AsyncStream<Transition<State>>.Continuation] = []

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
    mutating func announce(_ transition: Transition<State>) {
      transitions.removeAll { if case .terminated = $0.yield(transition) { true } else { false } }
    }
  }

  @usableFromInline let core: Lock<Core>
  let backend: Backend<State>?
  /// Whether there is a journal behind it.
  @usableFromInline package let isJournaled: Bool
  @usableFromInline let options: StoreOptions
  /// Advances with `Core.version` while there are watchers: what `values(of:)`, `ready` and `close` wait on. (A revision here is a version.)
  @usableFromInline let visible = RevisionWaiters(journal: "store")
  /// Those who iterate `values(of:)`.
  let followers = Followers<State>()
  let ahead = DraftsAhead()
  /// Whoever reads or appends on behalf of this store: the writer and the reader, one at a time.
  let gate = TurnQueue(journal: "store")
  let reader = Lock<Task<Void, Never>?>(nil)
  /// When the next snapshot is due, and the task that makes it.
  let snapshots: Lock<SnapshotMaker>

  private init(_ replica: Replica<State>, backend: Backend<State>?, options: StoreOptions) {
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
  ///   - initial: The state that a new journal begins with.
  ///   - journal: Where the changes are kept. The store closes it, unless the options say otherwise.
  ///   - options: How it behaves.
  /// - Throws: ``/AlterJournal/JournalError``: what the journal met when it was read. `damaged` names the revision; `newerSchema` means that a newer
  ///   version of the app has written here; `refusedAtReplay` that this version refuses what an earlier one has written. Nothing was changed.
  /// - Complexity: O(the newest snapshot + entries since): see `Design/0007-snapshots.md`.
  public static func open(
    _ initial: State, in journal: any Journal, options: StoreOptions = StoreOptions()
  ) async throws(JournalError) -> Store where State: Journaled {
    let backend = Backend<State>(journal: journal, coding: .json)
    let origin = options.origin()
    try await begin(backend, with: initial, origin: origin, options: options)
    return try await attach(to: backend, origin: origin, options: options)
  }

  /// Opens a store on a journal and goes on with what another store has handed back when it was closed.
  ///
  /// When this method returns, each of these changes is in the journal exactly once, whether or not it was written before, unless others' work has made it
  /// impossible: then ``problems`` has a `lost` for it.
  ///
  /// - Parameters:
  ///   - initial: The state that a new journal begins with.
  ///   - journal: Where the changes are kept: the journal of the store that was closed, opened again.
  ///   - leftOver: What ``close(deadline:)`` has returned.
  ///   - options: How it behaves.
  /// - Throws: ``/AlterJournal/JournalError``, as ``open(_:in:options:)`` does, and when the changes can't be written now. Then open again with the
  ///   same changes: those that were written are found.
  public static func open(
    _ initial: State, in journal: any Journal, resuming leftOver: [Unwritten<State>], options: StoreOptions = StoreOptions()
  ) async throws(JournalError) -> Store where State: Journaled {
    let backend = Backend<State>(journal: journal, coding: .json)
    let origin = options.origin()
    try await begin(backend, with: initial, origin: origin, options: options)
    return try await attach(to: backend, origin: origin, resuming: leftOver, options: options)
  }

  /// A store on a journal that has begun.
  ///
  /// - Parameters:
  ///   - backend: The journal.
  ///   - origin: The id of the replica; its sequence 1 is taken by the initial entry, whether or not that is its own.
  ///   - leftOver: What another store could not show to be written.
  ///   - options: How it behaves.
  static func attach(
    to backend: Backend<State>, origin: Origin, resuming leftOver: [Unwritten<State>] = [], options: StoreOptions
  ) async throws(JournalError) -> Store where State: Journaled {
    let folded = try await backend.fold(
      Backend.Wish(window: options.undoWindow, removesUseless: options.snapshotSpacing < .max, refused: options.refusedAtReplay))
    let replica = Replica(
      folded.history, head: folded.head, origin: origin, scope: options.scope, limit: options.pendingLimit, lastSequence: 1)
    let store = Store(replica, backend: backend, options: options)
    store.begin(folded)
    do throws(JournalError) { try await store.resume(leftOver, then: origin) } catch {
      store.abandon()
      throw error
    }
    store.startSnapshotIfDue()
    if options.followsOthers { store.follow(backend.journal, after: folded.head.revision) }
    return store
  }

  /// Writes the initial entry of an empty journal. Another process may be doing the same: then its entry is the one.
  private static func begin(
    _ backend: Backend<State>, with initial: State, origin: Origin, options: StoreOptions
  ) async throws(JournalError) {
    let journal = backend.journal
    let head = try await journal.head()
    guard head.revision == .zero else { return }
    let record = Record<State>(
      revision: 1, id: EntryID(origin: origin, sequence: 1), time: options.now(), scope: options.scope, kind: .initial(initial))
    let draft: Entry.Draft
    do { draft = try backend.coding.draft(record) } catch {
      throw JournalError(
        .unencodable, journal: journal.name,
        message: "can't begin with this initial state: it can't be written as JSON: \(JournalCoding.explain(error))")
    }
    do { _ = try await journal.append([draft], after: head) } catch {
      guard error.code == .conflict else { throw error }
    }
  }

  private func follow(_ journal: any Journal, after revision: Revision) {
    let task = Task.detached { [weak self, options] in
      var revision = revision
      var backoff = Backoff()
      var isAway = false
      while !Task.isCancelled {
        do throws(JournalError) {
          if isAway {
            // Nobody may write for long: that the journal is back is not told by an entry alone.
            _ = try await journal.head()
            self?.goesOn(.reader)
            isAway = false
          }
          try await journal.waitForEntry(after: revision)
          guard let self else { return }
          revision = try await self.readOthers(after: revision)
          self.goesOn(.reader)
          backoff = Backoff()
        } catch {
          if error.isTransient {
            self?.waits(.reader, for: error)
            isAway = true
            try? await options.sleep(backoff.next())
          } else {
            if error.code != .cancelled, error.code != .closed { self?.fail(error) }
            return
          }
        }
      }
    }
    reader.withLock { $0 = task }
  }

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

  // MARK: - Change

  /// Makes a change.
  ///
  /// It is visible at once. The commit tells when the journal has it; without waiting it is written all the same.
  ///
  /// - Parameters:
  ///   - change: What happens.
  ///   - cause: Why, for the journal.
  ///   - requirement: A commit that this one builds on: dropped together.
  ///   - lease: The lease that it is made under: dropped when another replica has taken that over.
  /// - Returns: The commit.
  /// - Throws: ``ChangeError``; then nothing has changed.
  /// - Complexity: that of the change.
  @inlinable
  @discardableResult
  public func change(
    _ change: State.Change, cause: Cause? = nil, requires requirement: Commit<State>? = nil, under lease: Lease? = nil
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    try make(.change(change), cause: cause, requires: requirement, under: lease)
  }

  /// Makes two or more changes, all or none.
  ///
  /// They are visible at once. The commit tells when the journal has them; without waiting they are written all the same.
  ///
  /// - Parameters:
  ///   - first: What happens first.
  ///   - second: What happens then.
  ///   - others: What follows, in order: one atomic batch, one entry of the journal.
  ///   - cause: Why, for the journal.
  ///   - requirement: A commit that this one builds on: dropped together.
  ///   - lease: The lease that it is made under: dropped when another replica has taken that over.
  /// - Returns: The commit.
  /// - Throws: ``ChangeError``; then nothing has changed.
  /// - Complexity: that of the changes.
  @inlinable
  @discardableResult
  public func change(
    _ first: State.Change, _ second: State.Change, _ others: State.Change..., cause: Cause? = nil,
    requires requirement: Commit<State>? = nil, under lease: Lease? = nil
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    try make(.changes([first, second] + others), cause: cause, requires: requirement, under: lease)
  }

  /// Makes a list of changes, all or none.
  ///
  /// An empty list is no entry of the journal and no step to undo.
  ///
  /// - Parameters:
  ///   - changes: What happens, in order: one atomic batch, one entry of the journal.
  ///   - cause: Why, for the journal.
  ///   - requirement: A commit that this one builds on: dropped together.
  ///   - lease: The lease that it is made under: dropped when another replica has taken that over.
  /// - Returns: The commit; for an empty list one that is durable already, at the present revision.
  /// - Throws: ``ChangeError``; then nothing has changed.
  @inlinable
  @discardableResult
  public func change(
    _ changes: [State.Change], cause: Cause? = nil, requires requirement: Commit<State>? = nil, under lease: Lease? = nil
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    guard !changes.isEmpty else { return try makeNothing(requires: requirement) }
    return try make(Record.Content(changes), cause: cause, requires: requirement, under: lease)
  }

  /// What an empty list of changes comes to: a commit of the present revision. Its id names no entry.
  @usableFromInline
  func makeNothing(requires requirement: Commit<State>?) throws(ChangeError<State.Failure>) -> Commit<State> {
    try core.withLock { core throws(ChangeError<State.Failure>) in
      guard core.takesChanges else { throw core.refusal }
      _ = try requirement?.sequenceToWaitFor()
      // With a requirement it is durable when that is, and dropped with it.
      return Commit(
        id: EntryID(origin: core.replica.origin, sequence: 0), revision: core.replica.history.revision, promise: requirement?.promise)
    }
  }

  /// Replaces the whole state. Journaled like any change, and undone like one.
  ///
  /// - Parameters:
  ///   - state: The new state.
  ///   - cause: Why, for the journal.
  /// - Returns: The commit.
  /// - Throws: ``ChangeError`` `closed`, `failed` or `full`; then nothing has changed.
  @discardableResult
  public func reset(to state: State, cause: Cause? = nil) throws(ChangeError<State.Failure>) -> Commit<State> {
    try make(.reset(state), cause: cause, requires: nil, under: nil)
  }

  @inlinable
  func make(
    _ content: Record<State>.Content, cause: Cause?, requires requirement: Commit<State>?, under lease: Lease?,
    if condition: (@Sendable (State) -> Bool)? = nil
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    let extra = cause == nil && lease == nil ? nil : RecordExtra(cause: cause, lease: lease)
    let now = options.now()
    let (commit, errand) = try core.withLock { core throws(ChangeError<State.Failure>) in
      guard core.takesChanges else { throw core.refusal }
      guard core.pendingBytes < options.pendingBytesLimit else { throw .full(limit: .bytes(options.pendingBytesLimit)) }
      // Under the lock under which work is dropped: what is not dropped now is pending, or in the journal.
      let needed = try requirement?.sequenceToWaitFor()
      #if DEBUG
        let probe = core.determinism.begin(with: core.replica.state)
      #endif
      try core.replica.make(content, extra: extra, requirement: needed, condition: condition, now: now)
      #if DEBUG
        core.endCheck(probe, content)
      #endif
      return (committed(in: &core), errands(in: &core))
    }
    if errand.isSomething { run(errand) }
    return commit
  }

  /// The commit of the record that the replica has just made.
  @inlinable
  func committed(in core: inout Core) -> Commit<State> {
    core.version += 1
    let id = EntryID(origin: core.replica.origin, sequence: core.replica.sequence)
    let revision = core.replica.history.revision
    guard isJournaled else { return Commit(id: id, revision: revision, promise: nil) }
    let promise = Promise<Result<Revision, CommitError<State.Failure>>>()
    core.promises.append(promise, for: id.sequence)
    if let delay = core.delay { delayed(promise, by: delay) }
    return Commit(id: id, revision: revision, promise: promise)
  }

  /// A promise that is made while the journal has been out of reach for long.
  @usableFromInline
  func delayed(_ promise: Promise<Result<Revision, CommitError<State.Failure>>>, by reason: JournalError) {
    _ = promise.delay(.failure(.notYet(reason)))
  }

  /// What is to be done outside the lock after a record was made.
  @usableFromInline
  struct Errand {
    /// A notification that nobody else is in the way of.
    @usableFromInline var notification: Notification<State>?
    @usableFromInline var startsWriting = false
    /// To tell those who wait.
    @usableFromInline var version: Int64?

    @inlinable init() {}

    @inlinable var isSomething: Bool { startsWriting || notification != nil || version != nil }
  }

  /// Tells those who can be told under the lock, and what is to be done outside of it.
  @inlinable
  func errands(in core: inout Core) -> Errand {
    var errand = Errand()
    if core.watchers > 0 { errand.version = core.version }
    if !core.transitions.isEmpty { announceMade(in: &core) }
    if isJournaled {
      errand.startsWriting = !core.isWriting
      core.isWriting = true
    } else if !core.observers.isEmpty {
      let records = core.replica.history.records.count
      let notification = Notification<State>(
        record: core.replica.history.records[records - 1], state: core.replica.history.state, observers: core.observers)
      if core.isDelivering || !core.notifications.isEmpty {
        core.notifications.append(notification)
      } else {
        core.isDelivering = true
        errand.notification = notification
      }
    }
    return errand
  }

  @usableFromInline
  func announceMade(in core: inout Core) {
    guard let record = core.replica.made else { return }
    core.announce(isJournaled ? .pending(record) : .confirmed(record))
  }

  /// Does what is to be done after a change, outside the lock.
  @inlinable
  func run(_ errand: Errand) {
    if errand.startsWriting { startWriting() }
    if let notification = errand.notification {
      notification.tell()
      deliverAll()
    }
    if let version = errand.version { visible.advance(to: Revision(version)) }
  }

  /// Returns as soon as there is room for another pending change: the brake for somebody who makes many.
  ///
  /// - Throws: ``/AlterJournal/JournalError`` when the store has failed or was closed.
  public func ready() async throws(JournalError) {
    while true {
      let version: Int64? = try core.withLock { core throws(JournalError) in
        if case .failed(let error) = core.status { throw error }
        let isRoom = core.replica.pendingCount < core.replica.limit && core.pendingBytes < options.pendingBytesLimit
        return isRoom ? nil : core.version
      }
      guard let version else { return }
      try await watch.wait(past: version)
    }
  }

  // MARK: - Undo

  /// Takes back the scope's last active entry, together with the feedback answers it caused, as a new entry of the journal.
  ///
  /// Others' later work stays. When somebody else undoes at the same moment, two entries are taken back.
  ///
  /// - Returns: What was taken back, once the journal has it.
  /// - Throws: ``UndoError``; then nothing has changed.
  /// - Complexity: O(entries since the one taken back), at most the undo window.
  @discardableResult
  public func undo() async throws(UndoError) -> Undone<State> { try await takeBack(redo: false) }

  /// Takes back the scope's last undo, unless something new has followed it.
  ///
  /// - Returns: What was brought back, once the journal has it.
  /// - Throws: ``UndoError``; then nothing has changed.
  @discardableResult
  public func redo() async throws(UndoError) -> Undone<State> { try await takeBack(redo: true) }

  private func takeBack(redo: Bool) async throws(UndoError) -> Undone<State> {
    let (commit, errand) = try makeUndo(redo: redo)
    run(errand)
    switch await commit.result() {
    case .success(let revision):
      let history = core.withLock { $0.replica.history }
      return Undone(revision: revision, records: history.records(concernedBy: revision))
    case .failure(.undo(let error)): throw error
    case .failure(.failed(let error)): throw .failed(error)
    case .failure(.unknown(let error)): throw .unknown(error)
    case .failure(.notYet(let error)): throw .notYet(error)
    case .failure(.dropped), .failure(.requirementDropped), .failure(.staleLease), .failure(.conditionFailed):
      throw redo ? .nothingToRedo : .nothingToUndo
    }
  }

  /// Makes an undo: tried on a copy, apart from the lock, and made when nothing has happened meanwhile.
  private func makeUndo(redo: Bool) throws(UndoError) -> (Commit<State>, Errand) {
    let now = options.now()
    // Who is in a hurry may change the state more quickly than an undo can be tried: then the lock makes him wait.
    for _ in 0..<4 {
      var replica: Replica<State>? = try core.withLock { core throws(UndoError) in
        try core.allowUndo()
        return core.replica.copied()
      }
      let trial = try replica?.tryUndo(redo: redo, now: now)
      // What is pending is shared no more, and changed in place.
      replica = nil
      let made = try core.withLock { core throws(UndoError) in
        try core.allowUndo()
        return trial.map { core.replica.make($0) } == true ? (committed(in: &core), errands(in: &core)) : nil
      }
      if let made { return made }
    }
    return try core.withLock { core throws(UndoError) in
      try core.allowUndo()
      _ = try core.replica.undo(redo: redo, now: now)
      return (committed(in: &core), errands(in: &core))
    }
  }

  // MARK: - The past

  /// The state as it was at a revision: confirmed history, by the undos of that time.
  ///
  /// - Parameter revision: 1 (the initial state) to ``revision``.
  /// - Throws: ``/AlterJournal/JournalError`` `noSuchRevision` beyond the head, `refusedAtReplay` unless the options say to leave such entries out. A store in memory knows only what its undo window covers.
  /// - Complexity: O(the nearest snapshot before it + entries from there).
  public func state(at revision: Revision) async throws(JournalError) -> State {
    let (head, kept) = core.withLock { core in
      (core.replica.history.revision, revision <= core.replica.history.revision ? core.replica.history.state(at: revision) : nil)
    }
    if let kept { return kept }
    guard let backend else { throw .noSuchRevision("memory", revision, head: head) }
    return try await backend.state(at: revision, refused: options.refusedAtReplay)
  }
}

/// What an undo took back, or a redo brought back.
public struct Undone<State: Alterable>: Sendable {
  /// The revision of the undo or redo itself.
  public let revision: Revision
  /// The entries concerned: first the one it is about, then the feedback answers to that one.
  public let records: [Record<State>]
}

// MARK: - Reading without opening

extension Store where State: Journaled {
  /// The state that a journal held at a revision, without opening a store on it: nothing is written, and what lies beyond the revision
  /// may be damaged or newer.
  ///
  /// - Parameters:
  ///   - revision: 1 to the journal's head.
  ///   - journal: Where to read.
  ///   - refused: What to do with an entry that this version of the app refuses.
  /// - Throws: ``/AlterJournal/JournalError``: `noSuchRevision` beyond the head, `damaged` when an entry up to there is, `refusedAtReplay`.
  /// - Complexity: O(the nearest snapshot before it + entries from there).
  public static func state(
    at revision: Revision, in journal: any Journal, refusedAtReplay refused: RefusedAtReplay = .fail
  ) async throws(JournalError) -> State {
    try await Backend<State>(journal: journal, coding: .json).state(at: revision, refused: refused)
  }

  /// Hands each entry of a journal to a closure, in order, up to the present head, without opening a store on it: nothing is written.
  ///
  /// - Parameters:
  ///   - journal: Where to read.
  ///   - body: Takes one record. What came before an entry that can't be read has been handed over when the error is thrown.
  /// - Throws: ``/AlterJournal/JournalError``: `damaged`, `newerSchema` and `undecodable` name the entry.
  /// - Complexity: O(entries), one page of them in memory.
  public static func entries(in journal: any Journal, _ body: (Record<State>) -> Void) async throws(JournalError) {
    let coding = RecordCoding<State>.json
    try await journal.readVerified { entry throws(JournalError) in
      body(try coding.record(entry, journal.name))
    }
  }
}
