import AlterCore

/// Somebody who wants to know every confirmed entry.
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

/// A confirmed entry on its way to those who observed at the time; nil for the state that an observation begins with.
@usableFromInline typealias Notification<State: Alterable> = Delivery<State, Record<State>?>

/// An object, so that a state on its way is copied once. What it is about is a parameter of its own: the runtime, which frees an object of a
/// generic class by its parameters, would have to look the type up each time.
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
