import Alter
import ArgumentParser
import TodoCore
import _AlterTerminal

/// The options for the filter and the order of items.
struct Filters: ParsableArguments {
  @Flag(help: "Only open items.")
  var open = false

  @Flag(help: "Only done items.")
  var done = false

  @Flag(help: "Only open items that were due before today.")
  var overdue = false

  @Option(
    name: .customLong("tag"), help: "Only items with this tag: home means @home and +home. May be repeated: all of them.",
    transform: Words.tagToFind)
  var tags: [String] = []

  @Option(
    help: "Only items due before this day, as in 2026-12-01, fri or +7d.", transform: Words.day)
  var dueBefore: Day?

  @Option(help: "Only items due after this day.", transform: Words.day)
  var dueAfter: Day?

  @Option(help: "Only items with this text, in any case. May be repeated: all of them.")
  var text: [String] = []

  @Option(
    help: """
      The order: \(ItemQuery.Order.allCases.map(\.rawValue).joined(separator: ", ")). Items without such a value come last. \
      'list' is the list's own order: 'todo move' changes it. By default 'search' shows the best match first, and 'list' the list's order.
      """,
    completion: .list(ItemQuery.Order.allCases.map(\.rawValue)), transform: Filters.order)
  var sort: ItemQuery.Order?

  /// The filters of a command line without any.
  static var standard: Filters {
    var filters = Filters()
    (filters.open, filters.done, filters.overdue) = (false, false, false)
    (filters.tags, filters.text) = ([], [])
    (filters.dueBefore, filters.dueAfter) = (nil, nil)
    filters.sort = nil
    return filters
  }

  func validate() throws {
    if open, done { throw ValidationError("--open and --done leave nothing to show; give one of them") }
    if done, overdue { throw ValidationError("--done and --overdue leave nothing to show: a done item is never overdue") }
  }

  func query() -> ItemQuery {
    var query = ItemQuery()
    query.status = open ? .open : done ? .done : nil
    query.isOverdue = overdue
    query.tags = tags
    query.dueBefore = dueBefore
    query.dueAfter = dueAfter
    query.words = text
    query.order = sort ?? .list
    return query
  }

  private static func order(_ text: String) throws -> ItemQuery.Order {
    guard let order = ItemQuery.Order(rawValue: text.lowercased()) else {
      throw ValidationError(
        "‘\(text.printable)’ is not an order; the orders are \(ItemQuery.Order.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return order
  }
}
