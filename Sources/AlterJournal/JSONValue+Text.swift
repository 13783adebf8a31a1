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

  // Written, measured and parsed with a stack of its own instead of recursion: what is nested 512 deep, as a journal may hold it, must not overflow a
  // thread's stack of 512 KiB.

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

  /// Whether arrays and objects are nested no deeper than that.
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

  /// How a double is written: the shortest digits that give it back, and a whole one without its ".0", as Foundation does. What JSON has no
  /// number for is a text, as `JournalCoding` writes it.
  static func digits(of value: Double) -> String {
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

    /// As in `invalid JSON: a value is missing at byte 12`.
    public var description: String { "invalid JSON: \(reason) at byte \(offset)" }
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
