import AlterCore
import AlterJournal

// The undo window of a store that was opened without it: `StoreOptions.undoWindowLoading`.
extension Store {
  /// Reads the undo window from the journal, if the store was opened without it: see ``StoreOptions/undoWindowLoading``.
  ///
  /// ``undo()`` and ``redo()`` do so by themselves. Call this method before ``previewUndo()`` and ``previewRedo()`` in a store of ``Stores``,
  /// because these cannot wait. The window then stays in memory until the store is closed.
  ///
  /// Calls that wait at the same time share one reading. The state stays visible and accepts changes meanwhile. If the task is cancelled, this
  /// method throws at once, and the reading continues.
  ///
  /// - Throws: ``UndoError`` `windowNotLoaded` if the journal cannot be read or the task was cancelled, `closed` or `failed` if the store has
  ///   ended. Nothing was changed.
  /// - Complexity: O(1) if the window is in memory; otherwise O(entries since the newest snapshot that lies a window before the end).
  public func loadUndoWindow() async throws(UndoError) {
    // Other stores take no lock here.
    guard options.undoWindowLoading == .whenNeeded, let backend else { return }
    let promise: Promise<Result<Void, UndoError>>? = try core.withLock { core throws(UndoError) in
      try core.allowUndo()
      guard lacksUndoWindow(core) else { return nil }
      if let loading = core.undoWindowLoading { return loading.promise }
      let promise = Promise<Result<Void, UndoError>>()
      // The task holds the store, so that `Stores` does not close it. It is detached, because the other callers continue when this one is
      // cancelled.
      let task = Task.detached {
        let result = await self.readUndoWindow(by: backend)
        self.core.withLock { $0.undoWindowLoading = nil }
        promise.resolve(result)
      }
      core.undoWindowLoading = (promise, task)
      return promise
    }
    guard let promise else { return }
    guard let result = await promise.value() else { throw .windowNotLoaded(nil) }
    try result.get()
  }

  /// Whether the store was opened without its undo window and has not read it since. Once it has the window, it never loses it.
  package var lacksUndoWindow: Bool { core.withLock { lacksUndoWindow($0) } }

  func lacksUndoWindow(_ core: Core) -> Bool {
    options.undoWindowLoading == .whenNeeded && backend != nil && core.replica.history.window < options.undoWindow
  }

  /// Throws if the store has ended, or lacks its undo window.
  func allowUndo(_ core: Core) throws(UndoError) {
    try core.allowUndo()
    if lacksUndoWindow(core) { throw .windowNotLoaded(nil) }
  }

  private func readUndoWindow(by backend: Backend<State>) async -> Result<Void, UndoError> {
    do throws(JournalError) {
      // Without a window the store keeps few records. If more are confirmed during each fold, the last attempt makes the writer wait. The
      // first ones do not take the gate, because the writer holds it through an outage.
      for attempt in 1...4 {
        let turn = attempt == 4 ? try await gate.take() : nil
        defer { turn?.end() }
        if try await foldUndoWindow(by: backend) { break }
      }
      return .success(())
    } catch {
      // If the store has ended, that is the reason.
      do throws(UndoError) { try core.withLock { core throws(UndoError) in try core.allowUndo() } } catch { return .failure(error) }
      return .failure(.windowNotLoaded(error))
    }
  }

  /// Folds the journal with the undo window up to the confirmed revision, and replaces the confirmed side.
  ///
  /// - Returns: False if the store no longer keeps a record that was confirmed meanwhile, or if more and more are confirmed.
  private func foldUndoWindow(by backend: Backend<State>) async throws(JournalError) -> Bool {
    let name = backend.journal.name
    let (head, state) = core.withLock { ($0.replica.head, $0.replica.history.state) }
    guard let head else { return true }
    let folded = try await backend.fold(
      Backend.FoldRequest(
        last: head.revision, window: options.undoWindow, removesUseless: options.snapshotSpacing < .max, refused: options.refusedAtReplay))
    guard folded.head == head else { throw .diverged(name, at: head.revision, head: folded.head.revision) }
    for problem in folded.problems { report(problem) }
    let isEqual = await options.longWork.run { [found = folded.history.state] in StateComparison.areEqual(state, found) }
    guard isEqual else {
      let reason = "The entries of the undo window lead to another state than the snapshot from which the store was opened."
      report(.nondeterministic(head.revision, reason: reason))
      throw .damaged(name, at: head.revision, "the state there is not certain. \(reason)")
    }
    var history = folded.history
    for _ in 0..<16 {
      // The records that were confirmed since; nil if some are no longer kept.
      var since: [Record<State>]? = []
      var end = history.revision
      let isReplaced = report { replica, _ in
        guard replica.history.window < history.window else { return Replica<State>.Report() }
        end = replica.history.revision
        guard end == history.revision else {
          since = replica.history.base > history.revision ? nil : replica.history.records(after: history.revision)
          return nil
        }
        replica.widen(to: &history)
        return Replica<State>.Report()
      }
      if isReplaced { return true }
      guard let since else { return false }
      // Without a new revision, the store has ended.
      guard end > history.revision else { throw .closed(name) }
      for record in since {
        if case .reachesBeyond = try await backend.append(record, to: &history) { return false }
      }
      history.skip(to: end)
    }
    return false
  }
}
