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
  /// method throws at once, and the reading continues. If the store is closed or fails, this method throws at once, and the reading ends.
  ///
  /// - Throws: ``UndoError`` `windowNotLoaded` if the journal cannot be read or the task was cancelled, `closed` or `failed` if the store has
  ///   ended. Nothing was changed. After a permanent error of the journal the store reads nothing again: later calls throw the same error.
  /// - Complexity: O(1) if the window is in memory, or the whole journal is; otherwise O(entries since the newest snapshot that lies a window
  ///   before the end).
  public func loadUndoWindow() async throws(UndoError) {
    // Other stores take no lock here.
    guard options.undoWindowLoading == .whenNeeded, let backend else { return }
    let promise: Promise<Result<Void, UndoError>>? = try core.withLock { core throws(UndoError) in
      try core.allowUndo()
      guard lacksUndoWindow(core), !core.replica.widenIfComplete(to: options.undoWindow) else { return nil }
      if let loading = core.undoWindowLoading { return loading.promise }
      let promise = Promise<Result<Void, UndoError>>()
      // The task holds the store, so that `Stores` does not close it. It is detached, because the other callers continue when this one is
      // cancelled.
      let task = Task.detached {
        let result = await self.readUndoWindow(by: backend)
        // A permanent error stays there, as the answer to later calls.
        if !result.isForGood { self.core.withLock { $0.undoWindowLoading = nil } }
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

  /// Answers the callers that wait for the undo window, because the store has ended. The reading itself ends when the journal answers.
  ///
  /// - Returns: The task that reads; nil if there is none.
  @discardableResult
  func endUndoWindowLoading(with error: UndoError) -> Task<Void, Never>? {
    let loading = core.withLock { $0.undoWindowLoading }
    loading?.promise.resolve(.failure(error))
    loading?.task.cancel()
    return loading?.task
  }

  private func readUndoWindow(by backend: Backend<State>) async -> Result<Void, UndoError> {
    do throws(JournalError) {
      for _ in 0..<4 {
        // A catch-up that an undo of another replica has made fold has read the window, too.
        guard lacksUndoWindow else { return .success(()) }
        do throws(JournalError) {
          if try await foldUndoWindow(by: backend) { return .success(()) }
        } catch {
          // A compaction has moved the floor beyond the revision of this store. It begins again there.
          guard error.code == .noSuchRevision, try await isBelowFloor(of: backend) else { throw error }
          let turn = try await gate.take()
          defer { turn.end() }
          try await catchUp()
        }
      }
      let name = backend.journal.name
      throw JournalError(.unavailable, journal: name, message: "receives entries faster than this store can read them. Try again.")
    } catch {
      // If the store has ended, that is the reason.
      do throws(UndoError) { try core.withLock { core throws(UndoError) in try core.allowUndo() } } catch { return .failure(error) }
      return lacksUndoWindow ? .failure(.windowNotLoaded(error)) : .success(())
    }
  }

  private func isBelowFloor(of backend: Backend<State>) async throws(JournalError) -> Bool {
    try await backend.journal.floor().map { $0.revision > revision } ?? false
  }

  /// Folds the journal with the undo window, and replaces the confirmed side.
  ///
  /// - Returns: False if the journal must be folded again: an undo that was confirmed meanwhile reverts an entry from before the folded
  ///   records, or too much was confirmed.
  private func foldUndoWindow(by backend: Backend<State>) async throws(JournalError) -> Bool {
    let name = backend.journal.name
    let (known, state) = core.withLock { ($0.replica.head, $0.replica.history.state) }
    guard let known else { return true }
    let folded = try await backend.fold(
      Backend.FoldRequest(
        last: known.revision, window: options.undoWindow, removesUseless: options.snapshotSpacing < .max, refused: options.refusedAtReplay))
    guard folded.head == known else { throw .diverged(name, at: known.revision, head: folded.head.revision) }
    for problem in folded.problems { report(problem) }
    let isEqual = await options.longWork.run { [found = folded.history.state] in StateComparison.areEqual(state, found) }
    guard isEqual else { throw await removeDoubtfulSnapshots(by: backend, start: folded.rule.last.revision, at: known.revision) }
    var (history, head) = (folded.history, folded.head)
    for _ in 0..<64 {
      var end: Head?
      let isReplaced = report { replica, _ in
        end = replica.head
        guard replica.history.window < history.window else { return Replica<State>.Report() }
        return replica.widen(to: &history) ? Replica<State>.Report() : nil
      }
      if isReplaced { return true }
      // Without a head, the store has ended.
      guard let end else { throw .closed(name) }
      while head.revision < end.revision {
        let page = try await backend.read(after: head, through: end.revision).get()
        for record in try await backend.coding.records(page.entries, in: name).joined() {
          if case .reachesBeyond = try await backend.append(record, to: &history) { return false }
        }
        history.skip(to: page.head.revision)
        guard page.head.revision > head.revision else { throw .diverged(name, at: end.revision, head: page.head.revision) }
        head = page.head
      }
      guard head == end else { throw .diverged(name, at: end.revision, head: head.revision) }
    }
    return false
  }

  /// Removes the snapshots of this schema that may be wrong, because the state of one of them and the entries since lead to another state than
  /// this store has: the one from which the store was opened, and those since, which may come from it. A store that was opened from the first
  /// entry has the right state: then it is the one that the reading has started from. The store makes no further snapshot of its own state.
  ///
  /// - Returns: The error of the reading.
  private func removeDoubtfulSnapshots(by backend: Backend<State>, start: Revision, at revision: Revision) async -> JournalError {
    let reason = "The entries of the undo window lead to another state than the snapshot from which the store was opened."
    report(.nondeterministic(revision, reason: reason))
    let opened = snapshots.withLock { maker in
      maker.rule = maker.rule.spaced(.max)
      return maker.openedFrom
    }
    await finishSnapshot()
    await backend.removeSnapshots(in: opened > .zero ? opened...max(opened, revision) : start...start)
    return JournalError(
      .damaged, journal: backend.journal.name, revision: revision,
      message: """
        has a wrong snapshot, or `apply` is not deterministic, or a migration of states does not agree with that of changes, so the state at \
        revision \(revision) is not certain. \(reason) The entries are unharmed. The snapshots concerned were removed, where that was possible. \
        Close the store and open it again: it then starts from an older snapshot or from the first entry.
        """)
  }
}

extension Result<Void, UndoError> {
  /// Whether another reading of the same journal would fail in the same way.
  fileprivate var isForGood: Bool {
    if case .failure(.windowNotLoaded(let error?)) = self { error.isPermanent } else { false }
  }
}

extension JournalError {
  /// Whether the entries themselves are the reason, so that reading them again fails in the same way. All other failures may pass: those of
  /// a disk, a permission or a connection, too.
  var isPermanent: Bool {
    switch code {
    case .damaged, .notAJournal, .newerFormat, .newerSchema, .undecodable, .refusedAtReplay, .diverged: true
    default: false
    }
  }
}
