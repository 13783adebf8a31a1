/// The compact stored form of an enum: an object with one key, the name of the case, whose value is the payload.
///
/// `.completed(true)` is `{"completed":true}`, `.due(nil)` is `{"due":null}`. The names are written down in an enum of strings, so that
/// renaming a Swift case doesn't change stored data by accident.
struct WireCase<Name: RawRepresentable & Sendable> where Name.RawValue == String {
  /// A case's name as a coding key.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Which case it is.
  let name: Name
  private let container: KeyedDecodingContainer<Key>
  private let key: Key

  /// Reads which case a stored value is.
  ///
  /// - Parameters:
  ///   - type: The enum, for the error.
  ///   - decoder: Where to read.
  /// - Throws: `DecodingError` when there is not exactly one key, or when the enum has no such case.
  init(of type: (some Any).Type, from decoder: any Decoder) throws {
    container = try decoder.container(keyedBy: Key.self)
    // As in `AppState.Change`: the module's name helps nobody.
    let type = String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
    let keys = container.allKeys
    guard let key = keys.first, keys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "\(type) is an object with one key, the name of the case, not with \(keys.count)"))
    }
    guard let name = Name(rawValue: key.stringValue) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(type) has no case '\(key.stringValue)' (written by a newer version?)"))
    }
    self.key = key
    self.name = name
  }

  /// The payload.
  func payload<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value { try container.decode(type, forKey: key) }

  /// The payload of a path change: whom it is about, and what happens there.
  func path<ID: Codable, Change: Codable>() throws -> (ID, Change) {
    let path = try payload(WirePath<ID, Change>.self)
    return (path.id, path.change)
  }

  /// Writes a case and its payload.
  static func encode(_ name: Name, _ payload: some Encodable, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(payload, forKey: Key(stringValue: name.rawValue))
  }

  /// Writes a path change: `{"item":{"change":{"completed":true},"id":"…"}}`.
  static func encode<ID: Codable, Change: Codable>(_ name: Name, _ id: ID, _ change: Change, to encoder: any Encoder) throws {
    try encode(name, WirePath(id: id, change: change), to: encoder)
  }
}

/// The payload of a path change.
private struct WirePath<ID: Codable, Change: Codable>: Codable {
  let id: ID
  let change: Change
}
