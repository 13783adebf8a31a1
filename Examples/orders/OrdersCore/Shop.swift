public import Alter

/// An order at one moment.
public struct Order: Identifiable, Hashable, Codable, Sendable {
  /// The number that the client has chosen. A repeated request has the same one.
  public let id: String
  /// The text of the order.
  public let text: String
  /// The key of the receipt that was sent; nil before.
  public internal(set) var receipt: String?

  /// Creates a new order.
  public init(_ id: String, _ text: String) { (self.id, self.text) = (id, text) }
}

/// A shop and its orders. Each shop is a store of its own.
public struct Shop: Journaled, Hashable {
  /// The changes of a shop.
  public enum Change: Hashable, Codable, Sendable { case place(Order), receipt(Order.ID, key: String) }

  /// The orders, oldest first.
  public private(set) var orders = IdentityArray<Order>()

  /// Creates a shop without orders.
  public init() {}

  /// Makes a change. An order is placed only once.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .place(let order): try orders.insert(order)
    case .receipt(let id, let key):
      guard orders.modify(id: id, { $0.receipt = key }) != nil else { throw .missing(kind: "order", id: id) }
    }
  }
}

/// The world outside of the service.
public struct World: Sendable {
  /// Sends a receipt. The key is the same when the receipt is sent again after a crash, so that the mail service can ignore it.
  public var send: @Sendable (_ order: Order, _ key: IdempotencyKey) async -> Void

  /// Creates a world.
  public init(send: @escaping @Sendable (_ order: Order, _ key: IdempotencyKey) async -> Void) { self.send = send }
}

extension Feedback<Shop, World> {
  /// Sends a receipt for each order. One process at a time does it for a shop, under a lease.
  public static let receipts = Feedback("receipts", each: \.orders, where: { $0.receipt == nil }) { order, world, effect in
    await world.send(order, effect.key)
    return .receipt(order.id, key: effect.key.description)
  }
}
