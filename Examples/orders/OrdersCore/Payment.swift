public import Alter

/// The sum to charge for an order.
public struct Charge: Hashable, Codable, Sendable {
  /// The order.
  public let order: Order.ID
  /// The sum in cents.
  public let cents: Int
}

/// The payment of an order at one moment. Its request has an id of its own, which each answer names.
public enum Payment: Hashable, Codable, Sendable {
  /// Nothing was paid, and nothing is asked.
  case none
  /// The bank is to charge the sum.
  case wanted(Requested<Charge>)
  /// The bank is being asked, and may have charged the sum. An undo is refused from here on.
  case charging(Requested<Charge>)
  /// The bank has given no answer for so long that it may have forgotten the key. The request is kept, so that it can be made again.
  case unclear(Requested<Charge>)
  /// The bank has charged the sum.
  case paid(RequestID)
  /// The bank has refused, for this reason.
  case declined(String)

  /// The changes of a payment.
  public enum Change: Hashable, Codable, Sendable {
    /// The customer pays this sum.
    case pay(cents: Int)
    /// The bank is about to be asked.
    case charging(RequestID)
    /// The bank has charged the sum.
    case paid(RequestID)
    /// The bank has refused, for this reason.
    case declined(RequestID, String)
    /// No further attempt is made.
    case unclear(RequestID)
    /// The bank remembers the key: the same request is made again.
    case checkAgain
  }

  /// The open request; nil if there is none.
  public var request: Requested<Charge>? {
    switch self {
    case .wanted(let request), .charging(let request): request
    case .none, .unclear, .paid, .declined: nil
    }
  }

  /// The payment after a change. A second payment is refused while one is open, unclear or made, and so is an answer without its request.
  ///
  /// - Throws: `Refusal.illegal`.
  func altered(by change: Change, of order: Order.ID, at stamp: Stamp) throws(Refusal) -> Payment {
    switch (self, change) {
    case (.none, .pay(let cents)), (.declined, .pay(let cents)): return .wanted(Requested(Charge(order: order, cents: cents), stamp))
    case (.unclear(let request), .checkAgain): return .wanted(request)
    case (.wanted(let request), let answer), (.charging(let request), let answer):
      switch answer {
      // Also before a later attempt of the same request.
      case .charging(request.id): return .charging(request)
      case .paid(request.id): return .paid(request.id)
      case .declined(request.id, let why): return .declined(why)
      case .unclear(request.id): return .unclear(request)
      default: break
      }
    default: break
    }
    throw .illegal(from: "\(self)", change: "\(change)")
  }
}

extension Feedback<Shop, World> {
  /// Charges each payment once. All attempts have one key, also after a crash and in another process.
  public static let payments = Feedback("payments", each: \.orders, request: \.payment.request) { request, world, effect in
    let order = request.value.order
    // In the journal before the bank is asked: from here on an undo is refused.
    try await effect.send(.payment(order, .charging(request.id)))
    switch try await world.charge(request.value, request.id.key("charge")) {
    case .accepted: return .payment(order, .paid(request.id))
    case .declined(let why): return .payment(order, .declined(request.id, why))
    }
  } unclear: { request, _ in
    .payment(request.value.order, .unclear(request.id))
  }
}
