// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Alter

// The model of the guide "Layers and injection": a core in a library of its own.

/// An account.
public struct Account: Identifiable, Hashable, Codable, Sendable, Alterable {
  public enum Change: Hashable, Codable, Sendable { case deposit(Int), withdraw(Int) }

  public let id: String
  public private(set) var balance = 0  // readable everywhere, set by `apply` alone

  public init(id: String) { self.id = id }

  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .deposit(let amount): balance += amount
    case .withdraw(let amount):
      guard amount <= balance else { throw .custom("Account '\(id)' has \(balance).") }
      balance -= amount
    }
  }
}
