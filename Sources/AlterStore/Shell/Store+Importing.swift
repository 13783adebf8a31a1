import AlterCore
public import AlterJournal

extension Store where State: Journaled {
  /// Opens a store on a journal that begins with what an app kept elsewhere before: its old file, its preferences, its database.
  ///
  /// ```swift
  /// let store = try await Store.open(importing: "state.json", in: SQLiteJournal(at: path)) {
  ///   try AppState(oldJSON: Data(contentsOf: oldFile))
  /// }
  /// ```
  ///
  /// The closure is called only while the journal is empty, and in a turn: no other writer can begin the journal meanwhile, so of two
  /// processes that come at once one imports, and the other opens what was imported without reading the old data. A call of the closure
  /// that returned means that its state is the journal's first entry, unless this method throws. From then on the old data is never
  /// looked at again, and may be kept as a backup.
  ///
  /// The first entry's cause has the metadata `["imported": source]`, so that the log says for ever where the state came from.
  ///
  /// - Parameters:
  ///   - source: Where the state comes from, in words for people and for the journal: a file's name, as in `state.json`.
  ///   - journal: Where the changes are kept. The store closes it, unless the options say otherwise.
  ///   - options: How it behaves.
  ///   - load: Reads the old state. Others who want to write wait for as long as it takes. It must not open the same journal.
  /// - Throws: ``ImportError``: `unreadable` with what the closure threw, and then the journal is as empty as before: the next opener tries
  ///   again. `journal` with what the journal met, as with ``open(_:in:options:)``; when that was `unknownOutcome`, open again to see
  ///   whether the import is there.
  /// - Complexity: that of ``open(_:in:options:)``, and what the closure takes.
  public static func open<Failure: Error>(
    importing source: String, in journal: any Journal, options: StoreOptions = StoreOptions(),
    _ load: () async throws(Failure) -> State
  ) async throws(ImportError<Failure>) -> Store {
    let backend = Backend<State>(journal: journal, coding: .json)
    let origin = options.origin()
    let failure: Failure?
    do throws(JournalError) { failure = try await beginIfEmpty(backend, from: source, origin: origin, options: options, load) } catch {
      throw .journal(error)
    }
    if let failure { throw .unreadable(source: source, failure) }
    do throws(JournalError) { return try await attach(to: backend, origin: origin, options: options) } catch { throw .journal(error) }
  }

  /// Writes an imported state as the first entry, unless there is one.
  ///
  /// - Returns: What the closure threw; nil when it returned or wasn't needed.
  private static func beginIfEmpty<Failure: Error>(
    _ backend: Backend<State>, from source: String, origin: Origin, options: StoreOptions, _ load: () async throws(Failure) -> State
  ) async throws(JournalError) -> Failure? {
    let journal = backend.journal
    guard try await journal.head().revision == .zero else { return nil }
    // In a turn nobody else appends: what is still empty now stays so until the import is there.
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

/// Why a store could not be opened with an import.
public enum ImportError<Failure: Error>: Error, CustomStringConvertible {
  /// The old state could not be read: what the closure threw. Nothing was written.
  case unreadable(source: String, Failure)
  /// The journal could not be read or written.
  case journal(JournalError)

  /// What happened, and what to do next.
  public var description: String {
    switch self {
    case .unreadable(let source, let error):
      """
      The import from \(source) failed, and nothing was written: \(error). The journal is still empty: put the source right and open \
      again, or open with an initial state to do without it.
      """
    case .journal(let error): error.description
    }
  }
}

extension ImportError: Equatable where Failure: Equatable {}
