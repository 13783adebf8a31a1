public import AlterCollections
public import AlterCore
public import AlterJournal
public import AlterStore

/// A store of the latest value of each identity, for values without changes of their own.
///
/// ```swift
/// let people = try await IdentityStore<Person>.open([], in: .file(path, key: "people"))
/// try people.put(jack)                  // Jack's older value, if there is one, is replaced
/// people.latest(jack)                   // the present Jack, for a holder of an older one
/// try await people.put(jill).durable()  // in the journal: other stores and processes see her from here on
/// ```
///
/// Of two writers that put a value of one identity, the later one wins as a whole. Values whose changes must both count are `Alterable`: use a
/// `Store<IdentityArray<Person>>`, which has the same methods and changes each value by its own `Change`.
public typealias IdentityStore<Value: Identifiable & Codable & Sendable> = Store<IdentityValues<Value>>
where Value.ID: Codable & Sendable

/// The state of an ``IdentityStore``: one value per identity, the latest, in the order in which the identities came.
public struct IdentityValues<Value: Identifiable & Codable & Sendable> where Value.ID: Codable & Sendable {
  /// The changes, in the stored form `{"put":{…}}` and `{"remove":"id"}`.
  public enum Change: Sendable {
    /// Replaces the older value of the identity in place, or appends. Never refused.
    case put(Value)
    /// Removes the value of an identity. Refused if there is none.
    case remove(Value.ID)
  }

  /// The latest value of each identity.
  public private(set) var values: IdentityArray<Value> = []
}

extension IdentityValues: Journaled {
  /// Makes the change.
  ///
  /// - Throws: ``/AlterCore/Refusal`` `missing` if the identity to remove is absent.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .put(let value): values.put(value)
    case .remove(let id): try values.remove(id: id)
    }
  }

  /// Decodes an array of the values.
  public init(from decoder: any Decoder) throws { values = try IdentityArray(from: decoder) }

  /// Encodes an array of the values.
  public func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

extension IdentityValues: ExpressibleByArrayLiteral {
  /// Creates the state with some values; a later one of the same identity replaces an earlier one.
  public init(arrayLiteral values: Value...) { self.values = IdentityArray(values) }
}

extension IdentityValues: Equatable where Value: Equatable {}

extension IdentityValues.Change: Codable {
  private enum CodingKeys: String, CodingKey { case put, remove }

  /// Decodes an object with one key, the name of the case.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let value = try container.decodeIfPresent(Value.self, forKey: .put) {
      self = .put(value)
    } else {
      self = .remove(try container.decode(Value.ID.self, forKey: .remove))
    }
  }

  /// Encodes an object with one key, the name of the case.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .put(let value): try container.encode(value, forKey: .put)
    case .remove(let id): try container.encode(id, forKey: .remove)
    }
  }
}

extension Store {
  /// Returns all values, in order.
  ///
  /// - Complexity: O(n).
  public func all<Value>() -> [Value] where State == IdentityValues<Value> { Array(state.values) }

  /// Returns the latest value of an identity; nil if the store has none.
  ///
  /// - Parameter value: Any version of the value; only its `id` is used.
  /// - Complexity: O(log n) expected.
  public func latest<Value>(_ value: Value) -> Value? where State == IdentityValues<Value> { state.values.latest(value) }

  /// Puts a value: replaces the older value of its identity in place, or appends it if the identity is new.
  ///
  /// - Throws: ``/AlterStore/ChangeError`` if the store cannot accept changes.
  @discardableResult
  public func put<Value>(_ value: Value) throws(ChangeError<Refusal>) -> Commit<State> where State == IdentityValues<Value> {
    try change(.put(value))
  }

  /// Removes a value.
  ///
  /// - Parameter value: Any version of the value; only its `id` is used.
  /// - Throws: ``/AlterStore/ChangeError`` `refused` if the identity is absent; another case if the store cannot accept changes.
  @discardableResult
  public func remove<Value>(_ value: Value) throws(ChangeError<Refusal>) -> Commit<State> where State == IdentityValues<Value> {
    try change(.remove(value.id))
  }
}
