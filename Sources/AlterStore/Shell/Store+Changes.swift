public import AlterCore
public import AlterJournal

// Changes of the state, and the room for them.
extension Store {
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
    if let version = errand.version { visible.advance(to: version) }
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
}
