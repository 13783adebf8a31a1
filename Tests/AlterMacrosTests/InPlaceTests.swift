#if Macros
  import Alter
  import Testing

  /// A model of constants. One of its parts counts the changes at its own address in memory, next to a text.
  @Alterable struct ConstantHolder {
    let name: String
    @Nested let pile: Pile
  }

  /// The same part as the only property.
  @Alterable struct LonelyHolder {
    @Nested let pile: Pile
  }

  /// The same with a property of a kind that the macro doesn't know. The macro can't rely on the layout, so it takes the value apart.
  @Alterable struct UnknownHolder {
    @Nested let pile: Pile
    @Even private(set) var number: Int
  }

  /// The same with a single property.
  @Alterable struct LonelyUnknownHolder {
    @Nested let pile: Pile
    @Words var words: [String] { "a" }
  }

  /// The same with variables.
  @Alterable struct VariableHolder {
    let name: String
    @Nested private(set) var pile: Pile
  }

  /// A wrapper that stores more than its value: the last odd number, too.
  @propertyWrapper struct Even: Sendable {
    private(set) var value = 0
    private(set) var odd: Int?

    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }

    var wrappedValue: Int {
      get { value }
      set { if newValue.isMultiple(of: 2) { value = newValue } else { odd = newValue } }
    }
  }

  @resultBuilder enum Words {
    static func buildBlock(_ words: String...) -> [String] { words }
  }

  /// A model of bits only, with a nested model of bits only.
  @Alterable struct Bits: Hashable {
    let number: Int
    @Nested let inner: InnerBits
  }

  @Alterable struct InnerBits: Hashable {
    let flag: Bool
  }

  /// An array that records whether a change copied it.
  struct Pile: Journaled {
    @Wire enum Change { case push(Int) }

    private(set) var elements: [Int]
    private(set) var copies = 0

    init(_ elements: [Int]) {
      self.elements = elements
      self.elements.reserveCapacity(elements.count + 8)
    }

    mutating func apply(_ change: Change, at stamp: Stamp) {
      switch change {
      case .push(let number):
        let before = elements.withUnsafeBufferPointer(\.baseAddress)
        elements.append(number)
        if elements.withUnsafeBufferPointer(\.baseAddress) != before { copies += 1 }
      }
    }
  }

  @Suite("Generated code changes in place")
  struct InPlaceTests {
    private func copies<Holder: Alterable>(
      _ make: @autoclosure () -> Holder, _ change: Holder.Change, retaining: Bool = false, _ pile: (Holder) -> Pile
    ) throws -> (copies: Int, count: Int) {
      var holder = make()
      var versions: [Holder] = []
      for _ in 0..<5 {
        if retaining { versions = [holder] }
        try holder.apply(change, at: .none)
      }
      return withExtendedLifetime(versions) { (pile(holder).copies, pile(holder).elements.count) }
    }

    @Test("in a model of constants")
    func constants() throws {
      #expect(try copies(ConstantHolder(name: "a", pile: Pile([1])), .pile(.push(2)), { $0.pile }) == (0, 6))
    }

    @Test("in a model of one constant")
    func lonely() throws {
      #expect(try copies(LonelyHolder(pile: Pile([1])), .pile(.push(2)), { $0.pile }) == (0, 6))
    }

    @Test("in a model of constants whose layout isn't known, too")
    func unknown() throws {
      #expect(try copies(UnknownHolder(pile: Pile([1]), number: 2), .pile(.push(2)), { $0.pile }) == (0, 6))
      #expect(try UnknownHolder(pile: Pile([1]), number: 2).alter(.number(4)).number == 4)
      #expect(try copies(LonelyUnknownHolder(pile: Pile([1])), .pile(.push(2)), { $0.pile }) == (0, 6))
    }

    @Test("in a model of variables")
    func variables() throws {
      #expect(try copies(VariableHolder(name: "a", pile: Pile([1])), .pile(.push(2)), { $0.pile }) == (0, 6))
    }

    @Test("and copies when an older version is held, which stays as it was")
    func retained() throws {
      let result = try copies(ConstantHolder(name: "a", pile: Pile([1])), .pile(.push(2)), retaining: true) { $0.pile }
      #expect(result.copies > 0, "or this suite could not tell a copy")
      #expect(result.count == 6)
      let old = ConstantHolder(name: "a", pile: Pile([1]))
      _ = try old.alter(.pile(.push(2)))
      #expect(old.pile.elements == [1])
    }

    @Test("in a model of nothing but bits, where there is nothing to copy")
    func bits() throws {
      #expect(
        try Bits(number: 1, inner: InnerBits(flag: false)).alter(.inner(.flag(true)), .number(2))
          == Bits(number: 2, inner: InnerBits(flag: true)))
    }
  }
#endif
