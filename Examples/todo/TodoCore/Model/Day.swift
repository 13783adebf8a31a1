public import Alter

/// A calendar date without a time or a time zone, as in todo.txt: `2026-12-01`.
///
/// The shell determines the user's current day and passes it as an argument. A change never reads the clock.
public struct Day: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// 1 to 9999.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to the month's last day.
  public let day: Int

  /// A date of the Gregorian calendar; nil if the day does not exist.
  ///
  /// - Parameters:
  ///   - year: 1 to 9999.
  ///   - month: 1 to 12.
  ///   - day: 1 to the month's last day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), (1...Day.count(inMonth: month, of: year)).contains(day) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date of a text such as `2026-12-01`; nil if the text has another form or the day does not exist.
  public init?(_ description: String) {
    self.init(bytes: Array(description.utf8)[...])
  }

  /// The date of ten bytes such as `2026-12-01`, or nil.
  init?(bytes: ArraySlice<UInt8>) {
    guard Day.isWellFormed(bytes) else { return nil }
    func number(_ range: Range<Int>) -> Int {
      bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound].reduce(0) { $0 * 10 + Int($1 - Byte.zero) }
    }
    self.init(year: number(0..<4), month: number(5..<7), day: number(8..<10))
  }

  /// Whether bytes have the form of a date, `dddd-dd-dd`. The day need not exist.
  static func isWellFormed(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == 10 else { return false }
    for (place, byte) in bytes.enumerated() {
      let fits = place == 4 || place == 7 ? byte == Byte.dash : Byte.isDigit(byte)
      guard fits else { return false }
    }
    return true
  }

  /// Whether the left day is earlier.
  public static func < (left: Day, right: Day) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// The date as in `2026-12-01`.
  public var description: String {
    // Ten bytes need no memory of their own. A list has several days for each item, and writes them at each snapshot.
    String(unsafeUninitializedCapacity: 10) { bytes in
      func put(_ number: Int, _ range: Range<Int>) {
        var rest = number
        for place in range.reversed() {
          bytes[place] = Byte.zero + UInt8(rest % 10)
          rest /= 10
        }
      }
      put(year, 0..<4)
      put(month, 5..<7)
      put(day, 8..<10)
      (bytes[4], bytes[7]) = (Byte.dash, Byte.dash)
      return 10
    }
  }

  private static func count(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Day: Codable {
  /// Decodes `"2026-12-01"`.
  ///
  /// - Throws: `DecodingError` if the text is not a date.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let day = Day(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a day is written as 2026-12-01, not as this text")
    }
    self = day
  }

  /// Encodes `"2026-12-01"`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Day: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    guard let value = Day(try reader.string()) else { throw StoredFormError() }
    self = value
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.string(description) }
}
