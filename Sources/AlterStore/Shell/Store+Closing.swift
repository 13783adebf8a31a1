import AlterCore
import AlterJournal

// The end of a store.
extension Store {
  /// Ends the store: stops feedback, refuses further changes, writes what is pending, stops following, ends every stream and observation, and closes
  /// the journal.
  ///
  /// At the deadline it returns at once: effects, an append, a snapshot and the closing of the journal that are still under way end by themselves.
  /// When the calling task is cancelled it returns at once, too, and the store goes on closing without it.
  ///
  /// - Parameter deadline: How long to try; nil for as long as it takes.
  /// - Returns: What is not known to be written, in order; at the deadline their commits fail. Empty when all is well. A store that is opened resuming
  ///   it (``open(_:in:resuming:options:)``) writes each of them exactly once.
  @discardableResult
  public func close(deadline: Duration? = nil) async -> [Unwritten<State>] {
    let closed = Promise<[Unwritten<State>]>()
    Task { closed.resolve(await shutDown(deadline: deadline)) }
    // After a cancellation anything may still be written.
    if let leftOver = await closed.value() { return leftOver }
    return core.withLock { $0.replica.leftOver }.map { Unwritten($0.work, of: $0.journal, mayBeWritten: true) }
  }

  private func shutDown(deadline: Duration?) async -> [Unwritten<State>] {
    let limit = TimeLimit(deadline, sleep: options.sleep)
    defer { limit.end() }
    await limit.run { await self.finish() }
    let (leftOver, abandoned) = core.withLock { core in
      core.status = .closed
      core.observers.forEach { $0.cancel() }
      core.observers = []
      core.problems.finish()
      core.endTransitions()
      // At once: what lands from now on is handed back all the same, and so is not reported as written.
      return (core.replica.leftOver, core.abandonCommits())
    }
    resolve(abandoned, because: .closed(backend?.journal.name ?? "memory"))
    endOutageTimer()
    let task = reader.withLock { $0 }
    task?.cancel()
    visible.finish(.closed("store"))
    await limit.run {
      await self.finishSnapshot()
      if let backend = self.backend, !self.options.keepsJournalOpen { await backend.journal.close() }
      await task?.value
    }
    return leftOver
  }

  /// Ends what is attached, refuses further changes, and writes what is pending.
  private func finish() async {
    await endAttachments()
    core.withLock { $0.isClosing = true }
    await flush()
  }

  /// Waits until nothing is pending, or nothing more can be written.
  ///
  /// - Parameter isPatient: Whether to wait however long the journal is out of reach.
  func flush(isPatient: Bool = true) async {
    while let version = core.withLock({ core in
      core.status == .open && core.replica.pendingCount > 0 && (isPatient || core.delay == nil) ? core.version : nil
    }) {
      do { try await watch.wait(past: version) } catch { return }
    }
  }
}

/// Runs work until a moment, and then no longer waits for it.
private struct TimeLimit: Sendable {
  private let isOver = Promise<Void>()
  private let clock: Task<Void, Never>?

  /// A limit that ends after a time; nil for never.
  init(_ deadline: Duration?, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    let isOver = isOver
    clock = deadline.map { deadline in
      Task {
        try? await sleep(deadline)
        isOver.resolve(())
      }
    }
  }

  /// Lets go of the clock.
  func end() { clock?.cancel() }

  /// Runs work and returns when it has ended or the time is over. Then the work is cancelled, and ends by itself.
  func run(_ work: @escaping @Sendable () async -> Void) async {
    guard clock != nil else { return await work() }
    let ended = Promise<Void>()
    let task = Task {
      await work()
      ended.resolve(())
    }
    let watch = Task { if await isOver.value() != nil { ended.resolve(()) } }
    _ = await ended.value()
    if isOver.current != nil { task.cancel() }
    watch.cancel()
  }
}
