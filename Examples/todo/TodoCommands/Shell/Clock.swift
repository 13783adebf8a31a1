import Alter
import TodoCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The user's current day and time. Only the shell reads the clock, because a change must give the same result everywhere.
package enum Clock {
  /// Today.
  package static func today() -> Day? { parts(of: time(nil)).day }

  /// The local date and time of a stamp, as in `2026-11-21 09:30:00`.
  static func text(of stamp: Stamp) -> String { text(of: stamp.time) }

  /// The local date and time of a `Date`.
  static func text(of date: Date) -> String { text(of: date.microseconds) }

  /// The local time of a moment in microseconds since 1970 UTC, as in `09:30`; with the date if that is not today.
  package static func moment(_ microseconds: Int64) -> String {
    let (day, time) = parts(of: time_t(microseconds / 1_000_000))
    let short = String(time.prefix(5))
    return day == today() ? short : "\(day?.description ?? "????-??-??") \(short)"
  }

  private static func text(of microseconds: Int64) -> String {
    let (day, time) = parts(of: time_t(microseconds / 1_000_000))
    return "\(day?.description ?? "????-??-??") \(time)"
  }

  private static func parts(of seconds: time_t) -> (day: Day?, time: String) {
    var seconds = seconds
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return (nil, "??:??:??") }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return (
      Day(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday)),
      "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    )
  }
}
