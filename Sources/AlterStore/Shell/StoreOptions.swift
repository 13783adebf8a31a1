public import AlterCore
public import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How a store behaves. The defaults suit an app.
public struct StoreOptions: Sendable {
  /// Whose undo takes back what this store writes: a user, a device, or (the default) everybody who writes the journal.
  public var scope: UndoScope = .journal

  /// How many entries an undo reaches back.
  public var undoWindow = 1_000

  /// How many changes may wait to be written before `change` throws `full`.
  public var pendingLimit = 100_000

  /// How many bytes of changes may wait to be written before `change` throws `full`.
  ///
  /// A change is weighed when it is encoded, a moment after it was made: a burst of large changes may take some more.
  public var pendingBytesLimit = 256 << 20

  /// How many entries lie between two snapshots, at least; `.max` makes none. `Design/0007-snapshots.md` has the whole rule.
  public var snapshotSpacing = 5_000

  /// What to do when the journal holds a change that this version of the app refuses although an earlier one has made it.
  public var refusedAtReplay: RefusedAtReplay = .fail

  /// Whether the store notices what others write by itself. A command that reads, changes and ends does without.
  public var followsOthers = true

  /// Whether closing the store leaves the journal open: for several stores on one journal object.
  public var keepsJournalOpen = false

  /// How long `durable()`, `confirmed()`, `undo()` and `redo()` wait for a journal that is out of reach before they throw `notYet`.
  ///
  /// It limits the waiting alone: the store tries again for as long as it is open, in pauses that double from 10 ms to 1 s.
  public var outageTimeout: Duration = .seconds(30)

  /// The wall clock: microseconds since 1970 UTC. Stamps take it, and never let it run backwards.
  public var now: @Sendable () -> Int64 = { WallClock.now }

  /// How the store waits between retries, and for the deadline of `close`. Tests pass a manual clock's.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// The id of the store replica. Random and never reused: set it only in tests.
  public var origin: @Sendable () -> Origin = { .random() }

  /// Where long work is done. A simulation has its own.
  package var longWork = LongWork.dispatched

  /// The defaults.
  public init() {}
}

/// What a store does with an entry that the state refuses at replay although no undo explains it: a check was made stricter, or `apply` is not
/// deterministic.
public enum RefusedAtReplay: Sendable, Hashable {
  /// Opening throws `refusedAtReplay`, and a running store that meets such an entry stops: no history is left out unnoticed.
  case fail
  /// The entry is left out, and ``StoreProblem/refusedAtReplay(_:reason:)`` is reported.
  case skip
}

/// How a store is doing.
public enum StoreStatus: Sendable, Hashable {
  /// It takes changes.
  case open
  /// It takes changes, up to its limit, and keeps them: the journal is out of reach for the moment, and is tried again.
  case waiting(StoreWait)
  /// The journal has failed for good: what is pending stays in memory, and later changes throw.
  case failed(JournalError)
  /// It was closed.
  case closed
}

/// Something that went wrong and that nobody was waiting to hear.
public enum StoreProblem: Sendable, CustomStringConvertible {
  /// A change was taken out of the state again, or could not be written, and nobody awaited its commit.
  case lost(EntryID, reason: String)
  /// The journal holds a change that the state refuses although no undo explains it: `apply` isn't deterministic, or its meaning has
  /// changed without a new schema version. The entry is left out.
  case refusedAtReplay(Revision, reason: String)
  /// `apply` isn't deterministic: the change of this revision, or one before it, leads to another state when it is made again. After the next opening
  /// the store shows a state that nobody has seen.
  case nondeterministic(Revision, reason: String)
  /// The journal has failed for good.
  case failed(JournalError)
  /// A feedback can't do what it is there for, or has stopped to: its name, and why.
  case feedback(String, reason: String)
  /// A snapshot of this revision is no use: it is damaged, or of another schema. The state was folded from an older one or from the entries,
  /// and is right; only opening took longer.
  case snapshotIgnored(Revision, reason: String)

  /// What happened, and what to do next.
  public var description: String {
    switch self {
    case .lost(let id, let reason): "The change \(id) was lost. \(reason)"
    case .refusedAtReplay(let revision, let reason):
      "Revision \(revision) is refused at replay and skipped: \(reason) Is `apply` deterministic, and was its schema raised when its meaning changed?"
    case .nondeterministic(let revision, let reason):
      """
      Revision \(revision) can't be replayed: `apply` is not deterministic. \(reason) It must depend on the state, the change and the stamp alone: no \
      `Date()`, `UUID()` or random number, and no order of a `Set` or a `Dictionary` that reaches the state. The stamp has the time and fresh ids.
      """
    case .failed(let error): error.description
    case .feedback(let name, let reason): "The feedback '\(name)': \(reason)"
    case .snapshotIgnored(let revision, let reason):
      "The snapshot at revision \(revision) was ignored and will be made again. \(reason) Nothing is lost: the entries have everything."
    }
  }
}
