import AlterCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Repeatable pseudo-random values (SplitMix64), with a preference for the difficult ones.
package struct ValueGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  package mutating func int(below limit: Int) -> Int { Int(next() % UInt64(limit)) }

  package mutating func integer<Number: FixedWidthInteger>() -> Number {
    switch int(below: 6) {
    case 0: [Number.min, .max, 0, 1, .max - 1][int(below: 5)]
    case 1: Number(truncatingIfNeeded: int(below: 128))
    default: Number(truncatingIfNeeded: Int64(bitPattern: next()) >> Int64(int(below: 64)))
    }
  }

  package mutating func double() -> Double {
    switch int(below: 8) {
    case 0:
      [
        0, -0.0, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude, 1e15, 1e16, 1e17,
        0.1,
        -1e-5, 9007199254740992, 123456789012345680, 1e22, 1e23,
      ][int(below: 17)]
    case 1: Double(bitPattern: next())
    case 2: Double(integer() as Int64)
    case 3: Double(integer() as Int32) / 100
    case 4: Double(int(below: 1000)) / 8
    default: (Double(next() % 2_000_000) - 1_000_000) * [1e-9, 1e-3, 1, 1e3, 1e9, 1e18, 1e-20][int(below: 7)]
    }
  }

  package mutating func float() -> Float {
    switch int(below: 4) {
    case 0:
      [0, -0.0, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNormalMagnitude, .leastNonzeroMagnitude, 0.1][int(below: 9)]
    case 1: Float(bitPattern: UInt32(truncatingIfNeeded: next()))
    default: Float(double())
    }
  }

  package mutating func string() -> String {
    let pieces = [
      "a", "Milk and bread", "\"", "\\", "/", "\n", "\r\n", "\t", "\u{8}", "\u{c}", "\u{0}", "\u{1b}", "\u{1f}", "\u{7f}", "ü", "e\u{301}",
      "é", "\u{212A}",
      "🎉", "👩‍👩‍👧", "中文", "\u{2028}", "\u{FFFD}", "\u{FEFF}", "{", "}", "[", "]", ",", ":", "true", "null", "0123456789abcdef", "    ",
      "\u{80}", "\u{7FF}",
    ]
    return (0..<[0, 1, 1, 2, 3, 8, 30][int(below: 7)]).reduce(into: "") { text, _ in text += pieces[int(below: pieces.count)] }
  }

  package mutating func date() -> Date {
    switch int(below: 8) {
    case 0: Date(timeIntervalSinceReferenceDate: double())
    case 1: Date(timeIntervalSinceReferenceDate: Double(integer() as Int32))
    case 2: Date(microseconds: integer())
    case 3: Date(timeIntervalSinceReferenceDate: [9e18, -9e18, -63_145_440_000, 252_455_616_000, 0, -978_307_200][int(below: 6)])
    default: Date(microseconds: Int64(next() % 4_000_000_000) * [1, 1000, 1_000_000][int(below: 3)])
    }
  }

  package mutating func uuid() -> UUID { UUID(high: next(), low: next()) }

  package mutating func data() -> Data { Data((0..<int(below: 12)).map { _ in UInt8(truncatingIfNeeded: next()) }) }

  package mutating func url() -> URL {
    [
      URL(string: "https://example.org/a/b?c=d&e=%20#f"), URL(string: "a/b", relativeTo: URL(string: "https://example.org/")),
      URL(string: "file:///tmp/x"), URL(string: "mailto:a@example.org"), URL(string: "x"),
    ].compactMap(\.self)[int(below: 5)]
  }

  package mutating func array<Element>(_ element: (inout Self) -> Element) -> [Element] {
    (0..<[0, 1, 2, 5][int(below: 4)]).map { _ in element(&self) }
  }

  package mutating func optional<Value>(_ value: (inout Self) -> Value) -> Value? { int(below: 3) == 0 ? nil : value(&self) }

  /// Returns the bytes with a few random modifications: bytes changed, removed, repeated and inserted.
  package mutating func mutated(_ bytes: Data) -> Data {
    var bytes = Array(bytes)
    let tokens = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "false", " ", "\n", "-", "0", "1", "9", ".", "e", "E", "+", "\\u0041",
      "\\u0000", "\\ud83d\\ude00",
      "\\/", "\u{0}", "é", "1e400", "18446744073709551616", "1.0", "-0", "\"id\":1,", "\"a\":[],",
    ]
    for _ in 0...int(below: 3) {
      let place = bytes.isEmpty ? 0 : int(below: bytes.count)
      switch int(below: 6) {
      case 0 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: next())
      case 1 where !bytes.isEmpty: bytes.remove(at: place)
      case 2 where !bytes.isEmpty:
        let end = min(bytes.count, place + 1 + int(below: 8))
        bytes.insert(contentsOf: bytes[place..<end], at: bytes.isEmpty ? 0 : int(below: bytes.count))
      case 3 where !bytes.isEmpty: bytes.removeSubrange(place..<min(bytes.count, place + 1 + int(below: 8)))
      case 4 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(int(below: 8))
      default: bytes.insert(contentsOf: tokens[int(below: tokens.count)].utf8, at: place)
      }
    }
    return Data(bytes)
  }
}
