import AlterCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Encodes payloads as JSON and decodes them: Foundation's coders with fixed strategies, so that a replay equals the original.
///
/// - Keys are sorted, so that equal values give equal bytes. They are not converted.
/// - A `Date` is an ISO 8601 string in UTC: `"2026-12-01T09:30:00.25Z"`. It has as many digits of a fraction as reading back the same bits
///   needs, and a year outside 0 to 9999 has a sign and at least six digits: `"-000044-03-15T12:00:00Z"`. Dates are never rounded; only
///   negative zero becomes zero, which it equals. A date 9e18 seconds or more from 2001 is its number of seconds since 2001-01-01 00:00 UTC.
///   Such a number is read for any date.
/// - A value that would be read as another one is rejected: `.some(nil)` of a type `T??`, a relative `URL`, more than 128 nested levels.
/// - `Data` is Base64. Infinite numbers and NaN are the strings `"Infinity"`, `"-Infinity"` and `"NaN"`.
///
/// A type that conforms to `StoredForm`, as every `@Alterable` model does, is coded without Foundation, several times faster, with the same
/// results: the same bytes, equal values, and the errors of Foundation's coders, which code everything unusual.
public enum JournalCoding {
  /// Encodes a value as JSON.
  ///
  /// - Throws: Any error of the value's `encode(to:)`; `EncodingError` if the value is nested more than 128 levels deep, which Foundation's
  ///   coders can't encode and decode on each stack, or if it would be read as another one: see ``JournalCoding``.
  public static func encode(_ value: some Encodable) throws -> Data { try StoredCoding.written(value).json }

  /// Encodes a value that a journal shall keep: the JSON can be decoded to an equal value.
  ///
  /// JSON that only the code of the macros and of the standard types has written is decoded and compared in debug builds alone.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isAlwaysRead: Whether the JSON is decoded and compared in each case: before older entries are given up for it.
  /// - Throws: As ``encode(_:)``; `EncodingError` if the JSON can't be decoded, or gives another value.
  /// - Complexity: That of coding the value; of decoding it and of a comparison, too, where the JSON is read.
  package static func encodeKept<Value: Codable>(_ value: Value, isAlwaysRead: Bool = false) throws -> Data {
    let (json, isTotal) = try StoredCoding.written(value)
    if isTotal, !isAlwaysRead, !checksAll { return json }
    func failure(_ reason: String) -> EncodingError {
      EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: reason))
    }
    let read: Value
    do { read = try decode(from: json) } catch {
      // An error of the model's own may contain the value.
      let reason = error is DecodingError ? explain(error) : "\(Swift.type(of: error))"
      throw failure("it could not be read again: \(reason)")
    }
    guard areEqual(value, read) else {
      let place = partDifferences(from: value, to: read, limit: 1).first?.path ?? ""
      throw failure("another value would be read again\(place.isEmpty ? "" : ", with a difference in '\(place)'")")
    }
    return json
  }

  /// Returns whether two values are equal by `==`, or have no differing parts. NaN counts as equal to itself.
  private static func areEqual<Value>(_ value: Value, _ read: Value) -> Bool {
    func areEqual<Known: Equatable>(_ value: Known) -> Bool { (read as? Known).map { $0 == value } ?? false }
    if let known = value as? any Equatable {
      if areEqual(known) { return true }
    } else if !checksAll {
      return true
    }
    func text(_ part: Any?) -> String { part.flatMap(Description.exact) ?? String(reflecting: part) }
    // The texts of an element that has moved are equal.
    return partDifferences(from: value, to: read).allSatisfy {
      if case .move = $0.kind { return false }
      return text($0.old) == text($0.new)
    }
  }

  /// Decodes a value from JSON.
  ///
  /// - Throws: `DecodingError` if the JSON is malformed or does not fit the type.
  public static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from json: Data) throws -> Value {
    if let value = StoredCoding.read(Value.self, from: json) { return value }
    try StoredCoding.checkDepth(of: json)
    return try decoder().decode(Value.self, from: json)
  }

  /// Decodes a value from JSON that an older version of the app may have stored, with the migrations of its models.
  ///
  /// The models that are ``Migrating`` convert their parts of the JSON. The migrations of the state's schema don't run here: a store applies
  /// them before. A test of a model's migration needs only this call:
  ///
  /// ```swift
  /// let person = try JournalCoding.decode(Person.self, from: Data(#"{"id":1,"name":"Ann"}"#.utf8), schema: 2, current: 3)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - json: The JSON.
  ///   - stored: The schema version under which the JSON was stored.
  ///   - current: The present version of the state's schema.
  /// - Throws: `DecodingError` if the JSON is malformed or does not fit the type; an error with the model's name if one of its migrations
  ///   throws, or is for a higher version than the present one. JSON of the present version is searched for models with such a number only
  ///   in debug builds, and if it can't be decoded.
  /// - Complexity: O(n) in the size of the JSON. A converted model is written and parsed again, once for each converted model around it: O(n d)
  ///   for converted models that are nested d deep. Code that decodes a model with a decoder of its own, or from a `superDecoder()`, pays
  ///   another O(n d) for the coding paths.
  public static func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from json: Data, schema stored: Int, current: Int
  ) throws -> Value {
    func versioned() throws -> Value { try ModelMigration.Versions.decode(Value.self, from: json, stored: stored, current: current) }
    if stored < current || checksAll {
      try StoredCoding.checkDepth(of: json)
      return try versioned()
    }
    if let value = StoredCoding.read(Value.self, from: json) { return value }
    try StoredCoding.checkDepth(of: json)
    do {
      return try decoder().decode(Value.self, from: json)
    } catch {
      // A forgotten version of the schema is the likely cause of a model that can't read present data.
      do { _ = try versioned() } catch let beyond as ModelMigration.BeyondSchema {
        throw beyond
      } catch {}
      throw error
    }
  }

  /// Whether models in data of the present version are checked for migrations beyond it, and all JSON is read again before a journal keeps it.
  /// It costs time, and finds mistakes of programmers.
  package static var checksAll: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// Returns a decoder with the strategies of this type.
  static func decoder(userInfo: [CodingUserInfoKey: any Sendable] = [:]) -> JSONDecoder {
    StoredCoding.decoder(userInfo: userInfo)
  }

  /// Returns a coding path as text for a message: 'at people[3].name'.
  static func place(_ path: [any CodingKey]) -> String {
    let path = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? "at the top level" : "at \(path.drop { $0 == "." })"
  }

  /// Returns a coding error as text for a message: the position and the problem, without the data itself.
  package static func explain(_ error: any Error) -> String {
    if case .invalidValue(_, let context)? = error as? EncodingError {
      return "\(context.debugDescription) \(place(context.codingPath))"
    }
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .keyNotFound(let key, let context): return "'\(key.stringValue)' is missing \(place(context.codingPath))"
    case .typeMismatch(let type, let context): return "a value that is not \(type) \(place(context.codingPath))"
    case .valueNotFound(let type, let context): return "null instead of \(type) \(place(context.codingPath))"
    case .dataCorrupted(let context): return "\(context.debugDescription) \(place(context.codingPath))"
    @unknown default: return "\(error)"
    }
  }
}
