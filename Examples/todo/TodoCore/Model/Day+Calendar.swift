/// A day of the week.
public enum Weekday: Int, Sendable, CaseIterable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// The English name, in lowercase.
  public var name: String { "\(self)" }
}

extension Day {
  /// The number of days since 1970-01-01.
  ///
  /// The calculation begins the year in March, so that the leap day is its last day. Each period of five months from March on has 153 days.
  /// - Complexity: O(1).
  var number: Int {
    let year = month > 2 ? self.year : self.year - 1
    let monthFromMarch = (month + 9) % 12
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
  }

  /// The day with this number of days since 1970-01-01; nil outside the years 1 to 9999.
  init?(number: Int) {
    guard number >= -719_162, number <= 2_932_896 else { return nil }
    // 400 years have 146,097 days. The estimate may be a year too early or too late.
    var year = 1970 + number * 400 / 146_097
    while let next = Day(year: year + 1, month: 1, day: 1), next.number <= number { year += 1 }
    while let first = Day(year: year, month: 1, day: 1), first.number > number { year -= 1 }
    for month in (1...12).reversed() {
      if let first = Day(year: year, month: month, day: 1), first.number <= number {
        self.init(year: year, month: month, day: number - first.number + 1)
        return
      }
    }
    return nil
  }

  /// The day of the week.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    Weekday(rawValue: ((number + 3) % 7 + 7) % 7) ?? .monday
  }

  /// The day that is `days` days later; nil outside the years 1 to 9999.
  public func adding(days: Int) -> Day? {
    let (sum, overflows) = number.addingReportingOverflow(days)
    return overflows ? nil : Day(number: sum)
  }

  /// The same day of the month, `months` months later. If that month is shorter, its last day. Nil outside the years 1 to 9999.
  public func adding(months: Int) -> Day? {
    let (sum, overflows) = (year * 12 + month - 1).addingReportingOverflow(months)
    guard !overflows, sum >= 12 else { return nil }
    for day in stride(from: self.day, through: max(1, self.day - 3), by: -1) {
      if let result = Day(year: sum / 12, month: sum % 12 + 1, day: day) { return result }
    }
    return nil
  }
}
