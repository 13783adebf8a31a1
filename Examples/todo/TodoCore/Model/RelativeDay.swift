/// A day as users type it, relative to today: `2026-12-01`, `today`, `fri`, `+3d`, `next week`.
public enum RelativeDay {
  /// The reason why a text is not a day.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The day does not exist in the calendar.
    case impossible(String)
    /// The day is before the year 1 or after the year 9999.
    case outOfRange(String)
    /// The text has no known form.
    case unknown(String)

    /// The problem and the next step.
    public var description: String {
      switch self {
      case .impossible(let text): "\(text.quoted) is not a day of the calendar"
      case .outOfRange(let text): "\(text.quoted) is beyond the years 1 to 9999"
      case .unknown(let text):
        """
        \(text.quoted) is not a day; write it as in 2026-12-01, or today, tomorrow, yesterday, fri (the next one), +3d, +2w, +1m, +1y, \
        next week (its Monday), next month (its first day)
        """
      }
    }
  }

  /// The day that a text denotes.
  ///
  /// A weekday is the next one after today: on a Friday, `fri` is seven days later. On January 31, `+1m` is the last day of February.
  ///
  /// - Parameters:
  ///   - text: The text, in any case.
  ///   - today: The user's current day.
  /// - Throws: ``Problem``.
  /// - Complexity: O(length of the text).
  public static func day(_ text: String, today: Day) throws(Problem) -> Day {
    let word = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    if let day = Day(word) { return day }
    if Day.isWellFormed(Array(word.utf8)[...]) { throw .impossible(text) }
    let day: Day?
    switch word {
    case "today": day = today
    case "tomorrow": day = today.adding(days: 1)
    case "yesterday": day = today.adding(days: -1)
    case "next week", "next-week": day = today.adding(days: 7 - today.weekday.rawValue)
    case "next month", "next-month": day = today.adding(months: 1).flatMap { Day(year: $0.year, month: $0.month, day: 1) }
    default:
      if let weekday = weekday(word) {
        day = today.adding(days: (weekday.rawValue - today.weekday.rawValue + 6) % 7 + 1)
      } else if let (count, unit) = distance(word) {
        day = later(today, count, unit)
      } else {
        throw .unknown(text)
      }
    }
    guard let day else { throw .outOfRange(text) }
    return day
  }

  /// The weekday whose name begins with the word, which must have at least three letters.
  private static func weekday(_ word: String) -> Weekday? {
    guard word.utf8.count >= 3 else { return nil }
    return Weekday.allCases.first { $0.name.hasPrefix(word) }
  }

  /// The parts of `+3d`. The count is nil if it is too large for any calendar.
  private static func distance(_ word: String) -> (count: Int?, unit: Character)? {
    guard let sign = word.first, sign == "+" || sign == "-", let unit = word.last, "dwmy".contains(unit) else { return nil }
    let digits = word.dropFirst().dropLast()
    guard !digits.isEmpty, digits.utf8.allSatisfy(Byte.isDigit) else { return nil }
    return (Int(digits).map { sign == "-" ? -$0 : $0 }, unit)
  }

  private static func later(_ day: Day, _ count: Int?, _ unit: Character) -> Day? {
    // A larger count is outside the calendar anyway.
    guard let count, abs(count) < 10_000_000 else { return nil }
    return switch unit {
    case "d": day.adding(days: count)
    case "w": day.adding(days: count * 7)
    case "m": day.adding(months: count)
    default: day.adding(months: count * 12)
    }
  }
}
