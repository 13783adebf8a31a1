// The conversions that migrations are made of. Each returns the value unchanged if its shape is another one, so that a migration of one
// property can be applied to every change of a model.
//
// A whole `Double` looks like an integer: 90.0 is stored as `90` and read as `.integer(90)`. Read numbers with `double`, which accepts both.

extension JSONValue {
  /// Returns this object with the value of a key converted.
  ///
  /// ```swift
  /// person.converting("name") { ["first": $0, "last": ""] }
  /// person.converting("weight") { kilograms in kilograms.double.map { .integer(Int64(($0 * 1000).rounded())) } ?? kilograms }
  /// ```
  ///
  /// An absent key, or anything that is not an object, is returned unchanged. A stored `null` is converted like any other value.
  ///
  /// A whole `Double` is stored without a fraction: `90.0` is ``integer(_:)``, and `72.5` is ``number(_:)``. Read both with ``double``. ``int``
  /// and a `switch` over the cases succeed for some of a property's values only.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - transform: Converts the value.
  /// - Throws: Any error that `transform` throws.
  /// - Complexity: O(k) for k keys, plus the conversion.
  public func converting(_ key: String, _ transform: (JSONValue) throws -> JSONValue) rethrows -> JSONValue {
    guard case .object(var members) = self, let value = members[key] else { return self }
    members[key] = try transform(value)
    return .object(members)
  }

  /// Returns this object with a value for a key that it lacks.
  ///
  /// An object with that key, even if its value is `null`, and anything that is not an object are returned unchanged.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The value; evaluated only if the key is absent.
  /// - Complexity: O(k) for k keys.
  public func adding(_ key: String, _ value: @autoclosure () throws -> JSONValue) rethrows -> JSONValue {
    guard case .object(var members) = self, members[key] == nil else { return self }
    members[key] = try value()
    return .object(members)
  }

  /// Returns this object without a key. Anything that is not an object with that key is returned unchanged.
  ///
  /// - Parameter key: The key.
  /// - Complexity: O(k) for k keys.
  public func removing(_ key: String) -> JSONValue {
    guard case .object(var members) = self, members.removeValue(forKey: key) != nil else { return self }
    return .object(members)
  }

  /// Returns this array with each element converted. Anything that is not an array is returned unchanged.
  ///
  /// ```swift
  /// list.converting("people") { $0.mappingElements { $0.renaming("title", to: "name") } }
  /// ```
  ///
  /// - Parameter transform: Converts an element.
  /// - Throws: Any error that `transform` throws.
  /// - Complexity: O(n) for n elements, plus the conversions.
  public func mappingElements(_ transform: (JSONValue) throws -> JSONValue) rethrows -> JSONValue {
    guard case .array(let values) = self else { return self }
    return .array(try values.map(transform))
  }

  /// Returns this object with the value of each key converted. Anything that is not an object is returned unchanged.
  ///
  /// - Parameter transform: Converts a value; called in no particular order.
  /// - Throws: Any error that `transform` throws.
  /// - Complexity: O(k) for k keys, plus the conversions.
  public func mappingMembers(_ transform: (JSONValue) throws -> JSONValue) rethrows -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(try members.mapValues(transform))
  }
}
