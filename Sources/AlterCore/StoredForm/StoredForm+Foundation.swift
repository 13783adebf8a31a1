#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// `Decimal` is not here: Foundation reads it with rules of its own.

extension Date: _TotalStoredForm {
  /// Reads the text of a date, or a number of seconds since 2001.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    guard reader.byte == UInt8(ascii: "\"") else {
      self.init(timeIntervalSinceReferenceDate: try reader.double())
      return
    }
    let text = try reader.scanString()
    guard text.isASCII, !text.hasEscapes else { throw StoredFormError() }
    if let date = DateText.usualDate(of: text.bytes) ?? DateText.date(of: String(decoding: text.bytes, as: UTF8.self)) {
      self = date
    } else {
      // The texts of infinite numbers and NaN, or an error.
      throw StoredFormError()
    }
  }

  /// Writes the text of a date.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    if DateText.writeUsual(self, to: &writer) { return }
    if let text = DateText.text(of: self) { writer.plain(text) } else { writer.double(timeIntervalSinceReferenceDate) }
  }
}

extension Data: _TotalStoredForm {
  /// Reads Base64.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    guard let data = Data(base64Encoded: try reader.string()) else { throw StoredFormError() }
    self = data
  }
  /// Writes Base64.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.plain(base64EncodedString()) }
}

extension URL: _TotalStoredForm {
  /// Reads the text of an address.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    guard let url = URL(string: try reader.string()) else { throw StoredFormError() }
    self = url
  }
  /// Writes the text of the address.
  ///
  /// - Throws: `StoredFormError` for a relative address: `Codable` stores its absolute text, so that another address would be read.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) {
    guard baseURL == nil else {
      throw writer.refused("it contains a relative URL, which would be read as an absolute one: store its absoluteURL")
    }
    writer.string(absoluteString)
  }
}

extension UUID: _TotalStoredForm {
  /// Reads 36 characters.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    let text = try reader.scanString().bytes
    guard text.count == 36, text[8] == UInt8(ascii: "-"), text[13] == UInt8(ascii: "-"), text[18] == UInt8(ascii: "-"),
      text[23] == UInt8(ascii: "-")
    else { throw StoredFormError() }
    let bytes = UnsafeRawPointer(text.baseAddress!)
    // 01234567-9ABC-EF01-3456-89ABCDEF0123
    func pair(_ first: Int, _ second: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: first, as: UInt32.self)))
        | UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: second, as: UInt32.self))) << 32
    }
    guard let first = StoredReader.hexadecimal(pair(0, 4)), let second = StoredReader.hexadecimal(pair(9, 14)),
      let third = StoredReader.hexadecimal(pair(19, 24)), let fourth = StoredReader.hexadecimal(pair(28, 32))
    else { throw StoredFormError() }
    self.init(high: first << 32 | second, low: third << 32 | fourth)
  }

  /// Writes 36 characters, with capital letters.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.uuid(self, letters: UInt8(ascii: "A")) }
}

extension StoredWriter {
  /// Writes 36 characters in quotation marks.
  ///
  /// - Parameters:
  ///   - uuid: The UUID.
  ///   - ten: The character of the digit ten: `a` or `A`.
  mutating func uuid(_ uuid: UUID, letters ten: UInt8) {
    let (high, low) = uuid.halves
    put(UInt8(ascii: "\""))
    hexadecimal(high >> 32, 8, letters: ten)
    put(UInt8(ascii: "-"))
    hexadecimal(high >> 16, 4, letters: ten)
    put(UInt8(ascii: "-"))
    hexadecimal(high, 4, letters: ten)
    put(UInt8(ascii: "-"))
    hexadecimal(low >> 48, 4, letters: ten)
    put(UInt8(ascii: "-"))
    hexadecimal(low, 12, letters: ten)
    put(UInt8(ascii: "\""))
  }

  /// Writes the lowest digits of a number, with leading zeros.
  private mutating func hexadecimal(_ number: UInt64, _ digits: Int, letters ten: UInt8) {
    reserve(digits)
    for place in 0..<digits {
      let digit = UInt8(truncatingIfNeeded: number >> UInt64((digits - 1 - place) * 4)) & 15
      base[count + place] = digit < 10 ? UInt8(ascii: "0") + digit : ten + digit - 10
    }
    count += digits
  }

  /// Writes the digits of a number, with leading zeros.
  fileprivate mutating func decimal(_ number: Int64, _ digits: Int) {
    reserve(digits)
    var number = UInt64(truncatingIfNeeded: number)
    for place in stride(from: digits - 1, through: 0, by: -1) {
      base[count + place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
      number /= 10
    }
    count += digits
  }
}

extension DateText {
  /// Returns the date of a text with a year of four digits and at most six digits of a fraction; nil for any other text.
  fileprivate static func usualDate(of text: UnsafeBufferPointer<UInt8>) -> Date? {
    // 2026-12-01T09:30:00Z
    // 01234567890123456789
    guard text.count >= 20, text.count <= 27, text.count != 21, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      text[text.count - 1] == UInt8(ascii: "Z"),
      let year = number(text, 0, 4), let month = number(text, 5, 7), let day = number(text, 8, 10), let hour = number(text, 11, 13),
      let minute = number(text, 14, 16), let second = number(text, 17, 19), hour < 24, minute < 60, second < 60, (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    var microseconds: Int64 = 0
    if text.count > 20 {
      guard text[19] == UInt8(ascii: "."), let fraction = number(text, 20, text.count - 1) else { return nil }
      microseconds = fraction
      for _ in text.count - 21..<6 { microseconds *= 10 }
    }
    let dayNumber = self.day(year: year, month: month, day: day)
    guard day <= 28 || civil(fromDay: dayNumber) == (year, month, day) else { return nil }
    return Date(microseconds: dayNumber * microsecondsPerDay + (hour * 3600 + minute * 60 + second) * 1_000_000 + microseconds)
  }

  private static func number(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Int64? {
    var number: Int64 = 0
    for index in start..<end {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int64(digit)
    }
    return number
  }

  /// Writes a date of whole microseconds with a year of four digits.
  ///
  /// - Returns: Whether the date is one.
  fileprivate static func writeUsual(_ date: Date, to writer: inout StoredWriter) -> Bool {
    let microseconds = date.microseconds
    guard Date(microseconds: microseconds) == date else { return false }
    let (dayNumber, ofDay) = floorDivision(microseconds, by: microsecondsPerDay)
    let day = civil(fromDay: dayNumber)
    guard plainYears.contains(day.year) else { return false }
    let second = ofDay / 1_000_000
    var fraction = ofDay % 1_000_000
    writer.put(UInt8(ascii: "\""))
    writer.decimal(day.year, 4)
    writer.put(UInt8(ascii: "-"))
    writer.decimal(day.month, 2)
    writer.put(UInt8(ascii: "-"))
    writer.decimal(day.day, 2)
    writer.put(UInt8(ascii: "T"))
    writer.decimal(second / 3600, 2)
    writer.put(UInt8(ascii: ":"))
    writer.decimal(second / 60 % 60, 2)
    writer.put(UInt8(ascii: ":"))
    writer.decimal(second % 60, 2)
    if fraction > 0 {
      var digits = 6
      while fraction % 10 == 0 {
        fraction /= 10
        digits -= 1
      }
      writer.put(UInt8(ascii: "."))
      writer.decimal(fraction, digits)
    }
    writer.put(UInt8(ascii: "Z"))
    writer.put(UInt8(ascii: "\""))
    return true
  }
}
