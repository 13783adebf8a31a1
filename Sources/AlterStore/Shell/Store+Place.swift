import AlterCore
public import AlterJournal

extension Store where State: Journaled {
  /// Opens a store on the journal at a place.
  ///
  /// ```swift
  /// let store = try await Store.open(AppState(), in: .app("Plants"))
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The initial state of a new journal.
  ///   - place: The place of the journal. The store closes the journal.
  ///   - options: The options of the store.
  /// - Throws: ``/AlterJournal/JournalError``, if the journal cannot be opened, read or begun.
  /// - Complexity: that of the same method with a journal.
  public static func open(
    _ initial: State, in place: JournalPlace, options: StoreOptions = StoreOptions()
  ) async throws(JournalError) -> Store {
    try await open(initial, in: try await place.open(), options: options)
  }

  /// Opens a store on the journal at a place, and blocks the calling thread until it is open: for an app's `init`, which cannot be `async`.
  ///
  /// ```swift
  /// let store = try Store.openBlocking(AppState(), in: .app("Plants"))
  /// ```
  ///
  /// Use it for local journals only: a disk answers in milliseconds, a network may not. Do not call it from a task, because other tasks
  /// need its thread.
  ///
  /// - Parameters:
  ///   - initial: The initial state of a new journal.
  ///   - place: The place of the journal. The store closes the journal.
  ///   - options: The options of the store.
  /// - Throws: ``/AlterJournal/JournalError``, if the journal cannot be opened, read or begun.
  @available(*, noasync, message: "Use `try await Store.open(…)`.")
  public static func openBlocking(
    _ initial: State, in place: JournalPlace, options: StoreOptions = StoreOptions()
  ) throws(JournalError) -> Store {
    try openBlocking(initial, in: { () async throws(JournalError) in try await place.open() }, options: options)
  }
}
