#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONValue: CustomStringConvertible {
  /// The JSON, without spaces, keys sorted.
  public var description: String { String(decoding: data, as: UTF8.self) }

  /// The JSON, without spaces, keys sorted by their UTF-8 bytes.
  ///
  /// What `JournalCoding` has written comes back byte for byte when it is parsed and written again, but for rare ways to write a number or a text.
  ///
  /// - Complexity: O(size), and the sorting of each object's keys.
  public var data: Data {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return Data(bytes)
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .number(let value): bytes += Self.digits(of: value).utf8
    case .decimal(let digits): bytes += digits.utf8
    case .string(let text): Self.write(text, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// How a double is written: the shortest digits that give it back, and a whole one without its ".0", as Foundation does. What JSON has no
  /// number for is a text, as `JournalCoding` writes it.
  fileprivate static func digits(of value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? #""NaN""# : value > 0 ? #""Infinity""# : #""-Infinity""# }
    let digits = "\(value)"
    return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += #"\""#.utf8
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      case 0x08: bytes += #"\b"#.utf8
      case 0x0C: bytes += #"\f"#.utf8
      case 0x0A: bytes += #"\n"#.utf8
      case 0x0D: bytes += #"\r"#.utf8
      case 0x09: bytes += #"\t"#.utf8
      case 0..<0x20:
        let hex = String(byte, radix: 16)
        bytes += (#"\u00"# + (hex.utf8.count == 1 ? "0" : "") + hex).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// What is wrong with a text that should be JSON.
  public struct ParsingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The byte at which it shows, from 0.
    public let offset: Int
    /// What is wrong there.
    public let reason: String

    /// As in `no JSON: a value is missing at byte 12`.
    public var description: String { "no JSON: \(reason) at byte \(offset)" }
  }

  /// The value of a JSON text (RFC 8259). Of two members with one name the last wins.
  ///
  /// - Parameter json: UTF-8.
  /// - Throws: ``ParsingError`` when it is no JSON, or nested more than 512 deep.
  /// - Complexity: O(bytes).
  public init(parsing json: Data) throws(ParsingError) {
    var parser = JSONParser(bytes: [UInt8](json))
    self = try parser.parse()
  }
}

/// Reads JSON by recursive descent.
private struct JSONParser {
  typealias ParsingError = JSONValue.ParsingError
  let bytes: [UInt8]
  var position = 0
  /// Deeper nesting is refused, so that no text can overflow a stack.
  private static let depth = 512

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() throws(ParsingError) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw error("something follows the value") }
    return value
  }

  private func error(_ reason: String) -> ParsingError { ParsingError(offset: position, reason: reason) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(ParsingError) -> JSONValue {
    guard depth < Self.depth else { throw error("it is nested more than \(Self.depth) deep") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default: throw error("a value is missing")
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(ParsingError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw error("a value is missing") }
    position += word.utf8.count
    return value
  }

  private mutating func array(depth: Int) throws(ParsingError) -> JSONValue {
    position += 1
    var values: [JSONValue] = []
    if take("]") { return .array([]) }
    repeat { values.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw error("',' or ']' is missing") }
    return .array(values)
  }

  private mutating func object(depth: Int) throws(ParsingError) -> JSONValue {
    position += 1
    var members: [String: JSONValue] = [:]
    if take("}") { return .object([:]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("a member's name is missing") }
      let name = try string()
      guard take(":") else { throw error("':' is missing") }
      members[name] = try value(depth: depth + 1)
    } while take(",")
    guard take("}") else { throw error("',' or '}' is missing") }
    return .object(members)
  }

  private mutating func number() throws(ParsingError) -> JSONValue {
    let start = position
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false }
    if next == UInt8(ascii: "-") { position += 1 }
    guard isDigit(next) else { throw error("a digit is missing") }
    if next == UInt8(ascii: "0") { position += 1 } else { while isDigit(next) { position += 1 } }
    if next == UInt8(ascii: ".") {
      position += 1
      guard isDigit(next) else { throw error("a digit is missing") }
      while isDigit(next) { position += 1 }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      guard isDigit(next) else { throw error("a digit is missing") }
      while isDigit(next) { position += 1 }
    }
    let digits = String(decoding: bytes[start..<position], as: UTF8.self)
    if let value = Int64(digits), String(value) == digits { return .integer(value) }
    if let value = Double(digits), value.isFinite, JSONValue.digits(of: value) == digits { return .number(value) }
    return .decimal(digits)
  }

  private mutating func string() throws(ParsingError) -> String {
    position += 1
    let start = position
    var unescaped: [UInt8]?
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let text = String(decoding: unescaped ?? Array(bytes[start..<position]), as: UTF8.self)
        // Decoding repairs what is no UTF-8; here it is refused.
        guard text.utf8.count == unescaped?.count ?? (position - start), text.utf8.elementsEqual(unescaped ?? Array(bytes[start..<position])) else {
          throw error("a text is no UTF-8")
        }
        position += 1
        return text
      case UInt8(ascii: "\\"):
        if unescaped == nil { unescaped = Array(bytes[start..<position]) }
        position += 1
        unescaped! += try escaped()
      case 0..<0x20: throw error("a control character stands in a text")
      default:
        unescaped?.append(byte)
        position += 1
      }
    }
    throw error("a text does not end")
  }

  /// What follows a backslash.
  private mutating func escaped() throws(ParsingError) -> [UInt8] {
    guard let byte = next else { throw error("a text does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var code = try unit()
      if (0xD800..<0xDC00).contains(code) {
        guard next == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") else {
          throw error("half of a surrogate pair is missing")
        }
        position += 2
        let low = try unit()
        guard (0xDC00..<0xE000).contains(low) else { throw error("half of a surrogate pair is missing") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw error("half of a surrogate pair is missing") }
      return Array(String(Character(scalar)).utf8)
    default: throw error("an escape is unknown")
    }
  }

  private mutating func unit() throws(ParsingError) -> UInt32 {
    guard position + 4 <= bytes.count, let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
      bytes[position] != UInt8(ascii: "+")
    else { throw error("four hexadecimal digits are missing") }
    position += 4
    return code
  }
}
