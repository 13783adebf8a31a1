package import Alter

/// A build of an app that accepts payments of any amount.
package enum LenientBuild {
  package struct Payments: Journaled, Hashable {
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
}

/// A later build, which refuses more than 100 and has not raised the schema version. The name of the state stays, so that the builds use each
/// other's snapshots.
package enum StrictBuild {
  package struct Payments: Journaled, Hashable {
    package typealias Change = LenientBuild.Payments.Change

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
}

package typealias Payments1 = LenientBuild.Payments
package typealias Payments2 = StrictBuild.Payments
