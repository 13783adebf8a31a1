public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Day {
  /// The day of a date in a time zone; nil outside the years 1 to 9999.
  ///
  /// - Parameters:
  ///   - date: The date.
  ///   - timeZone: The user's time zone.
  public init?(_ date: Date, in timeZone: TimeZone) {
    let parts = Day.calendar(timeZone).dateComponents([.year, .month, .day], from: date)
    guard let year = parts.year, let month = parts.month, let day = parts.day else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The user's current day.
  public static func today() -> Day { Day(Date(), in: .current) ?? epoch }

  /// Noon of this day: the date for a picker of days. Noon exists on every day of every time zone.
  public func noon(in timeZone: TimeZone) -> Date {
    Day.calendar(timeZone).date(from: DateComponents(year: year, month: month, day: day, hour: 12)) ?? Date(timeIntervalSince1970: 0)
  }

  /// The day in words: 'today', 'tomorrow', 'yesterday', a weekday of the next six days, or the date.
  ///
  /// - Parameter today: The user's current day.
  public func words(today: Day) -> String {
    if self == today { return "today" }
    for days in 1...6 where self == today.adding(days: days) { return days == 1 ? "tomorrow" : weekday.name.capitalized }
    return self == today.adding(days: -1) ? "yesterday" : description
  }

  // The days of todo.txt are Gregorian, whatever calendar the user has chosen.
  private static func calendar(_ timeZone: TimeZone) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    return calendar
  }

  private static let epoch = Day(year: 1970, month: 1, day: 1)!
}
