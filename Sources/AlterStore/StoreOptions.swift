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

  /// How many entries lie between two snapshots, at least; `.max` makes none. `Design/0007-snapshots.md` has the whole rule.
  public var snapshotSpacing = 5_000

  /// Whether the store notices what others write by itself. A command that reads, changes and ends does without.
  public var followsOthers = true

  /// Whether closing the store leaves the journal open: for several stores on one journal object.
  public var keepsJournalOpen = false

  /// How long a passing failure of the journal is retried, in pauses that double from 10 ms to 1 s, before it counts as permanent.
  public var patience: Duration = .seconds(30)

  /// The wall clock: microseconds since 1970 UTC. Stamps take it, and never let it run backwards.
  public var now: @Sendable () -> Int64 = { WallClock.now }

  /// How the store waits between retries, and for the deadline of `close`. Tests pass a manual clock's.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// The id of the store replica. Random and never reused: set it only in tests.
  public var origin: @Sendable () -> Origin = { .random() }

  /// The defaults.
  public init() {}
}

/// How a store is doing.
public enum StoreStatus: Sendable, Hashable {
  /// It takes changes.
  case open
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
  /// changed without a new schema version. The entry is skipped.
  case refusedAtReplay(Revision, reason: String)
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
    case .failed(let error): error.description
    case .feedback(let name, let reason): "The feedback '\(name)': \(reason)"
    case .snapshotIgnored(let revision, let reason):
      "The snapshot at revision \(revision) was ignored and will be made again. \(reason) Nothing is lost: the entries have everything."
    }
  }
}
