import AlterCore
import AlterJournal

// The end of a store.
extension Store {
  /// Closes the store. It ends the runs of feedbacks, rejects further changes, writes the pending ones, ends every stream and observation, and
  /// closes the journal.
  ///
  /// At the deadline this method returns at once. Effects, an append, a snapshot and the closing of the journal that are still in progress
  /// end by themselves. If the calling task is cancelled, this method returns at once, too, and the store continues to close in the
  /// background. It may still write the changes that this method returns (``Unwritten/mayBeWritten``).
  ///
  /// - Parameter deadline: The time limit, by ``StoreEnvironment/sleep``; nil for none.
  /// - Returns: The changes that are not known to be in the journal, in order; empty if everything was written. At the deadline their
  ///   commits fail. A store that resumes them (``open(_:in:resuming:options:)``) writes each of them exactly once.
  @discardableResult
  public func close(deadline: Duration? = nil) async -> [Unwritten<State>] {
    let closed = Promise<[Unwritten<State>]>()
    Task { closed.resolve(await shutDown(deadline: deadline)) }
    // After a cancellation the pending changes may still be written.
    if let leftOver = await closed.value() { return leftOver }
    return core.withLock { $0.replica.leftOver }.map { Unwritten($0.work, of: $0.journal, mayBeWritten: true) }
  }

  private func shutDown(deadline: Duration?) async -> [Unwritten<State>] {
    let limit = TimeLimit(deadline, sleep: options.environment.sleep)
    defer { limit.end() }
    await limit.run { await self.finish() }
    let (leftOver, abandoned) = core.withLock { core in
      core.status = .closed
      core.observers.forEach { $0.cancel() }
      core.observers = []
      core.problems.finish()
      core.endTransitions()
      // In the same critical section: a flight that lands from now on is returned all the same, so its commits must not report success.
      return (core.replica.leftOver, core.abandonCommits())
    }
    tellMonitor()
    #if DEBUG
      printUnreadProblems()
    #endif
    resolve(abandoned, because: .closed(journalName))
    endOutageTimer()
    let task = reader.withLock { $0 }
    task?.cancel()
    let loading = endUndoWindowLoading(with: .closed)
    visible.finish(.closed("store"))
    await limit.run {
      await self.finishSnapshot()
      if !self.options.keepsJournalOpen { await self.upstream?.close() }
      await task?.value
      await loading?.value
    }
    return leftOver
  }

  /// Ends the runs, rejects further changes, and writes the pending ones.
  private func finish() async {
    await endRuns()
    core.withLock { $0.isClosing = true }
    endUndoWindowLoading(with: .closed)
    await flush()
    await startClosingSnapshot()
  }

  /// Waits until nothing is pending, or the store has ended.
  ///
  /// - Parameter isPatient: Whether to wait through an outage that lasts longer than `StoreOptions.outageTimeout`.
  func flush(isPatient: Bool = true) async {
    while let version = core.withLock({ core in
      core.status == .open && core.replica.unwrittenCount > 0 && (isPatient || core.delay == nil) ? core.version : nil
    }) {
      do { try await watch.wait(past: version) } catch { return }
    }
  }
}
