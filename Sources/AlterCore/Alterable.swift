/// A value that changes only by its own vocabulary.
///
/// A model declares what may happen to it as a `Change` type and says in ``apply(_:at:)`` what each change does. Everything
/// else (persistence, undo, time travel, several processes) is built on these two declarations.
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
public protocol Alterable: Sendable {
  /// Everything that can happen to a value of this type. `Codable` and `Hashable` as soon as it is to be journaled.
  associatedtype Change: Sendable

  /// Why a change can be refused. A model that refuses nothing leaves it out, and no call needs `try`.
  associatedtype Failure: Error = Never

  /// Makes the change, or refuses it.
  ///
  /// Pure and deterministic: the same value, change and stamp give the same result on every machine, for ever. So no `Date()`,
  /// no `UUID()`, no random numbers, no locale, and no iteration over a `Set` or `Dictionary` whose order reaches the result:
  /// the stamp supplies the time and fresh ids. It may refuse at any point, also after it has changed something: a store goes back to the value that it had.
  ///
  /// - Parameters:
  ///   - change: What happens.
  ///   - stamp: When and by whom; ``Stamp/none`` outside a store.
  /// - Throws: `Failure` when the value can't make this change.
  mutating func apply(_ change: Change, at stamp: Stamp) throws(Failure)
}

extension Alterable {
  /// A copy of this value with the changes made, one after the other.
  ///
  /// - Parameters:
  ///   - changes: What happens, in order.
  ///   - stamp: When and by whom. With ``Stamp/none``, the default, stamped properties stay as they are.
  /// - Throws: `Failure` as soon as one change is refused; then none is made, for `self` is never touched.
  /// - Complexity: that of the changes; what they don't touch is shared with `self`, not copied.
  @inlinable
  public func alter(_ changes: Change..., at stamp: Stamp = .none) throws(Failure) -> Self {
    try alter(changes, at: stamp)
  }

  /// A copy of this value with a list of changes made, one after the other: all or none.
  ///
  /// Each change sees the stamp with its own place in the list (``Stamp/index``), as in a store's atomic batch.
  ///
  /// - Parameters:
  ///   - changes: What happens, in order.
  ///   - stamp: When and by whom.
  /// - Throws: `Failure` as soon as one change is refused.
  @inlinable
  public func alter(_ changes: [Change], at stamp: Stamp = .none) throws(Failure) -> Self {
    var copy = self
    try copy.apply(changes, at: stamp)
    return copy
  }

  /// Makes a list of changes in place, one after the other.
  ///
  /// When one is refused, those before it stay made: keep a copy if you need all or none (``alter(_:at:)-swift.method`` does).
  ///
  /// - Parameters:
  ///   - changes: What happens, in order.
  ///   - stamp: When and by whom; each change sees it with its own ``Stamp/index``.
  /// - Throws: `Failure` as soon as one change is refused.
  @inlinable
  public mutating func apply(_ changes: [Change], at stamp: Stamp) throws(Failure) {
    var stamp = stamp
    for change in changes {
      try apply(change, at: stamp)
      stamp.index += 1
    }
  }
}

/// A value that has an empty form: what an app starts from.
///
/// With it a state can be written as what happened: `AppState(.add(.item(milk)), .add(.item(bread)))`.
public protocol EmptyInitializable {
  /// The empty value.
  init()
}

extension Alterable where Self: EmptyInitializable {
  /// The empty value with the changes made, one after the other.
  ///
  /// - Parameters:
  ///   - first: The first change.
  ///   - changes: Those that follow, in order.
  ///   - stamp: When and by whom.
  /// - Throws: `Failure` as soon as one change is refused.
  @inlinable
  public init(_ first: Change, _ changes: Change..., at stamp: Stamp = .none) throws(Failure) {
    self = try Self().alter([first] + changes, at: stamp)
  }
}
