import Alter
import AlterCore

/// A payment that a device asks for and the server makes, a document that the server stores, and notes.
package struct Till: Journaled, Hashable {
  package enum Change: Hashable, Codable {
    case pay(Int), charging(RequestID), paid(RequestID)
    case write(Int), stored(Int), note(String)
  }
  package typealias Failure = Refusal

  package private(set) var payment: Requested<Int>?
  package private(set) var charging: RequestID?
  package private(set) var paid: [RequestID] = []
  package private(set) var document = 0
  package private(set) var stored = 0
  package private(set) var notes: [String] = []

  package init() {}

  package mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .pay(let amount):
      guard payment == nil else { throw .custom("a payment is open") }
      payment = Requested(amount, stamp)
    case .charging(let id):
      guard payment?.id == id else { throw .custom("no such payment") }
      charging = id
    case .paid(let id):
      guard payment?.id == id else { throw .custom("no such payment") }
      (payment, charging) = (nil, nil)
      paid.append(id)
    case .write(let document): self.document = document
    case .stored(let document): stored = document
    case .note(let text): notes.append(text)
    }
  }
}

extension Feedback where State == Till {
  /// Pays, and tells the journal before.
  ///
  /// - Parameter charge: Charges an amount under a key.
  package static func charge(_ charge: @escaping @Sendable (Environment, Int, _ key: String) async throws -> Void) -> Feedback {
    Feedback("charge", request: \.payment) { payment, bank, effect in
      try await effect.send(.charging(payment.id))
      try await charge(bank, payment.value, payment.id.key("charge"))
      return .paid(payment.id)
    }
  }
}
