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
  public var outbox: StoreValues<State, OutboxState<State>> {
    StoreValues(self, present: { $0.presentOutbox() }, isNews: { !$0.isShownLike($1) })
  }
}
