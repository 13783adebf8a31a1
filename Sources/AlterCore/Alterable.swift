#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value that changes only through its own `Change` type.
///
/// A model declares its possible changes as the type ``Change`` and defines their effects in ``apply(_:at:)``. Persistence, undo, time
/// travel and sharing between processes are all built on these two declarations.
///
/// ```swift
/// struct Counter: Alterable {
///   enum Change: Hashable, Codable { case increment, add(Int) }
///   private(set) var count = 0
///
///   mutating func apply(_ change: Change, at stamp: Stamp) {
///     switch change {
///     case .increment: count += 1
///     case .add(let n): count += n
///     }
///   }
/// }
/// Counter().alter(.increment, .add(2)).count  // 3
/// ```
///
/// Keep the properties sealed (`let` or `private(set) var`), so that a change is the only way to another value.
///
/// ## Refusing a change
///
/// A model refuses a change by throwing its ``Failure``. A refused change leaves the original value unchanged in
/// `alter` and in a store. A model that refuses nothing omits ``Failure``, and calls of it need no `try`.
///
/// ```swift
/// struct Account: Alterable {
///   enum Change: Hashable, Codable { case deposit(Int), withdraw(Int) }
///   private(set) var balance = 0
///
///   mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
///     switch change {
///     case .deposit(let amount): balance += amount
///     case .withdraw(let amount):
///       guard amount <= balance else { throw .custom("The balance is only \(balance).") }
///       balance -= amount
///     }
///   }
/// }
/// ```
///
/// ## Requirements of a store
///
/// A store replays the changes of its journal, possibly on another machine and years later. ``apply(_:at:)`` must therefore be
/// deterministic, and the state and its changes must be `Codable` (`Journaled`). Tests also need `Equatable` (`TestStore`).
///
/// ## Composing models
///
/// A model can contain other models. One of its changes then names the part and holds the part's own change, as in
/// `case item(Item.ID, Item.Change)`, and ``apply(_:at:)`` passes both to the part, with the same stamp.
///
/// ## Concurrency and complexity
///
/// Values and changes are `Sendable`: any thread may read them, and a store calls ``apply(_:at:)`` on any thread. `alter` and a store copy
/// the value before a change, so use types whose copies share storage, such as `IdentityArray` and the standard collections. The cost of a
/// change is that of ``apply(_:at:)``.
public protocol Alterable: Sendable {
  /// All possible changes of a value of this type.
  ///
  /// A model that is kept in a journal needs a `Change` that is `Codable`.
  associatedtype Change: Sendable

  /// The reason for refusing a change; `Never` by default.
  ///
  /// A model that refuses nothing omits this type, and no call needs `try`.
  associatedtype Failure: Error = Never

  /// Makes the change, or refuses it.
  ///
  /// The method must be pure and deterministic: the same value, change and stamp give the same result on every machine and at any time. Do
  /// not use `Date()`, `UUID()`, random numbers or the locale, and do not let the iteration order of a `Set` or `Dictionary` reach the
  /// result. The stamp supplies the time and fresh ids. The method may throw at any point, even after it has modified the value: a store
  /// restores the previous value.
  ///
  /// - Parameters:
  ///   - change: The change to make.
  ///   - stamp: The time and the author of the change; ``Stamp/none`` outside a store.
  /// - Throws: `Failure` if the value cannot make this change.
  mutating func apply(_ change: Change, at stamp: Stamp) throws(Failure)
}

extension Alterable {
  /// Returns a copy of this value with the changes made, one after the other.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - stamp: The time and the author. ``Stamp/none``, the default, has no time: properties that record one stay unchanged.
  /// - Throws: `Failure` at the first refused change. No change is made then, because `self` is never modified.
  /// - Complexity: that of the changes. Unmodified parts are shared with `self`, not copied.
  @inlinable
  public func alter(_ changes: Change..., at stamp: Stamp = .none) throws(Failure) -> Self {
    try alter(changes, at: stamp)
  }

  /// Returns a copy of this value with a list of changes made, one after the other: all or none.
  ///
  /// Each change receives the stamp with its own place in the list (``Stamp/index``), as in a store's atomic batch.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - stamp: The time and the author.
  /// - Throws: `Failure` at the first refused change.
  @inlinable @_disfavoredOverload
  public func alter(_ changes: [Change], at stamp: Stamp = .none) throws(Failure) -> Self {
    // Disfavoured, so that the compiler's error for a change that doesn't exist is about the change.
    var copy = self
    try copy.apply(changes, at: stamp)
    return copy
  }

  /// Returns a copy of this value with the changes made at a date, one after the other: for tests, and for apps without a store.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - date: The time of the changes, which have no author. Ids of their stamp are the same at each call.
  /// - Throws: `Failure` at the first refused change.
  @inlinable
  public func alter(_ changes: Change..., at date: Date) throws(Failure) -> Self {
    try alter(changes, at: Stamp(date))
  }

  /// Makes a list of changes in place, one after the other.
  ///
  /// If a change is refused, the previous ones stay made, and so do modifications that the refused one made before it threw. For all or
  /// none, use ``alter(_:at:)-swift.method`` or keep a copy.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - stamp: The time and the author; each change receives it with its own ``Stamp/index``.
  /// - Throws: `Failure` at the first refused change.
  @inlinable
  package mutating func apply(_ changes: [Change], at stamp: Stamp) throws(Failure) {
    var stamp = stamp
    for change in changes {
      try apply(change, at: stamp)
      stamp.index += 1
    }
  }
}

extension Alterable where Change == Never {
  /// Never called: a value whose `Change` is `Never` has no change, and is only replaced as a whole.
  ///
  /// - Parameters:
  ///   - change: No value of this type exists.
  ///   - stamp: Ignored.
  @inlinable
  public mutating func apply(_ change: Never, at stamp: Stamp) {}
}

/// A value with an empty form: the initial state of an app.
///
/// Conformance allows writing a state as a list of changes: `AppState(.add(.item(milk)), .add(.item(bread)))`.
public protocol EmptyInitializable {
  /// Creates the empty value.
  init()
}

extension Alterable where Self: EmptyInitializable {
  /// Creates the empty value and makes the changes, one after the other.
  ///
  /// - Parameters:
  ///   - first: The first change.
  ///   - changes: The following changes, in order.
  ///   - stamp: The time and the author.
  /// - Throws: `Failure` at the first refused change.
  @inlinable
  public init(_ first: Change, _ changes: Change..., at stamp: Stamp = .none) throws(Failure) {
    self = try Self().alter([first] + changes, at: stamp)
  }

  /// Creates the empty value and makes a list of changes, one after the other: a state from what has happened.
  ///
  /// ```swift
  /// let history: [AppState.Change] = [.add(.item(milk)), .item(milk.id, .completed(true))]
  /// let state = AppState(history)
  /// ```
  ///
  /// Each change receives the stamp with its own place in the list (``Stamp/index``). An empty list gives the empty value.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - stamp: The time and the author. ``Stamp/none``, the default, has no time: properties that record one stay unchanged.
  /// - Throws: `Failure` at the first refused change.
  /// - Complexity: that of the changes.
  @inlinable @_disfavoredOverload
  public init(_ changes: [Change], at stamp: Stamp = .none) throws(Failure) {
    // Disfavoured, so that `IdentityArray<Person>([])` stays the initialiser with elements, which throws nothing.
    self = try Self().alter(changes, at: stamp)
  }
}
