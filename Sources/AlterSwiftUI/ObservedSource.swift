import AlterCore
import AlterStore

/// The parameters of an ``ObservedValue``. Each evaluation of the parent's body creates a source; the holder stays as long as the view.
@MainActor
struct ObservedSource<Model: Alterable, Value: Equatable & Sendable> {
  private let store: Store<Model>
  private let id: AnyHashable?
  private let function: @Sendable (Model) -> Value
  /// The number of sources that were created before.
  private let number: Int

  init(_ store: Store<Model>, id: AnyHashable? = nil, _ function: @escaping @Sendable (Model) -> Value) {
    (self.store, self.id, self.function, number) = (store, id, function, Creations.next())
  }

  /// The present value.
  func value(in holder: ObservedHolder<Model, Value>) -> Value {
    isOutdated(in: holder) ? function(store.state) : observed(in: holder).value
  }

  /// The object that observes the store. It is made at the first call, and again for another store or `id`.
  func observed(in holder: ObservedHolder<Model, Value>) -> Observed<Model, Value> {
    let isOutdated = isOutdated(in: holder)
    if let made = holder.made, made.store === store, made.id == id || isOutdated { return made.observed }
    let observed = store.observed(function)
    // The object of the newest source is that which the body has read: releasing it would stop the updates of the view.
    if !isOutdated { holder.made = (store, id, observed, number) }
    return observed
  }

  /// Whether this source belongs to an earlier evaluation with another store or `id`.
  private func isOutdated(in holder: ObservedHolder<Model, Value>) -> Bool {
    guard let made = holder.made else { return false }
    return made.number > number && (made.store !== store || made.id != id)
  }
}

/// Numbers the sources in the order of their creation.
@MainActor
private enum Creations {
  private static var count = 0

  static func next() -> Int {
    count += 1
    return count
  }
}

/// Keeps the object of an ``ObservedValue`` between two creations of the view.
@MainActor
final class ObservedHolder<Model: Alterable, Value: Equatable & Sendable> {
  fileprivate var made: (store: Store<Model>, id: AnyHashable?, observed: Observed<Model, Value>, number: Int)?

  nonisolated init() {}
}
