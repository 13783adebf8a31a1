import AlterCore

/// The last call of an observer of a store.
@usableFromInline
struct ObserverCall: Sendable {
  /// The number of calls so far.
  @usableFromInline var number = 0
  /// The place at which the called observer was registered.
  @usableFromInline var file: StaticString = ""
  @usableFromInline var line: UInt = 0

  init() {}
}

/// A closure that receives every confirmed entry, until it is cancelled.
///
/// `@unchecked Sendable`: `isCancelled` is read and written only under the lock of the calls.
@usableFromInline
final class Observer<State: Alterable>: @unchecked Sendable {
  @usableFromInline let body: @Sendable (Record<State>?, State) -> Void
  @usableFromInline let calls: Lock<ObserverCall>
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt
  @usableFromInline var isCancelled = false

  init(
    _ body: @escaping @Sendable (Record<State>?, State) -> Void, at place: (file: StaticString, line: UInt),
    counting calls: Lock<ObserverCall>
  ) {
    self.body = body
    (file, line) = place
    self.calls = calls
  }

  func cancel() { calls.withLock { _ in isCancelled = true } }

  @inlinable
  func tell(_ record: Record<State>?, _ state: State) {
    let isCancelled = calls.withLock { call in
      call.number += 1
      (call.file, call.line) = (file, line)
      return self.isCancelled
    }
    if !isCancelled { body(record, state) }
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
