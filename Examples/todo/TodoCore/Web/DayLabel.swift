/// A day in words, relative to today: `tomorrow`, `Friday`, `3 days ago`, `24 Dec`.
public enum DayLabel {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The words for a day.
  ///
  /// - Parameters:
  ///   - day: The day.
  ///   - today: The user's current day; without it the text is the date.
  public static func text(_ day: Day, today: Day?) -> String {
    guard let today else { return day.description }
    switch day.number - today.number {
    case 0: return "today"
    case 1: return "tomorrow"
    case -1: return "yesterday"
    case 2...6: return day.weekday.name.capitalizedFirst
    case -13 ... -2: return "\(today.number - day.number) days ago"
    default: return "\(day.day) \(months[day.month - 1])" + (day.year == today.year ? "" : " \(day.year)")
    }
  }
}

extension String {
  /// The text with its first letter capitalised.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
