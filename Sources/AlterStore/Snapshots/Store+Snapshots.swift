import AlterCore
import AlterJournal

/// The state of a store's snapshots.
struct SnapshotMaker: Sendable {
  /// Decides when the next snapshot is due.
  var rule: SnapshotRule
  /// The snapshot from which the store was opened; revision 0 for none.
  var openedFrom: Revision = .zero
  /// The task that makes a snapshot; nil if none is being made.
  var task: Task<Void, Never>?
}

/// The store whose append makes a snapshot due makes it in the background, from a value that it holds. No caller waits for it.
extension Store {
  /// Adopts the snapshots and problems that were found when the journal was folded.
  func begin(_ folded: Backend<State>.Folded) {
    snapshots.withLock { maker in
      maker.rule = folded.rule.spaced(options.snapshotSpacing)
      maker.openedFrom = folded.rule.last.revision
    }
    core.withLock { core in
      for problem in folded.problems { core.problems.add(problem) }
    }
    tell(folded.report)
    #if DEBUG
      printUnreadProblemsSoon()
    #endif
  }

  /// Counts appended entries.
  func count(_ drafts: [Entry.Draft], from first: Revision) {
    snapshots.withLock { maker in
      for (offset, draft) in drafts.enumerated() { maker.rule.count(first + offset, draft.size, as: draft.id) }
    }
  }

  /// Starts a snapshot of the confirmed state, if one is due and none is being made.
  ///
  /// The caller holds the gate, or no other task has the store yet: the rule has then counted up to the head.
  func startSnapshotIfDue() {
    guard let backend else { return }
    snapshots.withLock { maker in
      guard maker.task == nil, maker.rule.isDue else { return }
      let (head, base, otherWindow) = core.withLock { core in
        let history = core.replica.history
        return (core.replica.head, history.base(at: history.windowStart), lacksUndoWindow(core) ? options.undoWindow : 0)
      }
      guard let head, let base else { return }
      // With the undo window in memory, the base lies a window before the end: then the next opening may have to read the same entries.
      guard !maker.rule.isClosing || base.revision > maker.rule.last.revision else { return }
      var rule = maker.rule
      // The task holds the store, like the writer's: a store that is released without `close` still finishes the snapshot. Encoding takes
      // long, so it runs outside of Swift's few threads and of the task that made the change.
      let longWork = options.longWork
      maker.task = Task.detached {
        let start = ContinuousClock.now
        switch await backend.keep(base, at: head, sparing: otherWindow, rule: &rule, longWork) {
        case .nothing: break
        case .kept(let bytes): self.record(.snapshot(bytes: bytes, ContinuousClock.now - start))
        case .failed(let error): self.record(.snapshotFailed("\(error)"))
        case .another(let place): await self.compare(place, in: backend)
        }
        self.snapshots.withLock { maker in
          maker.task = nil
          maker.rule.adopt(rule)
        }
      }
    }
  }

  /// Starts a snapshot at the store's orderly end, if the entries since the last one are worth it. A store that has only read makes none.
  func startClosingSnapshot() async {
    func isOrderly() -> Bool { core.withLock { $0.status == .open && $0.outages.wait == nil && $0.replica.unwrittenCount == 0 } }
    let isOn = snapshots.withLock { $0.rule.isOn }
    guard isOn, backend != nil, core.withLock({ $0.replica.hasMade }), isOrderly() else { return }
    // The reader may have the gate for long: others' entries are of no use any more, and a snapshot is not worth waiting for a call that hangs.
    reader.withLock { $0 }?.cancel()
    guard let turn = try? await gate.take() else { return }
    defer { turn.end() }
    // The writer, which had the gate, has counted its entries.
    guard isOrderly() else { return }
    snapshots.withLock { $0.rule.close() }
    startSnapshotIfDue()
  }

  /// Compares the state in another store's snapshot with this store's own: `apply` must be deterministic.
  private func compare(_ place: Snapshot.Place, in backend: Backend<State>) async {
    let base: History<State>.Base? = core.withLock { core in
      let history = core.replica.history
      // The marks must be those of the snapshot's head: no record since may have changed them.
      let since = history.records[history.records.place(after: place.revision)...]
      guard place.base >= history.base, !since.contains(where: { !$0.targets.isEmpty }) else { return nil }
      return history.base(at: place.base)
    }
    guard let base, let problem = await backend.compare(place, with: base, options.longWork) else { return }
    report(problem)
  }

  /// Waits for a snapshot that is being made.
  func finishSnapshot() async {
    await snapshots.withLock { $0.task }?.value
  }
}
