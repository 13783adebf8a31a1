public import Alter
public import AlterRows
public import GRDB

// A report in SQL over two tables of a shop. The tables are rows of the state, so that no code keeps them up to date.
extension Shop {
  /// The orders, and the payment of each.
  @RowTableBuilder<Shop>
  public static func tables() -> [RowTable<Shop>] {
    RowTable("orders", each: \.orders, columns: ["text", "receipt"])
    // The stored form of a payment is an object of its case. A function makes the columns that the report needs.
    RowTable("payment", columns: ["order", "status", "cents"], index: [["status"]]) { shop in
      shop.orders.map { order in [.text(order.id), .text(order.payment.word), order.payment.openCents.map { .int($0) } ?? .null] }
    }
  }
}

extension Payment {
  /// The name of the state.
  public var word: String {
    switch self {
    case .none: "none"
    case .wanted: "wanted"
    case .charging: "charging"
    case .unclear: "unclear"
    case .paid: "paid"
    case .declined: "declined"
    }
  }

  /// The sum that the bank has not answered for; nil if there is none.
  var openCents: Int? {
    switch self {
    case .wanted(let request), .charging(let request), .unclear(let request): request.value.cents
    case .none, .paid, .declined: nil
    }
  }
}

/// A line of a shop's report: the orders whose payments have one status.
public struct ReportLine: Codable, FetchableRecord, Hashable, Sendable, CustomStringConvertible {
  /// The status of the payments.
  public let status: String
  /// The number of orders.
  public let orders: Int
  /// The number of those whose receipt was sent.
  public let receipts: Int
  /// The sum in cents that the bank has not answered for.
  public let openCents: Int

  /// The line as text.
  public var description: String { "\(status): \(orders) orders, \(receipts) receipts, \(openCents) cents open" }

  /// Reads the report of a database with ``Shop/tables()``.
  public static func all(in database: Database) throws -> [ReportLine] {
    try fetchAll(
      database,
      sql: """
        SELECT status, count(*) AS orders, count(receipt) AS receipts, coalesce(sum(cents), 0) AS openCents
        FROM payment JOIN orders ON orders.id = payment."order" GROUP BY status ORDER BY orders DESC, status
        """)
  }
}

extension Store<Shop> {
  /// The report of the present state. A service that reports often keeps `Rows` in a database of its own instead.
  ///
  /// - Complexity: O(orders · log orders).
  public func report() async throws -> [ReportLine] {
    let rows = try await Rows(of: self, in: DatabaseQueue(), version: 1, tables: Shop.tables)
    let lines = try await rows.read { try ReportLine.all(in: $0) }
    await rows.close()
    return lines
  }
}
