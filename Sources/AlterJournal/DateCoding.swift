import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Converts dates to and from ISO 8601 text in UTC, with microseconds. No formatter is used, so the result is exact on every platform.
enum DateCoding {
  private static let microsecondsPerDay: Int64 = 86_400_000_000

  /// Returns the text of a date; nil if the date has fractions of a microsecond or a year outside 1 to 9999.
  static func text(of date: Date) -> String? {
    let microseconds = date.microseconds
    guard Date(microseconds: microseconds) == date else { return nil }
    // Floor division, for dates before 1970.
    var day = microseconds / microsecondsPerDay
    var rest = microseconds % microsecondsPerDay
    if rest < 0 {
      rest += microsecondsPerDay
      day -= 1
    }
    let (year, month, dayOfMonth) = civil(fromDay: day)
    guard (1...9999).contains(year) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(27)
    func put(_ number: Int64, digits: Int) {
      var divisor: Int64 = 1
      for _ in 1..<digits { divisor *= 10 }
      var number = number
      while divisor > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(number / divisor))
        number %= divisor
        divisor /= 10
      }
    }
    put(year, digits: 4)
    bytes.append(UInt8(ascii: "-"))
    put(month, digits: 2)
    bytes.append(UInt8(ascii: "-"))
    put(dayOfMonth, digits: 2)
    bytes.append(UInt8(ascii: "T"))
    let seconds = rest / 1_000_000
    put(seconds / 3600, digits: 2)
    bytes.append(UInt8(ascii: ":"))
    put(seconds / 60 % 60, digits: 2)
    bytes.append(UInt8(ascii: ":"))
    put(seconds % 60, digits: 2)
    let fraction = rest % 1_000_000
    if fraction > 0 {
      bytes.append(UInt8(ascii: "."))
      put(fraction, digits: 6)
      while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the date of a text in the form of ``text(of:)``, with at most six digits of a fraction; nil for any other text.
  static func date(of text: String) -> Date? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for byte in bytes[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return value
    }
    guard bytes.count >= 20, bytes.count <= 27, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), bytes[bytes.count - 1] == UInt8(ascii: "Z"),
      let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction: Int64 = 0
    if bytes.count > 20 {
      guard bytes[19] == UInt8(ascii: "."), bytes.count > 21, let digits = number(20..<bytes.count - 1) else { return nil }
      fraction = digits
      for _ in 0..<(6 - (bytes.count - 21)) { fraction *= 10 }
    }
    let dayNumber = self.day(year: year, month: month, day: day)
    guard civil(fromDay: dayNumber) == (year, month, day) else { return nil }
    let seconds: Int64 = hour * 3600 + minute * 60 + second
    return Date(microseconds: dayNumber * microsecondsPerDay + seconds * 1_000_000 + fraction)
  }

  // Conversion between days since 1970-01-01 and the proleptic Gregorian calendar. Source: Howard Hinnant, "chrono-Compatible Low-Level
  // Date Algorithms" (2013), days_from_civil and civil_from_days; eras of 400 years that begin on 1 March.

  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
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
