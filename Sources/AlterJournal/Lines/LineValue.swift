import AlterCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The JSON of one line, of which only the parts that a caller reads become values.
///
/// A line of an entry holds a payload of any length, which is stored as the bytes that the line has. Most lines are written by this library, and
/// are only divided into their members (``CanonicalJSON``); any other JSON is parsed. Both give the same answers.
package struct LineValue: Sendable {
  private enum Form {
    /// Any JSON.
    case parsed(JSONValue)
    /// JSON that ``JSONValue`` would write as it is, with the members of an object.
    case divided(Data, [CanonicalJSON.Member])
    /// Such JSON that was not divided.
    case whole(Data)
  }

  private let form: Form

  /// Reads JSON; nil if it is none.
  ///
  /// - Parameters:
  ///   - json: The JSON.
  ///   - limit: The number of values of JSON that must be parsed as a whole. JSON with more of them counts as none, and no value of it is made.
  /// - Complexity: O(bytes).
  package init?(_ json: Data, values limit: Int = .max) {
    if let members = CanonicalJSON.members(of: json) {
      form = .divided(json, members)
    } else if limit < json.count, Self.separators(in: json) > limit {
      return nil
    } else if let value = try? JSONValue(parsing: json) {
      form = .parsed(value)
    } else {
      return nil
    }
  }

  /// At least the number of the values of some JSON less one: the commas and opening brackets. Those in strings count, too.
  private static func separators(in json: Data) -> Int {
    json.withUnsafeBytes { bytes in
      bytes.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    }
  }

  /// The same as a value that is already there.
  package init(_ value: JSONValue) { form = .parsed(value) }

  private init(part: Data) { form = .whole(part) }

  /// The value of a name; nil if it is absent, or if this is no object.
  package subscript(name: String) -> LineValue? {
    switch form {
    case .parsed(let value): value[name].map { LineValue($0) }
    case .divided(let json, let members): Self.find(name, in: json, members).map { LineValue(part: $0) }
    case .whole(let json):
      json.first == UInt8(ascii: "{")
        ? CanonicalJSON.members(of: json).flatMap { Self.find(name, in: json, $0) }.map { LineValue(part: $0) } : nil
    }
  }

  private static func find(_ name: String, in json: Data, _ members: [CanonicalJSON.Member]) -> Data? {
    var name = name
    let place = name.withUTF8 { name in
      json.withUnsafeBytes { bytes in
        members.firstIndex { member in
          member.name.count == name.count
            && CanonicalJSON.isEqual(UnsafeRawBufferPointer(rebasing: bytes[member.name]), UnsafeRawBufferPointer(name))
        }
      }
    }
    return place.map { place in
      let value = members[place].value
      return json[json.startIndex + value.lowerBound..<json.startIndex + value.upperBound]
    }
  }

  /// The whole value.
  package var json: JSONValue {
    switch form {
    case .parsed(let value): value
    case .divided(let json, _), .whole(let json): (try? JSONValue(parsing: json)) ?? .null
    }
  }

  /// The JSON as ``JSONValue/data`` writes it, without a reference to the line.
  package var data: Data {
    switch form {
    case .parsed(let value): value.data
    // Its indices begin at 0.
    case .divided(let json, _), .whole(let json): json.withUnsafeBytes { Data($0) }
    }
  }

  /// The string; nil for anything else.
  package var text: String? {
    guard case .whole(let json) = form else { return self.json.text }
    return Self.plain(json) { CanonicalJSON.text($0) } ?? self.json.text
  }

  /// The whole number, in any notation; nil for anything else, or if it is outside the range of `Int64`.
  package var int: Int64? {
    guard case .whole(let json) = form, let number = Self.integer(json) else { return self.json.int }
    return number
  }

  /// The UUID of a string; nil for anything else.
  package var uuid: UUID? {
    if case .whole(let json) = form, let uuid = Self.plain(json, { UUID(digits: $0) }) { return uuid }
    return text.flatMap { UUID(uuidString: $0) }
  }

  /// The checksum of a string of 32 hexadecimal digits; nil for anything else.
  package var checksum: Checksum? {
    if case .whole(let json) = form, let checksum = Self.plain(json, { Checksum(digits: $0) }) { return checksum }
    return text.flatMap { Checksum(hexadecimal: $0) }
  }

  /// The elements of an array; nil for anything else.
  package var values: [LineValue]? { json.values?.map { LineValue($0) } }

  /// The result for the characters of a string without escapes; nil for anything else.
  private static func plain<Result>(_ json: Data, _ body: (UnsafeBufferPointer<UInt8>) -> Result?) -> Result? {
    json.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: UInt8.self) { bytes in
        guard bytes.count >= 2, bytes[0] == UInt8(ascii: "\""), let start = bytes.baseAddress else { return nil }
        let characters = UnsafeBufferPointer(start: start + 1, count: bytes.count - 2)
        return characters.contains(UInt8(ascii: "\\")) ? nil : body(characters)
      }
    }
  }

  /// The value of up to 18 digits with or without a minus sign; nil for anything else.
  private static func integer(_ json: Data) -> Int64? {
    json.withUnsafeBytes { bytes in
      let isNegative = bytes.first == UInt8(ascii: "-")
      let digits = bytes.dropFirst(isNegative ? 1 : 0)
      guard (1...18).contains(digits.count) else { return nil }
      var number: Int64 = 0
      for byte in digits {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return isNegative ? -number : number
    }
  }
}
