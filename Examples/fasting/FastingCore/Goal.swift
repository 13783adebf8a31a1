/// The duration of a fast, in whole hours: any from 1 to 168, which is a week.
///
/// Some have names. An app adds more with an extension: `static let twoDays: Goal = 48`.
public struct Goal: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// Sixteen hours.
  public static let sixteen: Goal = 16
  /// Eighteen hours.
  public static let eighteen: Goal = 18
  /// Twenty hours.
  public static let twenty: Goal = 20
  /// One meal a day: 23 hours, which leave one hour for the meal.
  public static let oneMealADay: Goal = 23

  /// The hours. A goal is stored as this number.
  public let rawValue: Int

  /// A goal of some hours; nil unless they are from 1 to 168. Stored data with other numbers does not decode.
  public init?(rawValue: Int) {
    guard (1...168).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// A goal in the source code, which must be from 1 to 168.
  public init(integerLiteral hours: Int) {
    precondition((1...168).contains(hours), "A goal is 1 to 168 hours, not \(hours).")
    rawValue = hours
  }

  /// A goal as a user writes it, `36` or `omad`; nil for any other text.
  public init?(_ text: String) {
    if text == "omad" { self = .oneMealADay } else if let hours = Int(text) { self.init(rawValue: hours) } else { return nil }
  }

  /// The duration in hours.
  public var hours: Int { rawValue }

  /// The hours as text: `18 hours`, `23 hours (one meal a day)`.
  public var description: String { (hours == 1 ? "1 hour" : "\(hours) hours") + (self == .oneMealADay ? " (one meal a day)" : "") }
}
