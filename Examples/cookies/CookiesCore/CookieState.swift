#if Macros
  public import Alter

  // The seller comes first: the compiler then knows its conformance when it reads the state, which nests it.

  /// A person who sells cookies, and the number sold.
  @Alterable public struct Seller: Hashable {
    /// The seller's name. No change alters it.
    @Fixed public let name: String
    /// The number of cookies to sell.
    public let target: Int
    /// The number of cookies sold so far.
    @Fixed @Default(0) public private(set) var sold: Int

    /// The changes of a seller, besides the target.
    @Wire public enum OwnChange: Hashable { case sold(Int) }

    private mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .sold(let count):
        guard (1...1_000_000).contains(count) else { throw .custom("A sale is 1 to 1000000 cookies.") }
        sold += count
      }
    }
  }

  /// The whole state of the app. In the logged-out state there is no seller, so the code can't read a name or a number by mistake.
  ///
  /// A login when logged in, and a logout when logged out, do nothing. A sale when logged out is refused.
  @Alterable public enum CookieState: Hashable {
    case loggedOut
    @Nested case loggedIn(Seller)

    /// The changes of the state, besides those of the seller.
    @Wire public enum OwnChange: Hashable {
      @Ignored(in: CookieState.loggedIn) case login(name: String, target: Int)
      @Ignored(in: CookieState.loggedOut) case logout
    }

    private mutating func apply(_ step: Step, at stamp: Stamp) {
      switch step {
      case .loggedOut(.login(let name, let target)): self = .loggedIn(Seller(name: name, target: target))
      case .loggedIn(_, .logout): self = .loggedOut
      }
    }
  }

  extension CookieState {
    /// One change of each kind.
    public static let changes: [Change] = [.login(name: "Ann", target: 50), .logout, .seller(.sold(1))]
  }
#endif
