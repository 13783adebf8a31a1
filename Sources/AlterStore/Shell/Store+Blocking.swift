public import AlterJournal
import Dispatch

extension Store where State: Journaled {
  /// Opens a store and blocks the thread until it is open: for an app's `init`, which can't wait otherwise.
  ///
  /// ```swift
  /// let store = try Store.openBlocking(AppState(), in: { () async throws(JournalError) in try await SQLiteJournal(at: url) })
  /// ```
  ///
  /// For local journals: a disk answers in milliseconds, a network may not. Not to be called from a task, whose thread others need.
  ///
  /// - Parameters:
  ///   - initial: The state that a new journal begins with.
  ///   - journal: Opens the journal.
  ///   - options: How the store behaves.
  /// - Throws: ``/AlterJournal/JournalError``, as the form that doesn't block does.
  @available(*, noasync, message: "Use `try await Store.open(…)`.")
  public static func openBlocking(
    _ initial: State, in journal: @escaping @Sendable () async throws(JournalError) -> any Journal, options: StoreOptions = StoreOptions()
  ) throws(JournalError) -> Store {
    let promise = Promise<Result<Store, JournalError>>()
    let isOpen = DispatchSemaphore(value: 0)
    Task.detached {
      do throws(JournalError) {
        promise.resolve(.success(try await Store.open(initial, in: try await journal(), options: options)))
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
