#if Macros
  import Alter

  // The fourth article: states that exclude each other, and a screen whose own transitions are not symmetrical.

  // lines: cookie app
  struct Seller: Journaled, Hashable {
    enum Change: Hashable, Codable { case sell(Int) }
    let name: String
    private(set) var sold = 0

    init(name: String) { self.name = name }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .sell(let cookies): sold += cookies
      }
    }
  }

  @Alterable enum CookieState: Hashable {
    case loggedOut
    @Nested case loggedIn(Seller)  // .seller(.sell(3)), refused when logged out

    @Wire enum OwnChange: Hashable {
      @Ignored(in: CookieState.loggedIn) case logIn(name: String)
      @Ignored(in: CookieState.loggedOut) case logOut
    }

    mutating func apply(_ step: Step, at stamp: Stamp) {
      switch step {
      case .loggedOut(.logIn(let name)): self = .loggedIn(Seller(name: name))
      case .loggedIn(_, .logOut): self = .loggedOut
      }
    }
  }

  enum CookieViewModel: Hashable {
    case welcome(button: String)
    case counter(title: String, buttons: [String])

    init(_ state: CookieState) {
      switch state {
      case .loggedOut: self = .welcome(button: "Log in")
      case .loggedIn(let seller): self = .counter(title: "\(seller.name) sold \(seller.sold)", buttons: ["Sell", "Log out"])
      }
    }
  }

  @MainActor final class CookieController {
    private(set) var screen: [String] = []
    private var binding: ViewBinding?

    init(_ store: Store<CookieState>) {
      binding = store.bind(CookieViewModel.init) { [weak self] old, new in self?.show(new, after: old) }
    }

    /// The way in is not the way out: the counter flies in and fades out, and a change of its title moves nothing.
    private func show(_ new: CookieViewModel, after old: CookieViewModel?) {
      switch (old, new) {
      case (nil, _): screen.append("show \(new)")
      case (.welcome, .counter(let title, _)): screen.append("fly in: \(title)")
      case (.counter, .counter(let title, _)): screen.append("title: \(title)")
      case (.counter, .welcome): screen.append("fade out")
      case (.welcome, .welcome): break
      }
    }
  }
  // end

  @MainActor func exclusiveStates() throws {
    let store = Store(CookieState.loggedOut)
    let controller = CookieController(store)
    try store.change(.logIn(name: "Emma"))
    try store.change(.seller(.sell(3)))
    try store.change(.logIn(name: "Liz"))  // makes no sense: nothing happens
    try store.change(.logOut)
    if (try? store.change(.seller(.sell(1)))) == nil { print("nobody sells when logged out") }
    for line in controller.screen { print(line) }
  }
#endif
