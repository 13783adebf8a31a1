public import AlterCore
import AlterJournal

/// The changes of a device that are not settled.
public struct OutboxState<State: Alterable>: Sendable {
  /// The changes that the server has not decided, in their order.
  public let unconfirmed: [UnconfirmedChange<State>]
  /// The changes that the server has refused, until they are retried or dismissed.
  public let refusals: [RefusedChange<State>]

  /// Whether both have the same changes, and hide the same ones.
  fileprivate func isShownLike(_ other: OutboxState) -> Bool {
    unconfirmed.elementsEqual(other.unconfirmed) { $0.record.id == $1.record.id && $0.isHidden == $1.isHidden }
      && refusals.elementsEqual(other.refusals) { $0.record.id == $1.record.id }
  }
}

extension Store {
  /// The changes that are not settled, now and whenever they change: for badges, and for a program that waits until everything is sent.
  ///
  /// ```swift
  /// for await outbox in store.outbox { badge.show(outbox.unconfirmed.count, outbox.refusals.count) }
  /// ```
  ///
  /// - **Backpressure**: changes that happen while the loop's body runs are coalesced into one.
  /// - **End**: as for ``revisions``. For a journal that is not synced, both lists are always empty.
  ///
  /// - Complexity: O(unconfirmed and refused changes) for each change of the store.
  public var outbox: StoreOutbox<State> { StoreOutbox(watch: watch, use: usage.token()) }
}

/// The unsettled changes of a store, coalesced: see ``Store/outbox``.
public struct StoreOutbox<State: Alterable>: AsyncSequence, Sendable {
  /// Never thrown.
  public typealias Failure = Never

  let watch: StoreWatch<State>
  /// Shows that the store is observed.
  let use: StoreUsage.Token

  /// Iterates over the states of the outbox.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let watch: StoreWatch<State>
    private let use: StoreUsage.Token
    private var version: Int64 = -1
    private var last: OutboxState<State>?
    private var isOver = false

    fileprivate init(_ outbox: StoreOutbox) { (watch, use) = (outbox.watch, outbox.use) }

    /// Waits until the unsettled changes differ from those delivered last; returns nil at the end.
    public mutating func next() async -> OutboxState<State>? { await next(isolation: nil) }

    /// Waits until the unsettled changes differ from those delivered last; returns nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> OutboxState<State>? {
      while !isOver {
        isOver = (try? await watch.wait(past: version)) == nil
        guard !isOver || !Task.isCancelled, let (version, outbox) = watch.presentOutbox() else { return nil }
        self.version = version
        guard last.map({ !$0.isShownLike(outbox) }) ?? true else { continue }
        last = outbox
        return outbox
      }
      return nil
    }
  }

  /// Creates an iterator that begins with the present changes.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
