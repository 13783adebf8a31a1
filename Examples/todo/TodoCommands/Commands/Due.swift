import Alter
import ArgumentParser
import TodoCore

/// `todo due`
struct Due: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "due", abstract: "Set the due day of an item, or remove it.",
    discussion: Help.text(
      "A weekday is the next one after today. With none, the due: words in the text are removed, too.",
      examples: "todo due 1 2026-12-01", "todo due 1 tomorrow", "todo due 2 fri", "todo due 2 +3d", "todo due 3 next week",
      "todo due 3 none"))

  @OptionGroup var store: StoreLocation
  @OptionGroup var output: OutputOptions
  @OptionGroup var item: OneItem

  @Argument(
    help: "2026-12-01, today, tomorrow, yesterday, mon to sun, +3d, +2w, +1m, +1y, next week, next month, or none.")
  var day: [String]

  mutating func run() async throws {
    let day: Day?
    do { day = try Words.orNone(self.day.joined(separator: " "), Words.day) } catch { throw CommandError(.usage, "\(error)") }
    try await ItemEdit(location: store, output: output, action: "due")([item.name]) { item, number, _ in
      guard try day != item.due || item.changes(due: day).count > 1 else {
        return .leave(why: day.map { "is due \($0) already" } ?? "is due on no particular day already")
      }
      return .make(
        try item.changes(due: day).map { .item(item.id, $0) }, saying: "\(number) is due \(day?.description ?? "on no particular day")")
    }
  }
}
