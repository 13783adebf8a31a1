public import Alter

/// All that the app knows. Logged out there is no seller, and so no name and no number that somebody could look at by mistake.
public enum CookieState: Alterable, Hashable {
  case loggedOut
  case loggedIn(Seller)

  /// What can happen.
  public enum Change: Hashable, Sendable {
    case login(name: String, target: Int)
    case logout
    case seller(Seller.Change)
  }

  /// Makes the change. There is no `default`: another state, or another change, does not compile before somebody has said here what it means.
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch (self, change) {
    case (.loggedOut, .login(let name, let target)): self = .loggedIn(Seller(name: name, target: target))
    case (.loggedOut, .logout), (.loggedOut, .seller): break
    case (.loggedIn, .login): break  // Whoever is logged in stays so: another must wait for the logout.
    case (.loggedIn, .logout): self = .loggedOut
    case (.loggedIn(var seller), .seller(let change)):
      seller.apply(change, at: stamp)
      self = .loggedIn(seller)
    }
  }
}

/// Who sells cookies, and how it goes.
public struct Seller: Alterable, Hashable {
  /// What can happen to a seller.
  public enum Change: Hashable, Sendable { case sold(Int), target(Int) }

  /// Who it is.
  public let name: String
  /// How many cookies are to be sold.
  public private(set) var target: Int
  /// How many are.
  public private(set) var sold = 0

  /// Somebody who has not sold anything yet.
  public init(name: String, target: Int) { (self.name, self.target) = (name, target) }

  /// Makes the change. None is refused.
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .sold(let count): sold += count
    case .target(let target): self.target = target
    }
  }
}
