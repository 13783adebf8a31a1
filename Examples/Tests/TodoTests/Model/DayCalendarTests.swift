import Testing

@testable import TodoCore

@Suite("The calendar") struct DayCalendarTests {
  @Test("counts every day of the years 1 to 9999, in order, and finds each by its number") func everyDay() throws {
    // An independent calculation: month by month, with the rule of leap years.
    var number = -719_162
    for year in 1...9999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (month, days) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
        // The first and the last day of each month are sufficient, because no rule distinguishes the days between them.
        for day in [1, days] {
          let there = try #require(Day(year: year, month: month + 1, day: day))
          guard there.number == number + day - 1, Day(number: there.number) == there else {
            Issue.record("\(there) has number \(there.number), expected \(number + day - 1)")
            return
          }
        }
        number += days
      }
    }
    #expect(Day(number: number) == nil && Day(number: -719_163) == nil && Day(number: .max) == nil && Day(number: .min) == nil)
  }

  @Test("knows the days of the week") func weekdays() throws {
    let known: [(String, Weekday)] = [
      ("1970-01-01", .thursday), ("1969-12-31", .wednesday), ("2000-02-29", .tuesday), ("2026-11-21", .saturday), ("0001-01-01", .monday),
      ("9999-12-31", .friday),
    ]
    for (text, weekday) in known { #expect(Day(text)?.weekday == weekday, "\(text)") }
  }

  @Test("adds days and months; a month without such a day gives its last one") func adding() throws {
    func day(_ text: String) throws -> Day { try #require(Day(text)) }
    #expect(try day("2026-12-31").adding(days: 1) == day("2027-01-01"))
    #expect(try day("2024-03-01").adding(days: -1) == day("2024-02-29"))
    #expect(try day("2026-01-31").adding(months: 1) == day("2026-02-28"))
    #expect(try day("2026-11-30").adding(months: 3) == day("2027-02-28"))
    #expect(try day("2026-01-15").adding(months: -1) == day("2025-12-15"))
    #expect(try day("9999-12-31").adding(days: 1) == nil)
    #expect(try day("0001-01-31").adding(months: -1) == nil)
    #expect(try day("2026-01-01").adding(days: .max) == nil)
    #expect(try day("2026-01-01").adding(months: .max) == nil)
  }
}
