import AlterCore
public import AlterJournal

extension Store where State: Journaled {
  /// Opens a store whose journal begins with data that an app kept elsewhere before: a file, preferences, a database.
  ///
  /// ```swift
  /// let store = try await Store.open(importing: "state.json", in: SQLiteJournal(at: path)) {
  ///   try AppState(oldJSON: Data(contentsOf: oldFile))
  /// }
  /// ```
  ///
  /// The closure is called only while the journal is empty, and while this process holds the write turn. If two processes open the journal
  /// at once, one imports, and the other opens the imported journal without reading the old data. If the closure has returned and this
  /// method does not throw, the imported state is the journal's first entry. From then on the old data is never read again; it may be kept
  /// as a backup.
  ///
  /// The first entry's cause has the metadata `["imported": source]`, so the log records permanently where the state came from.
  ///
  /// - Parameters:
  ///   - source: The origin of the state, for people and for the journal: for example a file name, as in `state.json`.
  ///   - journal: The journal of the changes. The store closes it, unless ``StoreOptions/keepsJournalOpen`` is set.
  ///   - options: The options of the store.
  ///   - load: Reads the old state. Other writers wait meanwhile. It must not open the same journal.
  /// - Throws: ``ImportError``: `unreadable` with the closure's error; then the journal is still empty, and the next opener tries again.
  ///   `journal` with the journal's error, as with `open(_:in:options:)`; if that is `unknownOutcome`, open again to see whether the
  ///   import is there.
  /// - Complexity: that of `open(_:in:options:)`, and of the closure.
  public static func open<Failure: Error>(
    importing source: String, in journal: any Journal, options: StoreOptions = StoreOptions(),
    _ load: () async throws(Failure) -> State
  ) async throws(ImportError<Failure>) -> Store {
    try await monitoring(options, journal) { () async throws(ImportError<Failure>) in
      try await openImporting(source, in: journal, options: options, load)
    } error: {
      if case .journal(let error) = $0 { error } else { nil }
    }
  }

  private static func openImporting<Failure: Error>(
    _ source: String, in journal: any Journal, options: StoreOptions, _ load: () async throws(Failure) -> State
  ) async throws(ImportError<Failure>) -> Store {
    let backend = Backend<State>(journal: journal, coding: .json)
    let origin = options.environment.origin()
    let failure: Failure?
    do throws(JournalError) { failure = try await beginIfEmpty(backend, from: source, origin: origin, options: options, load) } catch {
      throw .journal(error)
    }
    if let failure { throw .unreadable(source: source, failure) }
    do throws(JournalError) {
      // Only the process that imports has the imported state at hand. A snapshot may make up for a first entry that can't be read any more.
      let initial: Result<State, JournalError>
      do throws(JournalError) { initial = .success(try await backend.state(at: 1, refused: options.refusedAtReplay)) } catch {
        initial = .failure(error)
      }
      return try await attach(to: backend, initial: initial, origin: origin, options: options)
    } catch { throw .journal(error) }
  }

  /// Writes an imported state as the first entry, unless there is one.
  ///
  /// - Returns: The closure's error; nil if it returned or was not called.
  private static func beginIfEmpty<Failure: Error>(
    _ backend: Backend<State>, from source: String, origin: Origin, options: StoreOptions, _ load: () async throws(Failure) -> State
  ) async throws(JournalError) -> Failure? {
    let journal = backend.journal
    guard try await journal.head().revision == .zero else { return nil }
    // No other writer appends during a turn: a journal that is empty now stays empty until the import is there.
    let turn = try await journal.takeTurn()
    defer { turn.end() }
    let head = try await journal.head()
    guard head.revision == .zero else { return nil }
    let state: State
    do throws(Failure) { state = try await load() } catch { return error }
    let draft = try backend.coding.initialDraft(
      state, called: "the state imported from \(source)", cause: Cause(metadata: ["imported": source]), origin: origin, options: options,
      for: journal)
    _ = try await journal.append([draft], after: head, in: turn)
    return nil
  }
}

/// The reason for which a store could not be opened with an import.
public enum ImportError<Failure: Error>: Error, CustomStringConvertible {
  /// The closure threw this error. Nothing was written.
  case unreadable(source: String, Failure)
  /// The journal could not be read or written.
  case journal(JournalError)

  /// Describes the reason and a remedy.
  public var description: String {
    switch self {
    case .unreadable(let source, let error):
      """
      The import from \(source) failed, and nothing was written: \(error). The journal is still empty. Fix the source and open the \
      store again, or open the store with an initial state to skip the import.
      """
    case .journal(let error): error.description
    }
  }
}

extension ImportError: Equatable where Failure: Equatable {}
