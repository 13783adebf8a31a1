public import AlterCore
public import AlterJournal

// Changes of the state, and the limit on pending changes.
extension Store {
  /// Makes a change. The state shows it when this method returns.
  ///
  /// The writer appends the change to the journal in the background, whether or not a task waits for the commit. `apply` runs on the
  /// calling thread, under the store's lock.
  ///
  /// A change that is nested more than 128 levels deep is refused. Any other change that the journal cannot hold, such as one whose own code
  /// fails to encode it, is found when it is encoded: it is taken out of the state again, and fails its commit.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - cause: The reason, stored in the journal; nil for none.
  ///   - requirement: A commit of this store that the change depends on. If that is dropped, this change is dropped, too.
  ///   - lease: The lease that the change is made under. If another replica takes it over before the journal has the change, the change is
  ///     dropped.
  ///   - scope: The undo stack that the change belongs to; nil for that of the store. ``/AlterJournal/UndoScope/never`` for a change that is no
  ///     step to undo.
  /// - Returns: The commit, which reports when the journal has the change.
  /// - Throws: ``ChangeError``; then nothing has changed.
  /// - Complexity: that of the change. A change of a type that contains itself, or whose form is written by hand, is walked through once, which takes
  ///   as long as encoding it. After a refusal, the store also replays the work since the last kept state.
  @inlinable
  @discardableResult
  public func change(
    _ change: State.Change, cause: Cause? = nil, requires requirement: Commit<State>? = nil, under lease: Lease? = nil,
    scope: UndoScope? = nil
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    try make(.change(change), cause: cause, requires: requirement, under: lease, in: scope)
  }

  /// Makes two or more changes, all or none. The state shows them when this method returns.
  ///
  /// They are one entry of the journal and one step to undo.
  ///
  /// - Parameters:
  ///   - first: The first change.
  ///   - second: The second change.
  ///   - others: The following changes, in order.
  ///   - cause: The reason, stored in the journal; nil for none.
  ///   - requirement: A commit of this store that the changes depend on. If that is dropped, they are dropped, too.
  ///   - lease: The lease that the changes are made under. If another replica takes it over before the journal has them, they are dropped.
  ///   - scope: The undo stack that the changes belong to; nil for that of the store. ``/AlterJournal/UndoScope/never`` for changes that are no
  ///     step to undo.
  /// - Returns: The commit, which reports when the journal has the changes.
  /// - Throws: ``ChangeError``; then nothing has changed.
  /// - Complexity: that of the changes.
  @inlinable
  @discardableResult
  public func change(
    _ first: State.Change, _ second: State.Change, _ others: State.Change..., cause: Cause? = nil,
    requires requirement: Commit<State>? = nil, under lease: Lease? = nil, scope: UndoScope? = nil
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    try make(.changes([first, second] + others), cause: cause, requires: requirement, under: lease, in: scope)
  }

  /// Makes a list of changes, all or none. The state shows them when this method returns.
  ///
  /// They are one entry of the journal and one step to undo. An empty list makes no entry.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - cause: The reason, stored in the journal; nil for none.
  ///   - requirement: A commit of this store that the changes depend on. If that is dropped, they are dropped, too.
  ///   - lease: The lease that the changes are made under. If another replica takes it over before the journal has them, they are dropped.
  ///   - scope: The undo stack that the changes belong to; nil for that of the store. ``/AlterJournal/UndoScope/never`` for changes that are no
  ///     step to undo.
  /// - Returns: The commit, which reports when the journal has the changes. The commit of an empty list has the outcome of its requirement;
  ///   without one it is confirmed already, at the present revision.
  /// - Throws: ``ChangeError``; then nothing has changed.
  /// - Complexity: that of the changes.
  @inlinable
  @discardableResult
  public func change(
    _ changes: some Collection<State.Change>, cause: Cause? = nil, requires requirement: Commit<State>? = nil, under lease: Lease? = nil,
    scope: UndoScope? = nil
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    // Any collection: with an array as the parameter's type, the compiler's error for a change that doesn't exist is about the array.
    guard !changes.isEmpty else { return try makeNothing(requires: requirement) }
    return try make(Record.Content(Array(changes)), cause: cause, requires: requirement, under: lease, in: scope)
  }

  /// Returns the commit of an empty list of changes. Its id names no entry.
  @usableFromInline
  func makeNothing(requires requirement: Commit<State>?) throws(ChangeError<State.Failure>) -> Commit<State> {
    try core.withLock { core throws(ChangeError<State.Failure>) in
      guard core.takesChanges else { throw core.refusal }
      _ = try requirement?.idToWaitFor(in: core.replica)
      // With a requirement it has the outcome of that commit.
      return Commit(
        id: EntryID(origin: core.replica.origin, sequence: 0), revision: core.replica.history.revision, promise: requirement?.promise,
        stored: requirement?.stored)
    }
  }

  /// Replaces the whole state. The replacement is journaled and undone like a change.
  ///
  /// - Parameters:
  ///   - state: The new state.
  ///   - cause: The reason, stored in the journal; nil for none.
  /// - Returns: The commit, which reports when the journal has the new state.
  /// - Throws: ``ChangeError`` `closed`, `failed` or `full`; `unencodable` in a store of a synced journal. Then nothing has changed.
  @discardableResult
  public func reset(to state: State, cause: Cause? = nil) throws(ChangeError<State.Failure>) -> Commit<State> {
    if isSynced {
      throw .unencodable(
        JournalError(
          .unencodable, journal: journalName,
          message: "is synced, and can't hold a replacement of the state. Make changes that lead to it."))
    }
    return try make(.reset(state), cause: cause, requires: nil, under: nil)
  }

  /// Replaces the whole state by the store's initial state: the one with which this store was opened. The replacement is journaled and undone
  /// like a change.
  ///
  /// A store that was opened with an import returns to the imported state, which is read from the journal at each opening; if it could not be
  /// read, this method throws `failed`.
  ///
  /// - Parameter cause: The reason, stored in the journal; nil for none.
  /// - Returns: The commit, which reports when the journal has the new state.
  /// - Throws: ``ChangeError`` `closed`, `failed` or `full`; `unencodable` in a store of a synced journal. Then nothing has changed.
  @discardableResult
  public func reset(cause: Cause? = nil) throws(ChangeError<State.Failure>) -> Commit<State> {
    switch initial {
    case .success(let state): return try reset(to: state, cause: cause)
    case .failure(let error): throw .failed(error)
    }
  }

  @inlinable
  func make(
    _ content: Record<State>.Content, cause: Cause?, requires requirement: Commit<State>?, under lease: Lease?, in scope: UndoScope? = nil,
    if condition: (@Sendable (State) -> Bool)? = nil
  ) throws(ChangeError<State.Failure>) -> Commit<State> {
    let extra = cause == nil && lease == nil ? nil : RecordExtra(cause: cause, lease: lease)
    if isMeasured { try checkDepth(of: content) }
    let now = options.environment.now()
    #if DEBUG
      var isSound = true
    #endif
    let (commit, errand) = try core.withLock { core throws(ChangeError<State.Failure>) in
      guard core.takesChanges else { throw core.refusal }
      guard core.pendingBytes < options.pendingBytesLimit else { throw .full(limit: .bytes(options.pendingBytesLimit)) }
      // Work is dropped under the same lock. A requirement that has not been dropped now is pending, or in the journal.
      let needed = try requirement?.idToWaitFor(in: core.replica)
      #if DEBUG
        let probe = core.determinism.begin(with: core.replica.state)
      #endif
      try core.replica.make(content, extra: extra, requirement: needed, condition: condition, in: scope, now: now)
      #if DEBUG
        isSound = core.endCheck(probe, content)
      #endif
      return (committed(in: &core), core.isUnwatched && !isJournaled ? Errand() : errands(in: &core))
    }
    if errand.isSomething { run(errand) }
    #if DEBUG
      if !isSound { printUnreadProblemsSoon() }
    #endif
    return commit
  }

  /// Refuses content that is too deep to be stored.
  @usableFromInline
  func checkDepth(of content: Record<State>.Content) throws(ChangeError<State.Failure>) { try depthCheck?(content, in: journalName) }

  /// Returns the commit of the record that the replica has just made. It is inlined: otherwise the commit is passed in memory, and the release
  /// of each reference there looks up a type.
  @inlinable
  @inline(__always)
  func committed(in core: inout Core) -> Commit<State> {
    core.version += 1
    let id = EntryID(origin: core.replica.origin, sequence: core.replica.sequence)
    let revision = core.replica.history.revision
    guard isJournaled else { return Commit(id: id, revision: revision, promise: nil) }
    let (promise, stored) = promises(for: id.sequence, in: &core)
    return Commit(id: id, revision: revision, promise: promise, stored: stored)
  }

  /// Returns the promises of work that the journal does not have yet: the second one for a synced journal.
  @inlinable
  func promises(
    for sequence: Int64, in core: inout Core
  ) -> (Promise<Result<Revision, CommitError<State.Failure>>>, stored: Promise<Result<Revision, CommitError<State.Failure>>>?) {
    let promise = Promise<Result<Revision, CommitError<State.Failure>>>()
    core.promises.append(promise, for: sequence)
    if let delay = core.delay { delayed(promise, by: delay) }
    return (promise, core.replica.isSynced ? core.synced.promise(for: sequence) : nil)
  }

  /// Delays a promise that is made while an outage has lasted longer than `StoreOptions.outageTimeout`.
  @usableFromInline
  func delayed(_ promise: Promise<Result<Revision, CommitError<State.Failure>>>, by reason: JournalError) {
    _ = promise.delay(.failure(.notYet(reason)))
  }

  /// The work that remains to be done outside the lock after a record was made. It has four words, which a function returns in registers.
  @usableFromInline
  struct Errand {
    /// A notification to deliver at once, because no other one is waiting or being delivered.
    @usableFromInline var notification: Notification<State>?
    /// The version to publish to waiting tasks; 0 if none waits.
    @usableFromInline var version: Int64 = 0
    /// The collections of states to wake.
    @usableFromInline var looks: [Looks<State>] = []
    @usableFromInline var startsWriting = false
    /// Whether the delivery must be watched from now on.
    @usableFromInline var startsWatching = false

    @inlinable init() {}

    @inlinable var isSomething: Bool { startsWriting || notification != nil || version > 0 || !looks.isEmpty }
  }

  /// Announces the record to the streams under the lock, and collects the work to do outside of it.
  @inlinable
  func errands(in core: inout Core) -> Errand {
    var errand = Errand()
    if core.watchers > 0 { errand.version = core.version }
    if !core.transitions.isEmpty { announceMade(in: &core) }
    if !core.looks.isEmpty {
      core.lookAtMade(isConfirmed: !isJournaled)
      errand.looks = core.looks
    }
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
        errand.startsWatching = core.beginDelivering()
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

  /// Does the remaining work of a change, outside the lock.
  @inlinable
  func run(_ errand: Errand) {
    if errand.startsWriting { startWriting() }
    if let notification = errand.notification {
      if errand.startsWatching { watchDeliveries() }
      notification.tell()
      deliverAll()
    }
    for looks in errand.looks { looks.wake() }
    if errand.version > 0 { visible.advance(to: errand.version) }
  }

  /// Waits until there is room for another pending change: backpressure for a caller that makes many changes.
  ///
  /// ```swift
  /// for item in imported {
  ///   try await store.ready()
  ///   try store.change(.add(item))
  /// }
  /// ```
  ///
  /// It does not reserve the room: with several callers, `change` may still throw `full`. On a store that was closed it may return at once;
  /// `change` then throws `closed`.
  ///
  /// - Throws: ``/AlterJournal/JournalError``: the journal's error if the store has failed, `closed` if it is closed during the wait,
  ///   `cancelled` if the task is cancelled.
  public func ready() async throws(JournalError) {
    while true {
      let version: Int64? = try core.withLock { core throws(JournalError) in
        if case .failed(let error) = core.status { throw error }
        let isRoom = core.replica.unwrittenCount < core.replica.limit && core.pendingBytes < options.pendingBytesLimit
        return isRoom ? nil : core.version
      }
      guard let version else { return }
      try await watch.wait(past: version)
    }
  }
}
