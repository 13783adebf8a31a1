#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The exact text of a date: ISO 8601 in UTC, with as many digits of a fraction as reading it back needs. `2026-12-01T09:30:00.25Z`
///
/// A `Date` is a `Double`: seconds since 2001-01-01 00:00 UTC. Every date within 9e18 seconds of 2001 has a text that reads back to the same
/// bits. Negative zero is the exception: it equals zero and is written as zero. No formatter and no locale is used, so the text is the same
/// on every platform.
///
/// | the date | its text |
/// |---|---|
/// | has at most microseconds, years 0 to 9999 | no more than six digits: `2026-12-01T09:30:00.25Z` |
/// | is finer, years 0 to 9999 | at least seven digits: `2026-12-01T09:30:00.5123457Z` |
/// | is in any other year | a sign, and at least six digits of a year: `+010000-01-01T00:00:00Z`, `-000044-03-15T12:00:00Z` |
///
/// In the years 0 to 9999 the number of digits decides how a text is read. With at most six digits it is a number of microseconds, which
/// `Date(microseconds:)` converts. Any other text is read as the decimal number of seconds since 2001, and the date is the `Double` nearest
/// to it. The two readings may differ in the last bit; a date for which the first does not give the same bits has a text of the second kind,
/// filled up with zeros if necessary.
package enum DateText {
  static let microsecondsPerDay: Int64 = 86_400_000_000
  private static let secondsPerDay: Int64 = 86_400
  /// 2001-01-01 00:00 UTC in seconds since 1970.
  private static let referenceDate: Int64 = 978_307_200
  /// The bound of the seconds since 2001. Beyond it, the seconds do not fit into 64 bits.
  private static let limit = 9e18
  /// The years that have four digits and no sign.
  static let plainYears: ClosedRange<Int64> = 0...9999
  private static let zero = UInt8(ascii: "0")

  /// Returns the text of a date; nil if the date is infinite, not a number, or 9e18 seconds or more from 2001.
  ///
  /// - Complexity: O(digits of the text), at most about 350.
  package static func text(of date: Date) -> String? {
    let microseconds = date.microseconds
    if Date(microseconds: microseconds) == date {
      let day = floorDivision(microseconds, by: microsecondsPerDay)
      let calendarDay = civil(fromDay: day.quotient)
      if plainYears.contains(calendarDay.year) {
        var text = bytes(calendarDay, second: day.remainder / 1_000_000)
        let fraction = day.remainder % 1_000_000
        if fraction > 0 {
          text.append(UInt8(ascii: "."))
          put(fraction, digits: 6, to: &text)
          while text.last == zero { text.removeLast() }
        }
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
      }
    }
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite, abs(seconds) < limit, var (whole, fraction) = decimal(seconds.magnitude) else { return nil }
    if seconds < 0 {
      // Floor: -1.25 is -2 and 0.75.
      whole = fraction.isEmpty ? -whole : -whole - 1
      complement(&fraction)
    }
    let day = floorDivision(whole + referenceDate, by: secondsPerDay)
    let calendarDay = civil(fromDay: day.quotient)
    // Seven digits make the reader take the decimal number.
    if plainYears.contains(calendarDay.year), fraction.count < 7 { fraction += repeatElement(zero, count: 7 - fraction.count) }
    var text = bytes(calendarDay, second: day.remainder)
    if !fraction.isEmpty { text += [UInt8(ascii: ".")] + fraction }
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the text of any date, for a message: as ``text(of:)``, or its seconds since 2001 if it has no such text.
  package static func description(of date: Date) -> String {
    text(of: date) ?? "\(date.timeIntervalSinceReferenceDate) seconds since 2001"
  }

  /// Returns a value's own description, for a message; of a date, its exact text instead.
  package static func describing(_ value: Any) -> String { (value as? Date).map(description(of:)) ?? "\(value)" }

  /// Returns the date of a text in the form of ``text(of:)``; nil for any other text.
  ///
  /// A fraction may end with zeros. It has at most 1,074 digits, as many as the exact decimal form of any `Double`.
  ///
  /// - Complexity: O(length of the text).
  package static func date(of text: String) -> Date? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for byte in bytes[range] {
        guard isDigit(byte) else { return nil }
        value = value * 10 + Int64(byte - zero)
      }
      return value
    }
    guard let yearEnd = yearEnd(bytes), var year = number((isSign(bytes[0]) ? 1 : 0)..<yearEnd) else { return nil }
    if bytes[0] == UInt8(ascii: "-") { year = -year }
    // A sign belongs to the years that need it, so that each date has one text.
    guard isSign(bytes[0]) != plainYears.contains(year) else { return nil }
    let rest = yearEnd
    guard bytes.count >= rest + 16, bytes[rest] == UInt8(ascii: "-"), bytes[rest + 3] == UInt8(ascii: "-"),
      bytes[rest + 6] == UInt8(ascii: "T"), bytes[rest + 9] == UInt8(ascii: ":"), bytes[rest + 12] == UInt8(ascii: ":"),
      bytes[bytes.count - 1] == UInt8(ascii: "Z"),
      let month = number(rest + 1..<rest + 3), let day = number(rest + 4..<rest + 6), let hour = number(rest + 7..<rest + 9),
      let minute = number(rest + 10..<rest + 12), let second = number(rest + 13..<rest + 15),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction = bytes[rest + 15..<bytes.count - 1]
    if !fraction.isEmpty {
      guard fraction.removeFirst() == UInt8(ascii: "."), (1...1074).contains(fraction.count), fraction.allSatisfy(isDigit)
      else { return nil }
    }
    let dayNumber = self.day(year: year, month: month, day: day)
    guard civil(fromDay: dayNumber) == (year, month, day) else { return nil }
    let secondOfDay = hour * 3600 + minute * 60 + second
    if plainYears.contains(year), fraction.count <= 6 {
      var microseconds: Int64 = 0
      for digit in fraction { microseconds = microseconds * 10 + Int64(digit - zero) }
      for _ in fraction.count..<6 { microseconds *= 10 }
      return Date(microseconds: dayNumber * microsecondsPerDay + secondOfDay * 1_000_000 + microseconds)
    }
    // The year has up to 12 digits, so the day fits into 64 bits, but its seconds may not.
    let referenceDay = dayNumber - referenceDate / secondsPerDay
    guard abs(referenceDay) <= Int64(limit) / secondsPerDay + 1 else { return nil }
    let date = self.date(seconds: referenceDay * secondsPerDay + secondOfDay, fraction: Array(fraction))
    return date.flatMap { abs($0.timeIntervalSinceReferenceDate) < limit ? $0 : nil }
  }

  // MARK: - Texts

  /// The text without a fraction and without the 'Z'.
  private static func bytes(_ day: (year: Int64, month: Int64, day: Int64), second: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(28)
    if plainYears.contains(day.year) {
      put(day.year, digits: 4, to: &bytes)
    } else {
      bytes.append(UInt8(ascii: day.year < 0 ? "-" : "+"))
      let year = abs(day.year)
      if year < 1_000_000 { put(year, digits: 6, to: &bytes) } else { bytes += Array("\(year)".utf8) }
    }
    bytes.append(UInt8(ascii: "-"))
    put(day.month, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    put(day.day, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    put(second / 3600, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    put(second / 60 % 60, digits: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    put(second % 60, digits: 2, to: &bytes)
    return bytes
  }

  /// Appends a number with exactly this number of digits.
  private static func put(_ number: Int64, digits: Int, to bytes: inout [UInt8]) {
    var divisor: Int64 = 1
    for _ in 1..<digits { divisor *= 10 }
    var number = number
    while divisor > 0 {
      bytes.append(zero + UInt8(number / divisor))
      number %= divisor
      divisor /= 10
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (zero...zero + 9).contains(byte) }

  private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }

  /// The end of the year: after four digits, or after a sign and 6 to 12 digits, of which more than six do not begin with a zero.
  private static func yearEnd(_ bytes: [UInt8]) -> Int? {
    guard let first = bytes.first else { return nil }
    guard isSign(first) else { return bytes.count > 4 ? 4 : nil }
    let count = bytes.dropFirst().prefix { isDigit($0) }.count
    guard (6...12).contains(count), count == 6 || bytes[1] != zero else { return nil }
    return 1 + count
  }

  // MARK: - Decimal numbers

  /// The shortest decimal number that reads back to a double: its whole part, and the digits of its fraction without zeros at the end.
  ///
  /// Swift's description of a double is this number, by its documentation, as `817022585.5123457`, `1e+16` or `5e-324`.
  private static func decimal(_ number: Double) -> (whole: Int64, fraction: [UInt8])? {
    let parts = number.description.utf8.split(separator: UInt8(ascii: "e"))
    guard let mantissa = parts.first, let exponent = parts.count == 1 ? 0 : Int(Substring(parts[1])) else { return nil }
    var digits = mantissa.filter { isDigit($0) }
    // The place of the point among the digits. Fill up with zeros until it lies among them.
    var point = mantissa.prefix { $0 != UInt8(ascii: ".") }.count + exponent
    if point < 0 {
      digits.insert(contentsOf: repeatElement(zero, count: -point), at: 0)
      point = 0
    }
    if point > digits.count { digits += repeatElement(zero, count: point - digits.count) }
    while digits.count > point, digits.last == zero { digits.removeLast() }
    let whole = digits[..<point]
    guard let number = whole.isEmpty ? 0 : Int64(String(decoding: whole, as: UTF8.self)) else { return nil }
    return (number, Array(digits[point...]))
  }

  /// Replaces the fraction 0.f with 1 - 0.f, digit by digit; a fraction of zeros stays as it is.
  private static func complement(_ fraction: inout [UInt8]) {
    guard let last = fraction.lastIndex(where: { $0 != zero }) else { return }
    for index in 0..<last { fraction[index] = zero + 9 - (fraction[index] - zero) }
    fraction[last] = zero + 10 - (fraction[last] - zero)
  }

  /// The date at a decimal number of seconds since 2001, as floor and fraction: the nearest double.
  private static func date(seconds: Int64, fraction: [UInt8]) -> Date? {
    var (whole, fraction) = (seconds, fraction)
    let isNegative = seconds < 0
    if isNegative {
      if fraction.contains(where: { $0 != zero }) { whole += 1 }
      complement(&fraction)
    }
    let text = "\(isNegative ? "-" : "")\(whole.magnitude).\(String(decoding: fraction, as: UTF8.self))0"
    return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  // MARK: - The calendar

  static func floorDivision(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  // Conversion between days since 1970-01-01 and the proleptic Gregorian calendar. Source: Howard Hinnant, "chrono-Compatible Low-Level
  // Date Algorithms" (2013), days_from_civil and civil_from_days; eras of 400 years that begin on 1 March.

  static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}
