public import AlterCollections
public import AlterCore

/// A model with a property that every change sets from its stamp. `@Stamped` adds this conformance.
///
/// Such a value is also stamped when `.add`, `.put` or `.update` makes it part of a state.
public protocol _Restamping: Alterable {
  /// Sets the stamped properties to the time of a stamp; ``/AlterCore/Stamp/none`` leaves them unchanged.
  ///
  /// - Parameter stamp: The time and the author of the change.
  mutating func _restamp(at stamp: Stamp)
}

/// A model with a property that is set once, when the value becomes an element of a collection. `@Stamped(.once)` adds this conformance.
public protocol _StampingOnce: _Restamping {
  /// Sets the stamped properties; those that are set once get their times from the value that this one replaces, if there is one.
  ///
  /// - Parameters:
  ///   - old: The value that this one replaces; nil if it is new in its collection.
  ///   - stamp: The time and the author of the change.
  mutating func _enter(replacing old: Self?, at stamp: Stamp)
}

extension Alterable {
  /// Returns this value with its stamped properties set, if its type has any.
  ///
  /// The type is examined at run time: the method is for generated code that knows it only as a type parameter.
  ///
  /// - Parameters:
  ///   - stamp: The time and the author of the change.
  ///   - old: The value that this one replaces; nil if it is new in its collection.
  public func _restamped(at stamp: Stamp, replacing old: Self? = nil) -> Self {
    func entering<Model: _StampingOnce>(_ model: Model) -> Model {
      var copy = model
      copy._enter(replacing: old as? Model, at: stamp)
      return copy
    }
    if let model = self as? any _StampingOnce { return entering(model) as? Self ?? self }
    guard var copy = self as? any _Restamping else { return self }
    copy._restamp(at: stamp)
    return copy as? Self ?? self
  }
}

// `@Each` generates calls of these methods. An element with stamped properties is stamped when it becomes part of a state.

extension IdentityArray where Element: Alterable {
  /// Adds a value at the end; its type has no stamped properties.
  ///
  /// - Parameters:
  ///   - element: A value of a new identity.
  ///   - stamp: Ignored.
  /// - Throws: `Refusal.duplicate` if the identity is present; nothing is changed then.
  /// - Complexity: O(log n) expected.
  @inlinable
  public mutating func _add(_ element: Element, at stamp: Stamp) throws(Refusal) { try add(element) }

  /// Replaces the value of an identity in place, or appends it; its type has no stamped properties.
  ///
  /// - Parameters:
  ///   - element: The latest value of its identity.
  ///   - stamp: Ignored.
  /// - Complexity: O(log n) expected.
  @inlinable
  public mutating func _put(_ element: Element, at stamp: Stamp) { put(element) }

  /// Replaces the value of a present identity, in place; its type has no stamped properties.
  ///
  /// - Parameters:
  ///   - element: The latest value of its identity.
  ///   - stamp: Ignored.
  /// - Throws: `Refusal.missing` if the identity is absent; nothing is changed then.
  /// - Complexity: O(log n) expected.
  @inlinable
  public mutating func _update(_ element: Element, at stamp: Stamp) throws(Refusal) { try update(element) }
}

extension IdentityArray where Element: _Restamping {
  /// Adds a value at the end, with its stamped properties set.
  ///
  /// - Parameters:
  ///   - element: A value of a new identity.
  ///   - stamp: The stamp that the model's `apply` received.
  /// - Throws: `Refusal.duplicate` if the identity is present; nothing is changed then.
  /// - Complexity: O(log n) expected.
  @inlinable
  public mutating func _add(_ element: Element, at stamp: Stamp) throws(Refusal) {
    var element = element
    element._restamp(at: stamp)
    try add(element)
  }

  /// Replaces the value of an identity in place, or appends it, with its stamped properties set.
  ///
  /// - Parameters:
  ///   - element: The latest value of its identity.
  ///   - stamp: The stamp that the model's `apply` received.
  /// - Complexity: O(log n) expected.
  @inlinable
  public mutating func _put(_ element: Element, at stamp: Stamp) {
    var element = element
    element._restamp(at: stamp)
    put(element)
  }

  /// Replaces the value of a present identity, in place, with its stamped properties set.
  ///
  /// - Parameters:
  ///   - element: The latest value of its identity.
  ///   - stamp: The stamp that the model's `apply` received.
  /// - Throws: `Refusal.missing` if the identity is absent; nothing is changed then.
  /// - Complexity: O(log n) expected.
  @inlinable
  public mutating func _update(_ element: Element, at stamp: Stamp) throws(Refusal) {
    var element = element
    element._restamp(at: stamp)
    try update(element)
  }
}

extension IdentityArray where Element: _StampingOnce {
  /// Adds a value at the end, with its stamped properties set.
  ///
  /// - Parameters:
  ///   - element: A value of a new identity.
  ///   - stamp: The stamp that the model's `apply` received.
  /// - Throws: `Refusal.duplicate` if the identity is present; nothing is changed then.
  /// - Complexity: O(log n) expected.
  @inlinable
  public mutating func _add(_ element: Element, at stamp: Stamp) throws(Refusal) {
    var element = element
    element._enter(replacing: nil, at: stamp)
    try add(element)
  }

  /// Replaces the value of an identity in place, or appends it, with its stamped properties set.
  ///
  /// - Parameters:
  ///   - element: The latest value of its identity.
  ///   - stamp: The stamp that the model's `apply` received.
  /// - Complexity: O(log n) expected.
  @inlinable
  public mutating func _put(_ element: Element, at stamp: Stamp) {
    var element = element
    element._enter(replacing: self[id: element.id], at: stamp)
    put(element)
  }

  /// Replaces the value of a present identity, in place, with its stamped properties set.
  ///
  /// - Parameters:
  ///   - element: The latest value of its identity.
  ///   - stamp: The stamp that the model's `apply` received.
  /// - Throws: `Refusal.missing` if the identity is absent; nothing is changed then.
  /// - Complexity: O(log n) expected.
  @inlinable
  public mutating func _update(_ element: Element, at stamp: Stamp) throws(Refusal) {
    var element = element
    element._enter(replacing: self[id: element.id], at: stamp)
    try update(element)
  }
}
