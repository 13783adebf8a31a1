public import Alter

/// The whole state of the app. In the logged-out state there is no seller, so the code can't read a name or a number by mistake.
public enum CookieState: Alterable, Hashable {
  case loggedOut
  case loggedIn(Seller)

  /// The changes of the state.
  public enum Change: Hashable, Sendable {
    case login(name: String, target: Int)
    case logout
    case seller(Seller.Change)
  }

  /// Makes the change. The `switch` has no `default`: a new state or a new change does not compile until its meaning is defined here.
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

/// A person who sells cookies, and the number sold.
public struct Seller: Alterable, Hashable {
  /// The changes of a seller.
  public enum Change: Hashable, Sendable { case sold(Int), target(Int) }

  /// The seller's name. No change alters it.
  public let name: String
  /// The number of cookies to sell.
  public private(set) var target: Int
  /// The number of cookies sold so far.
  public private(set) var sold = 0

  /// A seller who has not sold anything yet.
  public init(name: String, target: Int) { (self.name, self.target) = (name, target) }

  /// Makes the change. The seller refuses nothing.
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .sold(let count): sold += count
    case .target(let target): self.target = target
    }
  }
}
