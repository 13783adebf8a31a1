public import AlterCore
public import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The options of a store: limits, time, and the treatment of failures.
///
/// The defaults suit an app with one journal. Set the options before the store is opened; a store reads its own copy.
///
/// ```swift
/// var options = StoreOptions()
/// options.scope = "ann"                     // undo reverts only this user's entries
/// options.outageTimeout = .seconds(5)
/// let store = try await Store.open(AppState(), in: journal, options: options)
/// ```
///
/// ## Memory
///
/// Pending changes are limited in number (``pendingLimit``) and in size (``pendingBytesLimit``). The undo history is limited by
/// ``undoWindow``. A store needs memory for the pending changes and for about twice the undo window.
///
/// ## Outages
///
/// While the journal is out of reach the store keeps trying, in pauses that double from 10 ms to 1 s. ``outageTimeout`` limits only the
/// time that callers wait, not the number of attempts.
///
/// ## Tests
///
/// ``environment`` replaces the clock, the timer and the random ids.
public struct StoreOptions: Sendable {
  /// The undo scope of this store's entries: a user, a device, or the whole journal. By default it is that of the whole journal, and in a synced
  /// journal that of its user.
  ///
  /// ``Store/undo()`` reverts the last active entry of its own scope. Replicas with the same scope share one undo history. The journal
  /// stores the scope with every entry. By default an undo in one terminal therefore reverts the last work of another; with
  /// ``/AlterJournal/UndoScope/perProcess`` it does not.
  public var scope: UndoScope?

  /// The number of entries that an undo reaches back; 1,000 by default.
  ///
  /// In addition, an undo reaches back at most 64 MiB of entries of 64 KiB or more; the last entry can always be undone. The window is also
  /// the part of the history that a store in memory keeps.
  ///
  /// A store reads and decodes the entries of the window, and keeps them in memory: with 1,000 entries some 10 ms and 260 KiB. It does so
  /// when it is opened or when it needs them, see ``undoWindowLoading``. With 0, `undo` throws `outsideWindow`; undos of other replicas count
  /// all the same.
  public var undoWindow = 1_000

  /// The moment at which the store reads the undo window from its journal; ``UndoWindowLoading/automatic`` by default.
  public var undoWindowLoading = UndoWindowLoading.automatic

  /// The number of changes, batches and undos that may be pending before `change` throws `full`; 100,000 by default.
  public var pendingLimit = 100_000

  /// The bytes of pending changes at which `change` throws `full`; 256 MiB by default.
  ///
  /// Only changes that take more than 2 KiB in the journal count; ``pendingLimit`` bounds the others. A change is weighed when it is
  /// encoded, a moment after it was made, so a burst of large changes may exceed the limit.
  public var pendingBytesLimit = 256 << 20

  /// The minimum number of entries between two snapshots; 5,000 by default, `.max` for no snapshots.
  ///
  /// A snapshot shortens the next opening, which reads it and the entries since. `Design/0007-snapshots.md` states the whole rule.
  public var snapshotSpacing = 5_000

  /// The treatment of a journaled change that this version of the app refuses, although an earlier one has made it;
  /// ``RefusedAtReplay/fail`` by default.
  public var refusedAtReplay: RefusedAtReplay = .fail

  /// Whether the store waits for other writers' entries and applies them; true by default.
  ///
  /// Set it to false in a command that reads, changes and ends. Such a store reads other writers' entries when it is opened, and after a
  /// conflict.
  public var followsOthers = true

  /// Whether the store applies other writers' entries only after ``Store/beginFollowing()``. ``Stores`` sets it.
  package var followsLater = false

  /// Whether `close` leaves the journal open; false by default. Set it to true if several stores share one journal object.
  public var keepsJournalOpen = false

  /// The time that `durable()`, `confirmed()`, `undo()` and `redo()` wait during an outage before they throw `notYet`; 30 seconds by
  /// default.
  ///
  /// The time is measured from the start of the writer's outage, by ``StoreEnvironment/sleep``; later calls throw at once until the outage ends. The changes
  /// stay pending, and the store keeps trying to write them as long as it is open.
  public var outageTimeout: Duration = .seconds(30)

  /// The time after which a call of an observer that has not returned is reported in ``Store/problems``; 10 seconds by default. The report
  /// comes within twice this time.
  public var observerTimeout: Duration = .seconds(10)

  /// The clock, the timer and the random ids.
  public var environment = StoreEnvironment()

  /// The server for which the store appends to a served journal. ``Stores`` sets it.
  package var author: ServerAuthor?

  /// The threads for long work. A simulation uses its own.
  package var longWork = LongWork.dispatched

  /// Receives the events of the store; nil for none. AlterService sets it.
  package var monitor: (any StoreMonitor)?

  /// Creates the default options.
  public init() {}

  /// Returns the same options, with another meaning of ``UndoWindowLoading/automatic``.
  func loadingUndoWindow(_ automatic: UndoWindowLoading) -> StoreOptions {
    var options = self
    if options.undoWindowLoading == .automatic { options.undoWindowLoading = automatic }
    return options
  }
}

/// The part of its surroundings that a store uses: the clock, the timer and the random ids. It calls them from any thread. Tests replace them:
/// `TestClock.options(_:)` of AlterTesting.
public struct StoreEnvironment: Sendable {
  /// The wall clock: microseconds since 1970 UTC. If it is set back by an hour at most, the time in the stamps of a store stays the same
  /// until the clock has reached it again. If it is set back by more, it was wrong before, and the stamps follow it.
  public var now: @Sendable () -> Int64 = { WallClock.now }

  /// Waits for a duration: between retries, for ``StoreOptions/outageTimeout``, and for the deadline of `close`.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Creates the id of the store's replica, at the opening and after a collision with another process. The ids must be random and never
  /// reused: set it only in tests.
  public var origin: @Sendable () -> Origin = { .random() }

  /// Creates the environment of an app: the system's clock and timer, and random ids.
  package init() {}
}

/// The moment at which a store reads the undo window from its journal: the entries that an undo may revert, see
/// ``StoreOptions/undoWindow``.
///
/// Undo and redo have the same results in any case, with one exception: if the scope's last entry changes while a first undo reads the window, the
/// undo throws ``UndoError/windowNotLoaded(_:)``. Call ``Store/loadUndoWindow()`` ahead, for example when a user opens a document.
public enum UndoWindowLoading: Sendable, Hashable {
  /// At the opening by ``Store/open(_:in:options:)-(_,Journal,_)``; when it is needed in a store that does not follow others' entries
  /// (``StoreOptions/followsOthers``), and in the stores of ``Stores``.
  case automatic
  /// At the opening. Every undo and preview finds the window in memory.
  case atOpening
  /// When it is needed: by the first ``Store/undo()``, ``Store/redo()`` or ``Store/loadUndoWindow()``, or by an undo of another replica that
  /// reverts an entry from before the newest ones.
  ///
  /// A store that no user undoes in, as most stores of a service, then opens in a fraction of the time and of the memory. It makes its
  /// snapshots at the end of the journal. The first undo takes as long as an opening from a snapshot that is a window old; if the journal
  /// cannot be read at that moment, the undo throws ``UndoError/windowNotLoaded(_:)``. ``Store/previewUndo()`` and ``Store/previewRedo()``
  /// cannot wait, and throw it until the window was loaded.
  ///
  /// A store is opened with the window all the same if it makes no snapshots, resumes an undo or a redo, or finds no snapshot in a journal
  /// that is longer than the window.
  case whenNeeded
}

/// The treatment of an entry that the state refuses at replay although no undo explains it: a check has become stricter, or `apply` is not
/// deterministic.
public enum RefusedAtReplay: Sendable, Hashable {
  /// Opening throws `refusedAtReplay`, and a running store that reads such an entry fails: no entry is skipped unnoticed.
  case fail
  /// The entry is skipped, and ``StoreProblem/refusedAtReplay(_:reason:)`` is reported.
  case skip
}

/// The status of a store. ``Store/statuses`` is the stream of its changes.
public enum StoreStatus: Sendable, Hashable {
  /// The store accepts changes.
  case open
  /// The journal is out of reach. The store keeps trying, and accepts changes up to its limits.
  case waiting(StoreWait)
  /// The journal has failed permanently. Pending changes stay in memory, and later changes throw.
  case failed(JournalError)
  /// The store was closed.
  case closed
}

/// A failure that no caller was waiting for.
public enum StoreProblem: Sendable, CustomStringConvertible {
  /// A change was removed from the state, and no task was waiting for its commit.
  case lost(EntryID, reason: String)
  /// The state refuses a journaled change although no undo explains it: `apply` is not deterministic, or its meaning has changed without a
  /// new schema version. The entry is skipped.
  case refusedAtReplay(Revision, reason: String)
  /// `apply` is not deterministic: the change of this revision, or one before it, leads to another state when it is applied again. After
  /// the next opening the store shows a state that was never visible before.
  case nondeterministic(Revision, reason: String)
  /// The journal has failed permanently.
  case failed(JournalError)
  /// A call of an observer has not returned within ``StoreOptions/observerTimeout``. Until it does, no change is confirmed. The values are the
  /// place at which the observer was registered.
  case blockedByObserver(file: String, line: UInt)
  /// A feedback cannot work, or has stopped. The values are its name and the reason.
  case feedback(String, reason: String)
  /// A snapshot of this revision cannot be used: it is damaged, or has another schema. The state was folded from an older snapshot or from
  /// the entries, and is correct; only the opening took longer.
  case snapshotIgnored(Revision, reason: String)

  /// Describes the problem and a remedy.
  public var description: String {
    switch self {
    case .lost(let id, let reason): "The change \(id) was lost. \(reason)"
    case .refusedAtReplay(let revision, let reason):
      """
      The state refused revision \(revision) at replay, and the store skipped it: \(reason) Check that `apply` is deterministic, and that the schema \
      version was raised when the meaning of `apply` changed.
      """
    case .nondeterministic(let revision, let reason):
      """
      Revision \(revision) can't be replayed: `apply` is not deterministic. \(reason) `apply` must depend on the state, the change and the stamp alone. \
      Do not use `Date()`, `UUID()` or random numbers, and do not let the order of a `Set` or a `Dictionary` reach the state. The stamp has the time and \
      new ids.
      """
    case .failed(let error): error.description
    case .blockedByObserver(let file, let line):
      """
      The observer that was registered at \(file):\(line) has not returned. No change is confirmed until it does. Return quickly from an observer, \
      and start a task for work that takes long or waits.
      """
    case .feedback(let name, let reason): "The feedback '\(name)': \(reason)"
    case .snapshotIgnored(let revision, let reason):
      "The store ignored the snapshot at revision \(revision) and will make a new one. \(reason) No data is lost: the entries are complete."
    }
  }
}
