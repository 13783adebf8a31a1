public import AlterJournal
import Dispatch

extension Store where State: Journaled {
  /// Opens a store and blocks the calling thread until it is open, for an app's `init`, which cannot be `async`.
  ///
  /// ```swift
  /// let store = try Store.openBlocking(AppState(), in: { () async throws(JournalError) in try await SQLiteJournal(at: url) })
  /// ```
  ///
  /// Use it for local journals only: a disk answers in milliseconds, a network may not. Do not call it from a task, because other tasks
  /// need its thread.
  ///
  /// - Parameters:
  ///   - initial: The initial state of a new journal.
  ///   - journal: Opens the journal. It runs in a task of its own.
  ///   - options: The options of the store.
  /// - Throws: ``/AlterJournal/JournalError``, as the `async` method does.
  @available(*, noasync, message: "Use `try await Store.open(…)`.")
  @inlinable
  public static func openBlocking(
    _ initial: State, in journal: @escaping @Sendable () async throws(JournalError) -> any Journal, options: StoreOptions = StoreOptions()
  ) throws(JournalError) -> Store {
    try openBlocking(initial, in: journal, options: options, folding: FoldLoop())
  }

  @available(*, noasync)
  @usableFromInline
  static func openBlocking(
    _ initial: State, in journal: @escaping @Sendable () async throws(JournalError) -> any Journal, options: StoreOptions,
    folding loop: FoldLoop<State>
  ) throws(JournalError) -> Store {
    let promise = Promise<Result<Store, JournalError>>()
    let isOpen = DispatchSemaphore(value: 0)
    Task.detached {
      do throws(JournalError) {
        promise.resolve(.success(try await Store.open(initial, in: try await journal(), resuming: [], options: options, folding: loop)))
      } catch {
        promise.resolve(.failure(error))
      }
      isOpen.signal()
    }
    isOpen.wait()
    guard let result = promise.current else { preconditionFailure("The promise is kept before the semaphore is signalled.") }
    return try result.get()
  }
}
