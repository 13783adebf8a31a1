import AlterCore
import AlterJournal

// The end of a store.
extension Store {
  /// Ends the store: stops feedback, refuses further changes, writes what is pending, stops following, ends every stream and observation, and closes
  /// the journal.
  ///
  /// - Parameter deadline: How long to try; nil for as long as it takes.
  /// - Returns: What could not be written, in order; their commits fail. Empty when all is well.
  @discardableResult
  public func close(deadline: Duration? = nil) async -> [Record<State>] {
    if let deadline {
      await withTaskGroup { group in
        group.addTask { await self.finish() }
        group.addTask { [options] in try? await options.sleep(deadline) }
        await group.next()
        core.withLock { $0.isClosing = true }
        group.cancelAll()
      }
    } else {
      await finish()
    }
    let (unwritten, promises) = core.withLock { core in
      core.status = .closed
      core.observers.forEach { $0.cancel() }
      core.observers = []
      core.problems.finish()
      core.transitions.forEach { $0.finish() }
      core.transitions = []
      return (core.replica.unwritten, core.promises.removeAll())
    }
    for promise in promises { promise.resolve(.failure(.failed(.closed(backend?.journal.name ?? "memory")))) }
    let task = reader.withLock { $0 }
    task?.cancel()
    visible.finish(.closed("store"))
    await finishSnapshot()
    if let backend, !options.keepsJournalOpen { await backend.journal.close() }
    await task?.value
    return unwritten
  }

  /// Ends what is attached, refuses further changes, and writes what is pending.
  private func finish() async {
    await endAttachments()
    core.withLock { $0.isClosing = true }
    await flush()
  }

  /// Waits until nothing is pending, or nothing more can be written.
  private func flush() async {
    while let version = core.withLock({ $0.status == .open && $0.replica.pendingCount > 0 ? $0.version : nil }) {
      do { try await watch.wait(past: version) } catch { return }
    }
  }
}
