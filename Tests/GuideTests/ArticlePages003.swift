#if Macros
  import Alter
  import Testing

  /// The page "Article: states that exclude each other".
  enum ArticlePages003 {
    /// The article's shape in plain Swift, without Alter.
    enum Shape {
      struct Member: Equatable {
        let name: String
        let points: Int
      }

      // snippet: article-003-shape-session
      enum Session: Equatable {
        case signedOut
        case signedIn(Member)

        enum Change { case signIn(name: String), collect(Int), signOut }

        func alter(_ change: Change) -> Session {
          switch (self, change) {
          case (.signedOut, .signIn(let name)): .signedIn(Member(name: name, points: 0))
          case (.signedIn(let member), .collect(let points)): .signedIn(Member(name: member.name, points: member.points + points))
          case (.signedIn, .signOut): .signedOut
          case (.signedOut, .collect), (.signedOut, .signOut), (.signedIn, .signIn): self  // makes no sense: nothing happens
          }
        }
      }
      // end

      struct Box: Equatable { let id: Int, cookies: Int }
      // snippet: article-003-shape-levels
      struct Shelf: Equatable {
        let id: Int
        let boxes: [Box]

        func altering(box id: Int, _ alter: (Box) -> Box) -> Shelf {
          Shelf(id: self.id, boxes: boxes.map { $0.id == id ? alter($0) : $0 })
        }
      }
      // end
      struct Shop: Equatable {
        let id: Int
        let shelves: [Shelf]

        func altering(shelf id: Int, _ alter: (Shelf) -> Shelf) -> Shop {
          Shop(id: self.id, shelves: shelves.map { $0.id == id ? alter($0) : $0 })
        }
      }
      struct Region: Equatable {
        let id: Int
        let shops: [Shop]

        func altering(shop id: Int, _ alter: (Shop) -> Shop) -> Region {
          Region(id: self.id, shops: shops.map { $0.id == id ? alter($0) : $0 })
        }
      }
      struct Chain: Equatable {
        let regions: [Region]

        func altering(region id: Int, _ alter: (Region) -> Region) -> Chain {
          Chain(regions: regions.map { $0.id == id ? alter($0) : $0 })
        }
      }
    }

    // snippet: article-003-session
    struct Member: Journaled, Hashable {
      enum Change: Hashable, Codable { case collect(Int) }

      let name: String
      private(set) var points = 0

      init(name: String) { self.name = name }

      mutating func apply(_ change: Change, at stamp: Stamp) {
        switch change {
        case .collect(let points): self.points += points
        }
      }
    }

    @Alterable enum Session: Hashable {
      case signedOut
      @Nested case signedIn(Member)  // .member(.collect(3)), refused when signed out

      @Wire enum OwnChange: Hashable {
        @Refused(in: Session.signedIn) case signIn(name: String)
        @Ignored(in: Session.signedOut) case signOut
      }

      mutating func apply(_ step: Step, at stamp: Stamp) {
        switch step {
        case .signedOut(.signIn(let name)): self = .signedIn(Member(name: name))
        case .signedIn(_, .signOut): self = .signedOut
        }
      }
    }
    // end

    // snippet: article-003-screen
    struct SessionScreen: Hashable {
      let title: String
      let buttons: [String]

      init(_ session: Session) {
        switch session {
        case .signedOut: (title, buttons) = ("Welcome", ["Sign in"])
        case .signedIn(let member): (title, buttons) = ("\(member.name), \(member.points) points", ["Collect", "Sign out"])
        }
      }
    }
    // end

    // snippet: article-003-levels
    @Alterable struct Box: Identifiable, Hashable {
      let id: Int
      @Default(0) let cookies: Int
    }

    @Alterable struct Shelf: Identifiable, Hashable {
      let id: Int
      @Each let boxes: IdentityArray<Box>
    }
    // end

    @Alterable struct Shop: Identifiable, Hashable {
      let id: Int
      @Each let shelves: IdentityArray<Shelf>
    }

    @Alterable struct Region: Identifiable, Hashable {
      let id: Int
      @Each let shops: IdentityArray<Shop>
    }

    @Alterable struct Chain: Hashable {
      @Each let regions: IdentityArray<Region>
    }

    @Alterable enum Business: Hashable {
      case closed
      @Nested case open(Chain)

      @Wire enum OwnChange: Hashable {
        @Ignored(in: Business.closed) case close
      }

      mutating func apply(_ step: Step, at stamp: Stamp) {
        switch step {
        case .open(_, .close): self = .closed
        }
      }
    }

    @Suite("The article page on exclusive states")
    struct ArticleExclusiveStatesTests {
      @Test("keeps states apart in the article's shape and in ours")
      func session() throws {
        plain()
        // snippet: article-003-calls
        let ada = try Session.signedOut.alter(.signIn(name: "Ada"), .member(.collect(3)))
        #expect(try Session.signedOut.alter(.signOut) == .signedOut)
        #expect(throws: Refusal.self) { try Session.signedOut.alter(.member(.collect(3))) }
        #expect(throws: Refusal.illegal(from: "signedIn", change: "signIn")) { try ada.alter(.signIn(name: "Bob")) }
        // end
        #expect(ada == .signedIn(Member(name: "Ada").alter(.collect(3))))
        #expect(try ada.alter(.signOut) == .signedOut)

        // snippet: article-003-screen-test
        #expect(SessionScreen(.signedOut).buttons == ["Sign in"])
        #expect(SessionScreen(ada).title == "Ada, 3 points")
        // end
      }

      func plain() {
        typealias Session = Shape.Session
        // snippet: article-003-shape-calls
        let ada = Session.signedOut.alter(.signIn(name: "Ada")).alter(.collect(3))
        #expect(Session.signedOut.alter(.collect(3)) == .signedOut)
        // end
        #expect(ada == .signedIn(Shape.Member(name: "Ada", points: 3)))
        #expect(ada.alter(.signIn(name: "Bob")) == ada && ada.alter(.signOut) == .signedOut)
      }

      @Test("changes a box five levels deep in the article's shape and in ours")
      func levels() throws {
        deepInPlainSwift()
        let chain = Chain(
          regions: IdentityArray(
            (1...2).map { region in
              Region(
                id: region,
                shops: IdentityArray(
                  (1...3).map { shop in
                    Shop(
                      id: shop,
                      shelves: IdentityArray(
                        (1...3).map { shelf in Shelf(id: shelf, boxes: IdentityArray((1...5).map { Box(id: $0, cookies: 12) })) }))
                  }))
            }))
        // snippet: article-003-deep
        let later = try chain.alter(.region(1, .shop(2, .shelf(3, .box(4, .cookies(11))))))
        let business = try Business.open(chain).alter(.chain(.region(1, .shop(2, .shelf(3, .box(4, .cookies(11)))))))
        // end
        #expect(later.regions[id: 1]?.shops[id: 2]?.shelves[id: 3]?.boxes.map(\.cookies) == [12, 12, 12, 11, 12])
        #expect(later.regions.changes(from: chain.regions).count == 1)
        #expect(business == .open(later))
        #expect(try business.alter(.close) == .closed)
        #expect(throws: Refusal.self) { try Business.closed.alter(.chain(.region(1, .shop(2, .shelf(3, .box(4, .cookies(11))))))) }
      }

      func deepInPlainSwift() {
        let boxes = (1...5).map { Shape.Box(id: $0, cookies: 12) }
        let shelves = (1...3).map { Shape.Shelf(id: $0, boxes: boxes) }
        let shops = (1...3).map { Shape.Shop(id: $0, shelves: shelves) }
        let chain = Shape.Chain(regions: (1...2).map { Shape.Region(id: $0, shops: shops) })
        typealias Box = Shape.Box
        // snippet: article-003-shape-deep
        let later = chain.altering(region: 1) { region in
          region.altering(shop: 2) { shop in
            shop.altering(shelf: 3) { shelf in
              shelf.altering(box: 4) { box in Box(id: box.id, cookies: 11) }
            }
          }
        }
        // end
        #expect(later.regions[0].shops[1].shelves[2].boxes.map(\.cookies) == [12, 12, 12, 11, 12])
        #expect(later.regions[1] == chain.regions[1])
      }

      @Test("counts the transitions of an asymmetrical set")
      func table() {
        typealias Checkout = StatesGuide.Checkout
        // snippet: article-003-table
        let screens: [Checkout] = [.shelf, .basket(cookies: 1), .payment(cookies: 1), .thanks(cookies: 1)]
        let changes: [Checkout.Change] = [.take(1), .putBack, .pay, .paid, .again]
        let table = screens.map { screen in changes.map { change in (try? screen.alter(change)) == nil ? "·" : "✓" }.joined() }
        #expect(table == ["✓····", "✓✓✓··", "···✓·", "····✓"])
        // end
      }
    }
  }
#endif
