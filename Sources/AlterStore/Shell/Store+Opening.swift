import AlterCore
public import AlterJournal

// The beginning of a store with a journal.
extension Store {
  /// The first to open a journal writes the initial state into it; what a later one passes is ignored, so that another release's
  /// other defaults can't change old history.
  ///
  /// - Parameters:
  ///   - initial: The state that a new journal begins with.
  ///   - journal: Where the changes are kept. The store closes it, unless the options say otherwise.
  ///   - options: How it behaves.
  /// - Throws: ``/AlterJournal/JournalError``: what the journal met when it was read. `damaged` names the revision; `newerSchema` means that a newer
  ///   version of the app has written here; `refusedAtReplay` that this version refuses what an earlier one has written. Nothing was changed.
  /// - Complexity: O(the newest snapshot + entries since): see `Design/0007-snapshots.md`.
  public static func open(
    _ initial: State, in journal: any Journal, options: StoreOptions = StoreOptions()
  ) async throws(JournalError) -> Store where State: Journaled {
    let backend = Backend<State>(journal: journal, coding: .json)
    let origin = options.origin()
    try await begin(backend, with: initial, origin: origin, options: options)
    return try await attach(to: backend, origin: origin, options: options)
  }

  /// Opens a store on a journal and goes on with what another store has handed back when it was closed.
  ///
  /// When this method returns, each of these changes is in the journal exactly once, whether or not it was written before, unless others' work has made it
  /// impossible: then ``problems`` has a `lost` for it.
  ///
  /// - Parameters:
  ///   - initial: The state that a new journal begins with.
  ///   - journal: Where the changes are kept: the journal of the store that was closed, opened again.
  ///   - leftOver: What ``close(deadline:)`` has returned.
  ///   - options: How it behaves.
  /// - Throws: ``/AlterJournal/JournalError``, as ``open(_:in:options:)`` does, and when the changes can't be written now. Then open again with the
  ///   same changes: those that were written are found.
  public static func open(
    _ initial: State, in journal: any Journal, resuming leftOver: [Unwritten<State>], options: StoreOptions = StoreOptions()
  ) async throws(JournalError) -> Store where State: Journaled {
    let backend = Backend<State>(journal: journal, coding: .json)
    let origin = options.origin()
    try await begin(backend, with: initial, origin: origin, options: options)
    return try await attach(to: backend, origin: origin, resuming: leftOver, options: options)
  }

  /// A store on a journal that has begun.
  ///
  /// - Parameters:
  ///   - backend: The journal.
  ///   - origin: The id of the replica; its sequence 1 is taken by the initial entry, whether or not that is its own.
  ///   - leftOver: What another store could not show to be written.
  ///   - options: How it behaves.
  static func attach(
    to backend: Backend<State>, origin: Origin, resuming leftOver: [Unwritten<State>] = [], options: StoreOptions
  ) async throws(JournalError) -> Store where State: Journaled {
    let folded = try await backend.fold(
      Backend.FoldRequest(window: options.undoWindow, removesUseless: options.snapshotSpacing < .max, refused: options.refusedAtReplay))
    let replica = Replica(
      folded.history, head: folded.head, origin: origin, scope: options.scope, limit: options.pendingLimit, lastSequence: 1)
    let store = Store(replica, backend: backend, options: options)
    store.begin(folded)
    do throws(JournalError) { try await store.resume(leftOver, then: origin) } catch {
      store.abandon()
      throw error
    }
    store.startSnapshotIfDue()
    if options.followsOthers { store.follow(backend.journal, after: folded.head.revision) }
    return store
  }

  /// Writes the initial entry of an empty journal. Another process may be doing the same: then its entry is the one.
  static func begin(
    _ backend: Backend<State>, with initial: State, origin: Origin, options: StoreOptions
  ) async throws(JournalError) {
    let journal = backend.journal
    let head = try await journal.head()
    guard head.revision == .zero else { return }
    let draft = try backend.coding.initialDraft(initial, called: "this initial state", origin: origin, options: options, for: journal)
    do { _ = try await journal.append([draft], after: head) } catch {
      guard error.code == .conflict else { throw error }
    }
  }
}
