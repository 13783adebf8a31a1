#if SyncServer && Postgres && SQLite
  import Alter

  /// A payment of a device, which the server makes.
  struct Till: Journaled, Hashable {
    enum Change: Hashable, Codable, Sendable {
      case pay(cents: Int)
      case charging(RequestID)
      case paid(RequestID)
    }

    /// The payment that the server is to make.
    private(set) var payment: Requested<Int>?
    /// The payment of which the bank has been told.
    private(set) var charging: RequestID?
    /// The number of payments.
    private(set) var paid = 0

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .pay(let cents):
        guard payment == nil else { throw .custom("a payment is open") }
        payment = Requested(cents, stamp)
      case .charging(let id):
        guard payment?.id == id else { throw .custom("no such payment") }
        charging = id
      case .paid(let id):
        guard payment?.id == id else { throw .custom("no such payment") }
        (payment, charging) = (nil, nil)
        paid += 1
      }
    }
  }
#endif
