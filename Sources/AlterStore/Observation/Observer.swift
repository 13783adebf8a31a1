import AlterCore

/// A closure that receives every confirmed entry, until it is cancelled.
@usableFromInline
final class Observer<State: Alterable>: Sendable {
  @usableFromInline let body: @Sendable (Record<State>?, State) -> Void
  @usableFromInline let isCancelled = Lock(false)

  init(_ body: @escaping @Sendable (Record<State>?, State) -> Void) { self.body = body }

  func cancel() { isCancelled.withLock { $0 = true } }

  @inlinable
  func tell(_ record: Record<State>?, _ state: State) {
    if !isCancelled.withLock({ $0 }) { body(record, state) }
  }
}

/// A pending notification: a confirmed entry for the observers that were registered when it was confirmed; nil for the first state of an
/// observation.
@usableFromInline typealias Notification<State: Alterable> = Delivery<State, Record<State>?>

/// A notification. It is an object, so that its state is copied only once. The subject is a type parameter of its own: the runtime frees an
/// object of a generic class by its type parameters, and would have to look up a dependent type each time.
@usableFromInline
final class Delivery<State: Alterable, Subject: Sendable>: Sendable {
  @usableFromInline let record: Subject
  @usableFromInline let state: State
  @usableFromInline let observers: [Observer<State>]

  @inlinable
  init(record: Subject, state: State, observers: [Observer<State>]) {
    self.record = record
    self.state = state
    self.observers = observers
  }

  @inlinable
  func tell() where Subject == Record<State>? {
    for observer in observers { observer.tell(record, state) }
  }
}
