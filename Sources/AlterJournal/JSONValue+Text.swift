#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONValue: CustomStringConvertible {
  /// The JSON without spaces, with keys sorted by their UTF-8 bytes.
  public var description: String { String(decoding: data, as: UTF8.self) }

  /// The JSON as UTF-8, without spaces, with keys sorted by their bytes.
  ///
  /// Text that `JournalCoding` has written is reproduced byte for byte when it is parsed and written again, except for rare notations of
  /// numbers and strings.
  ///
  /// - Complexity: O(bytes), plus O(k log k) for each object with k keys.
  public var data: Data {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return Data(bytes)
  }

  // Writing, measuring and parsing use an explicit stack instead of recursion. A journal may hold values that are nested 512 deep, and
  // recursion would overflow a thread's stack of 512 KiB.

  private enum Piece {
    case value(JSONValue)
    case name(String)
    case sign(Unicode.Scalar)
  }

  private func write(to bytes: inout [UInt8]) {
    var stack: [Piece] = [.value(self)]
    while let piece = stack.popLast() {
      switch piece {
      case .sign(let sign): bytes.append(UInt8(ascii: sign))
      case .name(let name):
        Self.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
      case .value(.null): bytes += "null".utf8
      case .value(.bool(let value)): bytes += (value ? "true" : "false").utf8
      case .value(.integer(let value)): bytes += String(value).utf8
      case .value(.number(let value)): bytes += Self.digits(of: value).utf8
      case .value(.decimal(let digits)): bytes += digits.utf8
      case .value(.string(let text)): Self.write(text, to: &bytes)
      case .value(.array(let values)):
        bytes.append(UInt8(ascii: "["))
        stack.append(.sign("]"))
        for (index, value) in values.enumerated().reversed() {
          stack.append(.value(value))
          if index > 0 { stack.append(.sign(",")) }
        }
      case .value(.object(let members)):
        bytes.append(UInt8(ascii: "{"))
        stack.append(.sign("}"))
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, member) in sorted.enumerated().reversed() {
          stack.append(.value(member.value))
          stack.append(.name(member.key))
          if index > 0 { stack.append(.sign(",")) }
        }
      }
    }
  }

  /// Whether arrays and objects are nested at most this deep. A scalar has depth 0.
  func isNested(atMost depth: Int) -> Bool {
    var stack = [(value: self, depth: 1)]
    while let (value, level) = stack.popLast() {
      switch value {
      case .array(let values):
        if level > depth { return false }
        for value in values { stack.append((value, level + 1)) }
      case .object(let members):
        if level > depth { return false }
        for value in members.values { stack.append((value, level + 1)) }
      default: break
      }
    }
    return true
  }

  /// Returns the text of a double: the shortest digits that are read back as the same value. As in Foundation, a whole number has no '.0'.
  /// Infinite values and NaN are strings, as in `JournalCoding`, because JSON has no numbers for them.
  static func digits(of value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? #""NaN""# : value > 0 ? #""Infinity""# : #""-Infinity""# }
    let digits = "\(value)"
    return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
  }

  /// Adds a string with its quotation marks.
  static func write(_ text: String, to bytes: inout [UInt8]) {
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

  /// The error for a text that is not JSON.
  public struct ParsingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the byte at which the error was detected, from 0.
    package let offset: Int
    /// The problem, as in 'a value is missing'.
    package let reason: String

    /// As in 'no JSON: a value is missing at byte 12'.
    public var description: String { "invalid JSON: \(reason) at byte \(offset)" }
  }

  /// Parses a JSON text (RFC 8259). If an object has several members of one name, the last one wins.
  ///
  /// - Parameter json: The text as UTF-8.
  /// - Throws: ``ParsingError`` if the text is not JSON, or is nested more than 512 deep.
  /// - Complexity: O(bytes).
  public init(parsing json: Data) throws(ParsingError) {
    var parser = JSONParser(bytes: [UInt8](json))
    self = try parser.parse()
  }
}
