import Alter
import AlterTesting
import Foundation

/// Money, with a bug: the model checks that there is some, but not that there is enough.
struct Purse: Alterable, Hashable, Codable {
  struct Shop: Hashable, Codable {
    let id: UUID
    let name: String
    let since: Date?
  }

  enum Change: Hashable, Codable {
    case earn(Int)
    case pay(Int, to: Shop?)
    case note(String)
    case close
  }

  enum Failure: Error, Hashable { case empty, closed }

  private(set) var money = 0
  private(set) var notes: [String] = []
  private(set) var isClosed = false

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Failure) {
    if isClosed { throw .closed }
    switch change {
    case .earn(let amount): money += amount
    case .pay(let amount, _):
      if money == 0 { throw .empty }
      money -= amount
    case .note(let text): notes.append(text)
    case .close: isClosed = true
    }
  }

  static let shops = [
    Shop(
      id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), name: "A \"good\" one\\\n",
      since: Date(timeIntervalSinceReferenceDate: 0.1)),
    Shop(id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17)), name: "Käse & 🧀", since: nil),
  ]

  static let properties = ChangeProperties(of: Purse()) { purse, random in
    switch random.below(20) {
    case 0..<8: .earn(random.below(20))
    case 8..<15: .pay(random.below(20), to: random.below(3) == 0 ? nil : random.pick(shops))
    case 15..<19: .note("note \(random.below(5))")
    default: .close
    }
  }
  .rule("only notes are noted") { before, change, after in
    if case .note = change { true } else { before.notes == after.notes }
  }

  static let neverInDebt = properties.invariant("the purse is never in debt") { $0.money >= 0 }
}
