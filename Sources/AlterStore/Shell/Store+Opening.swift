import AlterCore
public import AlterJournal

// The opening of a store with a journal.
extension Store {
  /// Opens a store on a journal.
  ///
  /// The first process that opens a journal writes the initial state into it. A later one reads the journal and ignores `initial`, so that
  /// a new release with another initial state cannot change old history.
  ///
  /// - Parameters:
  ///   - initial: The initial state of a new journal.
  ///   - journal: The journal of the changes. The store closes it, unless ``StoreOptions/keepsJournalOpen`` is set.
  ///   - options: The options of the store.
  /// - Throws: ``/AlterJournal/JournalError``, if the journal cannot be read or begun. `damaged` names the revision; `newerSchema` means
  ///   that a newer version of the app has written to the journal; `refusedAtReplay` means that this version refuses a change that an
  ///   earlier version has written. The journal's entries are unchanged.
  /// - Complexity: O(the newest snapshot + entries since): see `Design/0007-snapshots.md`.
  @inlinable
  public static func open(
    _ initial: State, in journal: any Journal, options: StoreOptions = StoreOptions()
  ) async throws(JournalError) -> Store where State: Journaled {
    try await open(initial, in: journal, resuming: [], options: options, folding: FoldLoop())
  }

  /// Opens a store on a journal and writes the changes that another store has left over when it was closed.
  ///
  /// When this method returns, each of these changes is in the journal exactly once, whether or not it was written before. The exception is
  /// a change that other writers' entries have made impossible: ``problems`` then has a `lost` for it.
  ///
  /// - Parameters:
  ///   - initial: The initial state of a new journal.
  ///   - journal: The journal of the store that was closed, opened again.
  ///   - leftOver: The result of ``close(deadline:)``.
  ///   - options: The options of the store.
  /// - Throws: ``/AlterJournal/JournalError``, as `open(_:in:options:)` does, and if the changes cannot be written within
  ///   ``StoreOptions/outageTimeout``. Then open again with the same changes: the store recognises those that were written.
  @inlinable
  public static func open(
    _ initial: State, in journal: any Journal, resuming leftOver: [Unwritten<State>], options: StoreOptions = StoreOptions()
  ) async throws(JournalError) -> Store where State: Journaled {
    try await open(initial, in: journal, resuming: leftOver, options: options, folding: FoldLoop())
  }

  @usableFromInline
  static func open(
    _ initial: State, in journal: any Journal, resuming leftOver: [Unwritten<State>], options: StoreOptions, folding loop: FoldLoop<State>
  ) async throws(JournalError) -> Store where State: Journaled {
    // A program that doesn't follow others makes its changes and ends: it rarely undoes.
    let options = options.loadingUndoWindow(options.followsOthers ? .atOpening : .whenNeeded)
    return try await monitoring(options, journal) { () async throws(JournalError) in
      let backend = Backend<State>(journal: journal, coding: .json(by: loop))
      let origin = options.environment.origin()
      try await begin(backend, with: initial, origin: origin, options: options)
      return try await attach(to: backend, initial: .success(initial), origin: origin, resuming: leftOver, options: options)
    } error: {
      $0
    }
  }

  /// Opens a store on a journal that has an initial entry.
  ///
  /// - Parameters:
  ///   - backend: The journal.
  ///   - initial: The state to which `reset()` returns.
  ///   - origin: The id of the replica. Its sequence 1 is reserved for the initial entry, whether or not this replica wrote that.
  ///   - leftOver: The changes that another store has left over.
  ///   - options: The options of the store.
  static func attach(
    to backend: Backend<State>, initial: Result<State, JournalError>, origin: Origin, resuming leftOver: [Unwritten<State>] = [],
    options: StoreOptions
  ) async throws(JournalError) -> Store where State: Journaled {
    // Without snapshots, the fold reads the window anyway, and reading it later would take as long as the opening. An undo that was left over
    // must find its target.
    let isWithoutWindow =
      options.undoWindowLoading == .whenNeeded && options.snapshotSpacing < .max && !leftOver.contains { $0.record.content.isMark }
    let folded = try await backend.fold(
      Backend.FoldRequest(
        window: isWithoutWindow ? 0 : options.undoWindow, windowFromBeginning: options.undoWindow,
        removesUseless: options.snapshotSpacing < .max, refused: options.refusedAtReplay))
    let replica = Replica(
      folded.history, head: folded.head, origin: origin, scope: options.scope ?? .journal, limit: options.pendingLimit, lastSequence: 1)
    let store = Store(replica, initial: initial, upstream: backend, depthCheck: DepthCheck(), options: options)
    store.begin(folded)
    do throws(JournalError) { try await store.resume(leftOver, then: origin) } catch {
      store.abandon()
      throw error
    }
    store.startSnapshotIfDue()
    if options.followsOthers { store.follow(isLater: options.followsLater) }
    return store
  }

  /// Writes the initial entry of an empty journal. If another process does the same, the first entry wins.
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
