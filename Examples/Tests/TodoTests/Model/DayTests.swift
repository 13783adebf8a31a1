import Testing
import TodoCore

@Suite("A day") struct DayTests {
  @Test("is written as year, month and day", arguments: ["0001-01-01", "2024-02-29", "2000-02-29", "2026-12-31", "9999-12-31"])
  func roundTrip(text: String) throws {
    #expect(try #require(Day(text)).description == text)
  }

  @Test(
    "is a day that the calendar has, in exactly one form",
    arguments: [
      "2026-02-29", "1900-02-29", "2026-02-30", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-32", "0000-01-01",
      "", "2026-1-1", "2026-01-01 ", "+026-01-01", "2026/01/01", "２026-01-01", "20260-01-1", "2026-01-0x",
    ])
  func refused(text: String) {
    #expect(Day(text) == nil)
  }

  @Test("comes before a later one") func order() throws {
    let days = try ["2026-12-01", "2025-12-31", "2026-01-31", "2026-11-30"].map { try #require(Day($0)) }
    #expect(days.sorted().map(\.description) == ["2025-12-31", "2026-01-31", "2026-11-30", "2026-12-01"])
  }

  @Test("has no extremes that trap", arguments: [Int.min, -1, 0, 13, Int.max])
  func extremes(number: Int) {
    #expect(Day(year: number, month: 1, day: 1) == nil || (1...9999).contains(number))
    #expect(Day(year: 2026, month: number, day: 1) == nil)
    #expect(Day(year: 2026, month: 1, day: number) == nil || (1...31).contains(number))
  }
}
