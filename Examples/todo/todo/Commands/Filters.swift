import Alter
import AlterTerminal
import ArgumentParser
import TodoCore

/// The options for the filter and the order of items.
struct Filters: ParsableArguments {
  @Flag(help: "Only what is not done.")
  var open = false

  @Flag(help: "Only what is done.")
  var done = false

  @Flag(help: "Only what is not done and was due before today.")
  var overdue = false

  @Option(
    name: .customLong("tag"), help: "Only what has this tag: home means @home and +home. May be repeated: all of them.",
    completion: Completions.tags, transform: Words.tagToFind)
  var tags: [String] = []

  @Option(
    help: "Only what is due before this day, as in 2026-12-01, fri or +7d.", completion: .list(Completions.days), transform: Words.day)
  var dueBefore: Day?

  @Option(help: "Only what is due after this day.", completion: .list(Completions.days), transform: Words.day)
  var dueAfter: Day?

  @Option(help: "Only what contains this text, whatever the case. May be repeated: all of them.")
  var text: [String] = []

  @Option(
    help: "In this order: \(ItemQuery.Order.allCases.map(\.rawValue).joined(separator: ", ")). What has none comes last.",
    completion: .list(ItemQuery.Order.allCases.map(\.rawValue)), transform: Filters.order)
  var sort = ItemQuery.Order.list

  func validate() throws {
    if open, done { throw ValidationError("--open and --done leave nothing to show; give one of them") }
    if done, overdue { throw ValidationError("--done and --overdue leave nothing to show: what is done is never overdue") }
  }

  func query() -> ItemQuery {
    var query = ItemQuery()
    query.status = open ? .open : done ? .done : nil
    query.isOverdue = overdue
    query.tags = tags
    query.dueBefore = dueBefore
    query.dueAfter = dueAfter
    query.words = text
    query.order = sort
    return query
  }

  private static func order(_ text: String) throws -> ItemQuery.Order {
    guard let order = ItemQuery.Order(rawValue: text.lowercased()) else {
      throw ValidationError(
        "‘\(text.printable)’ is no order; it is one of \(ItemQuery.Order.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return order
  }
}
