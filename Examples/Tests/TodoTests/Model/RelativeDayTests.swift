import Testing
import TodoCore

@Suite("A day as people write it") struct RelativeDayTests {
  // A Saturday.
  private let today = Day("2026-11-21")

  @Test(
    "is seen from today",
    arguments: [
      ("2026-12-01", "2026-12-01"), ("today", "2026-11-21"), ("Tomorrow", "2026-11-22"), (" yesterday ", "2026-11-20"),
      ("fri", "2026-11-27"), ("sat", "2026-11-28"), ("Sunday", "2026-11-22"), ("thurs", "2026-11-26"), ("+3d", "2026-11-24"),
      ("-3d", "2026-11-18"), ("+2w", "2026-12-05"), ("+1m", "2026-12-21"), ("+1y", "2027-11-21"), ("+0d", "2026-11-21"),
      ("next week", "2026-11-23"), ("next-week", "2026-11-23"), ("Next  Month", "2026-12-01"),
    ])
  func day(text: String, expected: String) throws {
    #expect(try RelativeDay.day(text, today: #require(today)).description == expected)
  }

  @Test("and a weekday is never today, nor farther than a week, whatever day it is") func weekdays() throws {
    for offset in 0..<7 {
      let today = try #require(self.today?.adding(days: offset))
      for weekday in Weekday.allCases {
        let day = try RelativeDay.day(weekday.name, today: today)
        #expect(day.weekday == weekday && today < day)
        #expect(try day <= #require(today.adding(days: 7)))
      }
    }
    let sunday = try #require(Day("2026-11-22"))
    #expect(try RelativeDay.day("next week", today: sunday).description == "2026-11-23")
    let monday = try #require(Day("2026-11-23"))
    #expect(try RelativeDay.day("next week", today: monday).description == "2026-11-30")
  }

  @Test("is refused when it means none, and the error says how to write one") func problems() throws {
    let today = try #require(today)
    for text in ["", "soon", "fr", "3d", "+d", "+3", "+3x", "++3d", "friday night", "2026-1-1", "+-3d", "+3.5d"] {
      #expect(throws: RelativeDay.Problem.unknown(text)) { try RelativeDay.day(text, today: today) }
    }
    #expect(throws: RelativeDay.Problem.impossible("2026-02-30")) { try RelativeDay.day("2026-02-30", today: today) }
    for text in ["+9999y", "-2027y", "+99999999999999999999d", "+9223372036854775807w"] {
      #expect(throws: RelativeDay.Problem.outOfRange(text)) { try RelativeDay.day(text, today: today) }
    }
    #expect(RelativeDay.Problem.unknown("soon").description.hasPrefix("‘soon’ is not a day; write it as in 2026-12-01, or today, "))
    #expect(RelativeDay.Problem.impossible("2026-02-30").description == "‘2026-02-30’ is not a day of the calendar")
    #expect(RelativeDay.Problem.outOfRange("+9999y").description == "‘+9999y’ is beyond the years 1 to 9999")
  }
}
