public import AlterCore
import AlterJournal

extension Store {
  /// The newest confirmed revision: the present one, then the newest whenever the store has applied more of the journal.
  ///
  /// Use it as the signal for a view that reads the store by itself, or for code that follows the journal without its entries. Unlike
  /// ``observe(_:file:line:)`` it does not make the store apply its own changes again.
  ///
  /// ```swift
  /// for await _ in store.revisions { await page.show(store.confirmed) }
  /// ```
  ///
  /// - **Order**: each revision is greater than the one before. ``revision`` is at least the one that is delivered.
  /// - **Backpressure**: revisions that are confirmed while the loop's body runs are coalesced into one, the newest. Nothing is buffered,
  ///   and the store never waits. Use ``entries(after:)`` to receive every entry.
  /// - **End**: the sequence ends when the task is cancelled. It also ends, after the last revision, when the store has failed, was closed
  ///   or is gone; ``status`` states the reason. Iterating does not keep the store alive.
  ///
  /// - Complexity: a change costs one task switch for each task that waits for it.
  public var revisions: StoreRevisions<State> { StoreRevisions(watch: watch, use: usage.token()) }
}

/// The confirmed revisions of a store, coalesced: see ``Store/revisions``.
public struct StoreRevisions<State: Alterable>: AsyncSequence, Sendable {
  /// Never thrown.
  public typealias Failure = Never

  let watch: StoreWatch<State>
  /// Shows that the store is observed.
  let use: StoreUsage.Token

  /// Iterates over the revisions.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let watch: StoreWatch<State>
    private let use: StoreUsage.Token
    private var version: Int64 = -1
    private var last: Revision?
    private var isOver = false

    fileprivate init(_ revisions: StoreRevisions) { (watch, use) = (revisions.watch, revisions.use) }

    /// Waits for a revision greater than the last one delivered; returns nil at the end.
    public mutating func next() async -> Revision? { await next(isolation: nil) }

    /// Waits for a revision greater than the last one delivered; returns nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Revision? {
      while !isOver {
        isOver = (try? await watch.wait(past: version)) == nil
        // At the end, the last revision may not have been delivered yet.
        guard !isOver || !Task.isCancelled, let (version, revision) = watch.presentRevision() else { return nil }
        self.version = version
        // Pending changes also advance the version, but have no revision yet.
        guard last.map({ revision > $0 }) ?? true else { continue }
        last = revision
        return revision
      }
      return nil
    }
  }

  /// Creates an iterator that begins with the present revision.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
