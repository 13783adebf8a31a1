public import Alter

/// An order at one moment.
public struct Order: Identifiable, Hashable, Codable, Sendable {
  /// The number that the client has chosen. A repeated request has the same one.
  public let id: String
  /// The text of the order.
  public let text: String
  /// The payment.
  public internal(set) var payment = Payment.none
  /// The request to send the receipt; nil when it was sent.
  public internal(set) var mail: Requested<Order.ID>?
  /// The key of the receipt that was sent; nil before.
  public internal(set) var receipt: String?

  /// Creates a new order.
  public init(_ id: String, _ text: String) { (self.id, self.text) = (id, text) }
}

/// A shop and its orders. Each shop is a store of its own.
public struct Shop: Journaled, Hashable {
  /// The changes of a shop.
  public enum Change: Hashable, Codable, Sendable {
    case place(Order)
    case payment(Order.ID, Payment.Change)
    case receipt(RequestID, of: Order.ID)
  }

  /// The orders, oldest first.
  public private(set) var orders = IdentityArray<Order>()

  /// Creates a shop without orders.
  public init() {}

  /// Makes a change. An order is placed only once.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .place(var order):
      order.mail = Requested(order.id, stamp)
      try orders.add(order)
    case .payment(let id, let change):
      guard let order = orders[id: id] else { throw .missing(kind: "order", id: id) }
      let payment = try order.payment.altered(by: change, of: id, at: stamp)
      orders.modify(id: id) { $0.payment = payment }
    case .receipt(let request, let id):
      guard orders[id: id]?.mail?.id == request else { throw .missing(kind: "request for a receipt of order", id: id) }
      orders.modify(id: id) { ($0.mail, $0.receipt) = (nil, request.key("receipt")) }
    }
  }
}

/// The world outside of the service.
public struct World: Sendable {
  /// The answer of the bank.
  public enum Verdict: Sendable {
    case accepted
    case declined(String)
  }

  /// Sends a receipt. The key is the same when the receipt is sent again after a crash, so that the mail service can ignore it.
  public var send: @Sendable (_ order: Order.ID, _ key: String) async throws -> Void

  /// Charges a sum. The bank must remember the key, and give the same verdict for a charge that is repeated under it. A call without a verdict
  /// throws.
  public var charge: @Sendable (_ charge: Charge, _ key: String) async throws -> Verdict

  /// Creates a world.
  public init(
    send: @escaping @Sendable (_ order: Order.ID, _ key: String) async throws -> Void = { _, _ in },
    charge: @escaping @Sendable (_ charge: Charge, _ key: String) async throws -> Verdict = { _, _ in .accepted }
  ) {
    (self.send, self.charge) = (send, charge)
  }
}

extension Feedback<Shop, World> {
  /// Sends a receipt for each order. One process at a time does it for a shop, under a lease. The mail service never forgets a key, so a receipt
  /// is sent however late.
  public static let receipts = Feedback("receipts", each: \.orders, request: \.mail) { request, world in
    try await world.send(request.value, request.id.key("receipt"))
    return .receipt(request.id, of: request.value)
  }.attempts(within: nil)
}
