import AlterCore
import AlterJournal

/// The state of the simulation: a few accounts. Some of its changes are refused after they have modified the state.
struct Bank: Journaled, Hashable {
  enum Change: Hashable, Codable {
    case deposit(Int, Int)
    case withdraw(Int, Int)
    case transfer(Int, Int, Int)
    case touch
    /// Takes the ticket with this number. Of two stores that want the same ticket, the second is refused.
    case claim(Int)
  }
  typealias Failure = Refusal

  static let accounts = 3
  static let limit = 12

  /// Whether changes are refused before they modify the state. Set it to search for faults other than partial changes.
  nonisolated(unsafe) static var refusesFirst = false

  private(set) var balances = Array(repeating: 4, count: accounts)
  private(set) var tickets = 0
  /// The number of changes so far. It makes most states differ.
  private(set) var count = 0

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    if Self.refusesFirst {
      var copy = self
      try copy.make(change)
      self = copy
    } else {
      try make(change)
    }
  }

  private mutating func make(_ change: Change) throws(Refusal) {
    count += 1
    switch change {
    case .deposit(let account, let amount):
      balances[account] += amount
      guard balances[account] <= Self.limit else { throw .illegal(from: "\(balances[account])", change: "deposit") }
    case .withdraw(let account, let amount):
      balances[account] -= amount
      guard balances[account] >= 0 else { throw .illegal(from: "\(balances[account])", change: "withdraw") }
    case .transfer(let from, let to, let amount):
      try make(.withdraw(from, amount))
      try make(.deposit(to, amount))
    case .touch: break
    case .claim(let number):
      tickets += 1
      guard tickets == number else { throw .illegal(from: "\(tickets)", change: "claim") }
    }
  }
}

extension Bank.Change {
  /// A random change of one of the first accounts.
  static func random(accounts: Int, using random: inout some RandomNumberGenerator) -> Bank.Change {
    let account = Int.random(in: 0..<accounts, using: &random)
    let amount = Int.random(in: 1...5, using: &random)
    return switch Int.random(in: 0..<8, using: &random) {
    case 0...2: .deposit(account, amount)
    case 3...4: .withdraw(account, amount)
    case 5...6: .transfer(account, (account + 1) % Bank.accounts, amount)
    default: .touch
    }
  }
}
