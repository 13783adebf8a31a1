import AlterCore
import AlterJournal

/// What a store knows about snapshots.
struct SnapshotMaker: Sendable {
  /// When the next one is due.
  var rule: SnapshotRule
  /// The task that makes one.
  var task: Task<Void, Never>?
}

/// Snapshots are made in the background by the store whose append crosses the spacing, from a value that it holds on to: nobody waits for them.
extension Store {
  /// Takes over what opening has found.
  func begin(_ folded: Backend<State>.Folded) {
    snapshots.withLock { $0.rule = folded.rule.spaced(options.snapshotSpacing) }
    core.withLock { core in
      for problem in folded.problems { core.problems.add(problem) }
    }
    tell(folded.report)
  }

  /// Counts what was appended.
  func count(_ drafts: [Entry.Draft], from first: Revision) {
    snapshots.withLock { maker in
      for (offset, draft) in drafts.enumerated() { maker.rule.count(first + offset, draft.size) }
    }
  }

  /// Makes a snapshot of what is confirmed now, if one is due and none is being made.
  ///
  /// Called with the gate, or before anybody else has the store, so that the rule has counted up to the head.
  func startSnapshotIfDue() {
    guard let backend else { return }
    snapshots.withLock { maker in
      guard maker.task == nil, maker.rule.isDue else { return }
      let (head, base) = core.withLock { core in
        let history = core.replica.history
        return (core.replica.head, history.base(at: max(history.base, history.revision + -min(options.undoWindow, Int.max / 2))))
      }
      guard let head, let base else { return }
      var rule = maker.rule
      // It holds the store, like the writer: dropping the store without closing it still finishes the snapshot.
      // Apart from Swift's few threads and from whoever has made the change: encoding takes long.
      let longWork = options.longWork
      maker.task = Task.detached {
        if case .another(let place) = await backend.keep(base, at: head, rule: &rule, longWork) { await self.compare(place, in: backend) }
        self.snapshots.withLock { maker in
          maker.task = nil
          maker.rule.adopt(rule)
        }
      }
    }
  }

  /// Compares the state that another store has put into a snapshot with this store's own: `apply` must be deterministic.
  private func compare(_ place: Snapshot.Place, in backend: Backend<State>) async {
    let base: History<State>.Base? = core.withLock { core in
      let history = core.replica.history
      // Under the marks of the snapshot's head: none of the records since has changed them.
      let since = history.records[history.records.place(after: place.revision)...]
      guard place.base >= history.base, !since.contains(where: { !$0.targets.isEmpty }) else { return nil }
      return history.base(at: place.base)
    }
    guard let base, let problem = await backend.compare(place, with: base, options.longWork) else { return }
    core.withLock { $0.problems.add(problem) }
  }

  /// Waits for a snapshot that is being made.
  func finishSnapshot() async {
    await snapshots.withLock { $0.task }?.value
  }
}
