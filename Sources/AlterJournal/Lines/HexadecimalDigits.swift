import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Hexadecimal digits, without a string for each part of a text.
enum HexadecimalDigits {
  /// Returns the number of at most 16 digits, large or small; nil for other characters.
  static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
    var number: UInt64 = 0
    for byte in digits {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): number = number << 4 | UInt64(byte - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    return number
  }

  /// Adds the lowest digits of a number as small characters, with leading zeros.
  static func add(_ number: UInt64, _ count: Int, to bytes: inout [UInt8]) {
    for place in stride(from: (count - 1) * 4, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: number >> UInt64(place)) & 15
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// Returns 16 digits for each number.
  static func text(_ numbers: UInt64...) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * 16)
    for number in numbers { add(number, 16, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UUID {
  /// Creates a UUID from 36 characters; nil for any other text.
  init?(digits text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36, text[8] == UInt8(ascii: "-"), text[13] == UInt8(ascii: "-"), text[18] == UInt8(ascii: "-"),
      text[23] == UInt8(ascii: "-"),
      let first = HexadecimalDigits.number(text[0..<8]), let second = HexadecimalDigits.number(text[9..<13]),
      let third = HexadecimalDigits.number(text[14..<18]), let fourth = HexadecimalDigits.number(text[19..<23]),
      let fifth = HexadecimalDigits.number(text[24..<36])
    else { return nil }
    self.init(high: first << 32 | second << 16 | third, low: fourth << 48 | fifth)
  }

  /// Adds the 36 characters with small letters.
  func add(to bytes: inout [UInt8]) {
    let (high, low) = halves
    HexadecimalDigits.add(high >> 32, 8, to: &bytes)
    for part in [high >> 16, high, low >> 48] {
      bytes.append(UInt8(ascii: "-"))
      HexadecimalDigits.add(part, 4, to: &bytes)
    }
    bytes.append(UInt8(ascii: "-"))
    HexadecimalDigits.add(low, 12, to: &bytes)
  }
}

extension Checksum {
  /// Creates a checksum from its 32 digits; nil for any other text.
  init?(digits text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 32, let high = HexadecimalDigits.number(text[0..<16]), let low = HexadecimalDigits.number(text[16..<32]) else {
      return nil
    }
    self.init(high: high, low: low)
  }
}
