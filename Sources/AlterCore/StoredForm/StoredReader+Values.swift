extension StoredReader {
  // MARK: - Texts

  /// A text between its quotes, as it is stored.
  @usableFromInline struct Text {
    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    @usableFromInline let isASCII: Bool
    @usableFromInline let hasEscapes: Bool
  }

  /// Reads a text without decoding it.
  @usableFromInline
  mutating func scanString() throws(StoredFormError) -> Text {
    try take(UInt8(ascii: "\""))
    let start = position
    var next = position
    var bits: UInt64 = 0
    var hasEscapes = false
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while true {
      // Eight bytes at once, up to the first control character, quote or backslash. Bytes in front of it are found exactly.
      while end - next >= 8 {
        let word = UInt64(littleEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let found = ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highs
        guard found == 0 else {
          let count = found.trailingZeroBitCount / 8
          bits |= word & ((1 << (UInt64(count) * 8)) &- 1)
          next += count
          break
        }
        bits |= word
        next += 8
      }
      guard next < end else { throw StoredFormError() }
      let byte = next.pointee
      next += 1
      if byte == UInt8(ascii: "\"") { break }
      guard byte >= 0x20 else { throw StoredFormError() }
      bits |= UInt64(byte)
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        guard next < end, next.pointee >= 0x20, next.pointee < 0x80 else { throw StoredFormError() }
        next += 1
      }
    }
    position = next
    return Text(bytes: UnsafeBufferPointer(start: start, count: next - 1 - start), isASCII: bits & highs == 0, hasEscapes: hasEscapes)
  }

  /// Reads a text.
  ///
  /// - Throws: ``StoredFormError`` if the next value is no text, is not UTF-8, or has escapes that a ``StoredWriter`` doesn't write.
  /// - Complexity: O(n) in the length of the text.
  public mutating func string() throws(StoredFormError) -> String {
    let text = try scanString()
    if text.hasEscapes { return try StoredReader.unescaped(text.bytes) }
    let string = String(decoding: text.bytes, as: UTF8.self)
    if !text.isASCII { guard StoredReader.isExact(string, text.bytes) else { throw StoredFormError() } }
    return string
  }

  /// Returns whether a text has exactly these bytes. Decoding replaces bytes that are not UTF-8.
  private static func isExact(_ string: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var string = string
    return string.withUTF8 { $0.count == bytes.count && equal($0.baseAddress!, bytes.baseAddress!, bytes.count) }
  }

  private static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) throws(StoredFormError) -> String {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        plain.append(byte)
        continue
      }
      guard index < bytes.count else { throw StoredFormError() }
      let escape = bytes[index]
      index += 1
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): plain.append(escape)
      case UInt8(ascii: "b"): plain.append(0x08)
      case UInt8(ascii: "f"): plain.append(0x0C)
      case UInt8(ascii: "n"): plain.append(0x0A)
      case UInt8(ascii: "r"): plain.append(0x0D)
      case UInt8(ascii: "t"): plain.append(0x09)
      case UInt8(ascii: "u"):
        // A control character, such as \u001b.
        guard bytes.count - index >= 4, bytes[index] == UInt8(ascii: "0"), bytes[index + 1] == UInt8(ascii: "0"),
          let high = hexadecimal(bytes[index + 2]), let low = hexadecimal(bytes[index + 3]), high < 2
        else { throw StoredFormError() }
        plain.append(high << 4 | low)
        index += 4
      default: throw StoredFormError()
      }
    }
    let string = String(decoding: plain, as: UTF8.self)
    guard plain.isEmpty || plain.withUnsafeBufferPointer({ isExact(string, $0) }) else { throw StoredFormError() }
    return string
  }

  /// Returns the value of a hexadecimal digit; nil for any other byte.
  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- UInt8(ascii: "A") &+ 10
    default: nil
    }
  }

  /// Returns the value of eight hexadecimal digits, the first in the lowest byte; nil for any other bytes.
  ///
  /// All eight at once: each byte of the word is a digit. Its low four bits, and 9 for a letter, are its value. The digit of that value
  /// must be the byte again.
  @inline(__always)
  static func hexadecimal(_ digits: UInt64) -> UInt64? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let letters = digits >> 6 & ones
    let values = (digits & (ones &* 15)) &+ letters &* 9
    guard values & (ones &* 0xF0) == 0 else { return nil }
    let aboveNine = (values &+ ones &* 6) >> 4 & ones
    guard values &+ ones &* 0x30 &+ aboveNine &* 7 == digits & ~(letters << 5) else { return nil }
    // The first digit is the highest one.
    var number = values.byteSwapped
    number = (number | number >> 4) & 0x00FF_00FF_00FF_00FF
    number = (number | number >> 8) & 0x0000_FFFF_0000_FFFF
    return (number | number >> 16) & 0xFFFF_FFFF
  }

  /// Reads `true` or `false`.
  ///
  /// - Throws: ``StoredFormError`` if the next value is neither.
  @inlinable
  public mutating func bool() throws(StoredFormError) -> Bool {
    if takes("true") { return true }
    guard takes("false") else { throw StoredFormError() }
    return false
  }

  // MARK: - Numbers

  /// Reads an integer.
  ///
  /// - Parameter type: The type.
  /// - Throws: ``StoredFormError`` if the next value is not a number of digits only that fits the type.
  @inlinable
  public mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(StoredFormError) -> Number {
    let (magnitude, isNegative) = try scanInteger()
    let number: Number?
    if isNegative {
      guard magnitude <= 1 << 63 else { throw StoredFormError() }
      number = Number(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
    } else {
      number = Number(exactly: magnitude)
    }
    guard let number else { throw StoredFormError() }
    return number
  }

  // The byte behind the digits is checked where the reader continues: a fraction or an exponent is neither a comma nor a bracket.
  @usableFromInline
  mutating func scanInteger() throws(StoredFormError) -> (magnitude: UInt64, isNegative: Bool) {
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let start = position
    var magnitude: UInt64 = 0
    var next = position
    while next < end {
      let digit = next.pointee &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      if next - start < 19 {
        magnitude = magnitude &* 10 &+ UInt64(digit)
      } else {
        let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
        guard !overflows, !carries else { throw StoredFormError() }
        magnitude = sum
      }
      next += 1
    }
    position = next
    // No digits, a leading zero, negative zero.
    guard next > start, next - start == 1 || start.pointee != UInt8(ascii: "0"), !isNegative || magnitude != 0 else {
      throw StoredFormError()
    }
    return (magnitude, isNegative)
  }

  /// A number in its parts: the value is ± significand × 10^exponent, if `isExact`.
  struct Number {
    let text: UnsafeBufferPointer<UInt8>
    let significand: UInt64
    let exponent: Int
    let isNegative: Bool
    /// Whether all digits are in the significand.
    let isExact: Bool
    let isZero: Bool
  }

  /// Reads a number by the grammar of JSON (RFC 8259).
  mutating func scanNumber() throws(StoredFormError) -> Number {
    let start = position
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var significand: UInt64 = 0
    var digits = 0
    var exponent = 0
    var isZero = true
    // Digits in front of the point, or behind it.
    func scanDigits(_ position: inout UnsafePointer<UInt8>) -> Int {
      let start = position
      while position < end {
        let digit = position.pointee &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        if digit != 0 { isZero = false }
        if !isZero {
          digits += 1
          if digits <= 19 { significand = significand &* 10 &+ UInt64(digit) }
        }
        position += 1
      }
      return position - start
    }
    let first = position
    let whole = scanDigits(&position)
    guard whole > 0, whole == 1 || first.pointee != UInt8(ascii: "0") else { throw StoredFormError() }
    if byte == UInt8(ascii: ".") {
      position += 1
      let fraction = scanDigits(&position)
      guard fraction > 0 else { throw StoredFormError() }
      exponent = -fraction
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      // Foundation rejects '0e5'.
      guard !isZero else { throw StoredFormError() }
      position += 1
      let isSmall = byte == UInt8(ascii: "-")
      if isSmall || byte == UInt8(ascii: "+") { position += 1 }
      let start = position
      var power = 0
      while position < end, case let digit = position.pointee &- UInt8(ascii: "0"), digit < 10 {
        if power < 100_000 { power = power * 10 + Int(digit) }
        position += 1
      }
      guard position > start else { throw StoredFormError() }
      exponent += isSmall ? -power : power
    }
    return Number(
      text: UnsafeBufferPointer(start: start, count: position - start), significand: significand, exponent: exponent,
      isNegative: isNegative, isExact: digits <= 19, isZero: isZero)
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Reads a number, or the text of an infinite one or of NaN.
  ///
  /// - Throws: ``StoredFormError`` if the next value is none of them, or too large or too small for a normal number.
  public mutating func double() throws(StoredFormError) -> Double {
    if byte == UInt8(ascii: "\"") { return try nonConforming() }
    let number = try scanNumber()
    if number.isZero { return number.isNegative ? -0.0 : 0 }
    // Both operands are exact, so one operation rounds once. Source: William D. Clinger, "How to Read Floating Point Numbers Accurately" (1990).
    if number.isExact, number.significand <= 1 << 53, abs(number.exponent) <= 22 {
      let power = StoredReader.powersOfTen[abs(number.exponent)]
      let magnitude = number.exponent < 0 ? Double(number.significand) / power : Double(number.significand) * power
      return number.isNegative ? -magnitude : magnitude
    }
    guard let value = Double(String(decoding: number.text, as: UTF8.self)), value.isNormal else { throw StoredFormError() }
    return value
  }

  /// Reads a number of single precision, or the text of an infinite one or of NaN.
  ///
  /// - Throws: As ``double()``.
  @usableFromInline
  package mutating func float() throws(StoredFormError) -> Float {
    if byte == UInt8(ascii: "\"") { return Float(try nonConforming()) }
    let number = try scanNumber()
    if number.isZero { return number.isNegative ? -0.0 : 0 }
    guard let value = Float(String(decoding: number.text, as: UTF8.self)), value.isNormal else { throw StoredFormError() }
    return value
  }

  private mutating func nonConforming() throws(StoredFormError) -> Double {
    if takes("\"Infinity\"") { return .infinity }
    if takes("\"-Infinity\"") { return -.infinity }
    guard takes("\"NaN\"") else { throw StoredFormError() }
    return .nan
  }
}
