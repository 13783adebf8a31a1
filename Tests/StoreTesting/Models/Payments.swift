package import Alter

/// Payments, in a version of the app that accepts any amount.
package struct Payments1: Journaled, Hashable {
  package enum Change: Hashable, Codable { case pay(Int), note(String) }

  package private(set) var total = 0
  package private(set) var notes: [String] = []

  package init() {}

  package mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .pay(let amount): total += amount
    case .note(let text): notes.append(text)
    }
  }
}

/// The same state, in a version that refuses more than 100 and has not raised the schema version.
package struct Payments2: Journaled, Hashable {
  package typealias Change = Payments1.Change

  package private(set) var total = 0
  package private(set) var notes: [String] = []

  package init() {}

  package mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .pay(let amount):
      guard amount <= 100 else { throw .custom("too much") }
      total += amount
    case .note(let text): notes.append(text)
    }
  }
}
