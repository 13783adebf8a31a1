#if Macros
  import Alter
  import Foundation
  import Testing

  /// A lock, and the numbers that were tried on it.
  struct Lock: Hashable, Codable, Alterable {
    @Wire enum Change: Hashable { case code(Int), tried(Int) }
    private(set) var code: Int
    private(set) var tries: [Int] = []

    init(code: Int) { self.code = code }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      switch change {
      case .code(let code):
        guard code > 0 else { throw .custom("A code is positive.") }
        self.code = code
      case .tried(let code): tries.append(code)
      }
    }
  }

  @Alterable enum Gate: Hashable {
    case open, closed
    @Nested case locked(Lock)
    @Nested case sealed(lock: Lock)

    @Wire enum OwnChange: Hashable {
      @Refused(in: Gate.locked, Gate.sealed) case open
      @Refused(in: Gate.locked, Gate.sealed) case close
      @Refused(in: Gate.open, Gate.locked, Gate.sealed) case shut(code: Int)
      @Ignored(in: Gate.open, Gate.closed) case unlock(code: Int)
      @Refused(in: Gate.open, Gate.closed) @Ignored(in: Gate.sealed) case seal
    }

    mutating func apply(_ step: Step, at stamp: Stamp) throws(Refusal) {
      switch step {
      case .open(.open), .closed(.open): self = .open
      case .open(.close), .closed(.close): self = .closed
      case .closed(.shut(let code)): self = .locked(Lock(code: code))
      case .locked(let lock, .unlock(let code)):
        guard lock.code == code else { throw .custom("That is not the code.") }
        self = .closed
      case .locked(let lock, .seal): self = .sealed(lock: lock)
      case .sealed(lock: _, .unlock): throw .custom("It is sealed.")
      }
    }
  }

  extension Gate {
    fileprivate var tries: Int {
      switch self {
      case .locked(let lock), .sealed(let lock): lock.tries.count
      case .open, .closed: 0
      }
    }
  }

  /// Asymmetric screens: each takes a few of the changes.
  @Alterable enum Screen: Hashable {
    @Takes(OwnChange.take) case shelf
    @Takes(OwnChange.take, OwnChange.putBack, OwnChange.pay) case basket(cookies: Int)
    @Takes(OwnChange.again) case thanks(cookies: Int)
    @Takes() case closed

    @Wire enum OwnChange: Hashable {
      case take(Int), putBack, pay
      @Ignored(in: Screen.shelf) case again
    }

    mutating func apply(_ step: Step, at stamp: Stamp) {
      switch step {
      case .shelf(.take(let count)): self = .basket(cookies: count)
      case .basket(let count, .take(let more)): self = .basket(cookies: count + more)
      case .basket(cookies: _, .putBack): self = .shelf
      case .basket(let count, .pay): self = count > 9 ? .closed : .thanks(cookies: count)
      case .thanks(cookies: _, .again): self = .shelf
      }
    }
  }

  /// States without lists: the transitions are those of `(self, change)`. They refuse nothing.
  @Alterable enum Lamp: Hashable {
    case dark
    @Renamed(from: "bright") case lit(level: Int, colour: String)
    @Wire enum OwnChange: Hashable { case toggle, level(Int) }

    mutating func apply(_ change: OwnChange, at stamp: Stamp) {
      switch (self, change) {
      case (.dark, .toggle): self = .lit(level: 1, colour: "white")
      case (.lit, .toggle): self = .dark
      case (.lit(level: _, let colour), .level(let level)): self = .lit(level: level, colour: colour)
      case (.dark, .level): break
      }
    }
  }

  /// A whole state of states, by a rule around the generated changes.
  @Alterable enum Session<User: Journaled & Hashable>: Equatable where User.Change: Equatable {
    case loggedOut
    @Nested("user") case loggedIn(User)
    @Wire enum OwnChange: Equatable { case login(User), logout }

    mutating func apply(_ change: OwnChange, at stamp: Stamp) {
      switch change {
      case .login(let user): self = .loggedIn(user)
      case .logout: self = .loggedOut
      }
    }

    mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
      if case .login = change, case .loggedIn = self { throw .custom("A user is logged in already.") }
      try applyGenerated(change, at: stamp)
    }
  }

  @Alterable struct Entrance: Hashable {
    @Nested let gate: Gate
    @Nested let lamp: Lamp
  }

  /// Models whose methods name their own types with the types around them.
  enum Kiosk {
    @Alterable enum Shutter: Hashable {
      case up, down

      @Wire enum OwnChange: Hashable { @Refused(in: Kiosk.Shutter.up) case raise }

      mutating func apply(_ step: consuming Kiosk.Shutter.Step, at stamp: Stamp) {
        switch step {
        case .down(.raise): self = .up
        }
      }
    }

    @Alterable struct Till: Hashable {
      let coins: Int

      @Wire enum OwnChange: Hashable { case empty }

      mutating func apply(_ change: Till.OwnChange, at stamp: Stamp) { self = Till(coins: 0) }
    }
  }

  @Suite("An enum of states that the macro makes alterable")
  struct StatesTests {
    let locked = Gate.locked(Lock(code: 7))

    @Test("is written with a method that names the type of its changes in full")
    func fullNames() throws {
      #expect(try Kiosk.Shutter.down.alter(.raise) == .up)
      #expect(Kiosk.Till(coins: 3).alter(.empty) == Kiosk.Till(coins: 0))
    }

    @Test("makes the transitions that its source defines")
    func transitions() throws {
      #expect(try Gate.open.alter(.close, .shut(code: 7)) == locked)
      #expect(try locked.alter(.unlock(code: 7), .open) == .open)
      #expect(throws: Refusal.custom("That is not the code.")) { try locked.alter(.unlock(code: 8)) }
      // No `try`: the lamp refuses nothing.
      #expect(Lamp.dark.alter(.toggle, .level(3)) == .lit(level: 3, colour: "white"))
      #expect(Lamp.dark.alter(.level(3)) == .dark)
    }

    @Test("refuses or ignores what has no meaning in a state, as its lists say")
    func lists() throws {
      #expect(throws: Refusal.illegal(from: "locked", change: "open")) { try locked.alter(.open) }
      #expect(throws: Refusal.illegal(from: "open", change: "shut")) { try Gate.open.alter(.shut(code: 1)) }
      #expect(throws: Refusal.illegal(from: "closed", change: "seal")) { try Gate.closed.alter(.seal) }
      #expect(try Gate.open.alter(.unlock(code: 1)) == .open)
      let sealed = try locked.alter(.seal)
      #expect(sealed == .sealed(lock: Lock(code: 7)))
      #expect(try sealed.alter(.seal) == sealed)
    }

    @Test("takes what each state lists, and refuses the rest")
    func takes() throws {
      #expect(try Screen.shelf.alter(.take(1), .take(2), .pay) == .thanks(cookies: 3))
      #expect(try Screen.shelf.alter(.again) == .shelf)
      #expect(throws: Refusal.illegal(from: "shelf", change: "pay")) { try Screen.shelf.alter(.pay) }
      #expect(throws: Refusal.illegal(from: "closed", change: "again")) { try Screen.shelf.alter(.take(10), .pay, .again) }
    }

    @Test("changes the payload of a state by the payload's own changes, and refuses them in other states")
    func payload() throws {
      let tried = try locked.alter(.lock(.tried(1)), .lock(.code(9)))
      #expect(tried == .locked(try Lock(code: 9).alter(.tried(1))))
      #expect(try tried.alter(.seal, .lock(.tried(2))) == .sealed(lock: try Lock(code: 9).alter(.tried(1), .tried(2))))
      #expect(throws: Refusal.illegal(from: "closed", change: "lock")) { try Gate.closed.alter(.lock(.tried(1))) }
      #expect(throws: Refusal.custom("A code is positive.")) { try locked.alter(.lock(.code(0))) }
      let door = try Entrance(gate: .closed, lamp: .dark).alter(.gate(.shut(code: 1)), .gate(.lock(.tried(2))), .lamp(.toggle))
      #expect(door.gate == .locked(try Lock(code: 1).alter(.tried(2))) && door.lamp == .lit(level: 1, colour: "white"))
    }

    @Test("changes a payload in place")
    func inPlace() throws {
      var gate = locked
      func address() -> UnsafeRawPointer? {
        if case .locked(let lock) = gate { lock.tries.withUnsafeBytes { $0.baseAddress } } else { nil }
      }
      var moves = 0
      for number in 0..<1_000 {
        let before = address()
        try gate.apply(.lock(.tried(number)), at: .none)
        if address() != before { moves += 1 }
      }
      // The array grows a few times; a copy at each change would move it a thousand times.
      #expect(moves < 20)
      // A refused change puts the payload back.
      #expect(throws: Refusal.self) { try gate.apply(.lock(.code(-1)), at: .none) }
      #expect(try gate.alter(.unlock(code: 7)) == .closed)
      // A version that is kept stays as it was.
      let kept = gate
      try gate.apply(.lock(.tried(1_000)), at: .none)
      #expect(kept.tries == 1_000 && gate.tries == 1_001)
    }

    @Test("is stored as the name of the state and its payload")
    func stored() throws {
      func check<Value: Codable & Equatable>(_ value: Value, _ json: String) throws {
        #expect(String(decoding: try JournalCoding.encode(value), as: UTF8.self) == json)
        #expect(try JournalCoding.decode(Value.self, from: Data(json.utf8)) == value)
      }
      try check(Gate.open, #"{"open":true}"#)
      try check(locked, #"{"locked":{"code":7,"tries":[]}}"#)
      try check(Lamp.lit(level: 2, colour: "red"), #"{"lit":{"colour":"red","level":2}}"#)
      try check([Gate.Change.open, .shut(code: 1), .lock(.tried(2))], #"[{"open":true},{"shut":1},{"lock":{"tried":2}}]"#)
      #expect(
        try JournalCoding.decode(Lamp.self, from: Data(#"{"bright":{"colour":"red","level":2}}"#.utf8)) == .lit(level: 2, colour: "red"))
      let error = #expect(throws: DecodingError.self) { try JournalCoding.decode([Gate].self, from: Data(#"[{"ajar":true}]"#.utf8)) }
      #expect(
        JournalCoding.explain(try #require(error)) == "Gate has no case 'ajar' (of a newer version, or removed without a migration?) at [0]"
      )
    }

    @Test("can be generic, wrapped by a rule of its own, and the whole state of a store")
    func store() async throws {
      typealias State = Session<Settings>
      let store = try await Store.open(State.loggedOut, in: MemoryJournal())
      try await store.change(.login(Settings(theme: "light", fontSize: 9)), .user(.theme("dark"))).durable()
      #expect(store.state == .loggedIn(Settings(theme: "dark", fontSize: 9)))
      #expect(throws: ChangeError<Refusal>.refused(.custom("A user is logged in already."))) { try store.change(.login(Settings())) }
      try await store.undo()
      #expect(store.state == .loggedOut)
      await store.close()
    }
  }

  @Suite("The compiler, about states")
  struct MissingTransitionsTests {
    private func errors(states: String = "case open, closed", changes: String = "case open, close") async throws -> String {
      let outcome = try await compile(
        """
        import Alter

        @Alterable enum Hatch: Hashable {
          \(states)
          @Wire enum OwnChange: Hashable {
            @Refused(in: Hatch.open) case lift
            \(changes)
          }

          mutating func apply(_ step: Step, at stamp: Stamp) throws(Refusal) {
            switch step {
            case .open(.open), .closed(.open), .closed(.lift): self = .open
            case .open(.close), .closed(.close): self = .closed
            }
          }
        }
        """)
      return outcome.errors
    }

    @Test("accepts a step for each relevant pair")
    func complete() async throws { #expect(try await errors() == "") }

    @Test("asks for the changes in a new state")
    func newState() async throws {
      let errors = try await errors(states: "case open, closed, ajar")
      #expect(errors.contains("error: switch must be exhaustive"))
      #expect(errors.contains("add missing case: '.ajar(_)'"), "\(errors)")
    }

    @Test("asks for a new change in each state")
    func newChange() async throws {
      let errors = try await errors(changes: "case open, close, paint")
      #expect(errors.contains("error: switch must be exhaustive"))
      for state in ["open", "closed"] { #expect(errors.contains("add missing case: '.\(state)(.paint)'"), "\(errors)") }
    }

    @Test("reads every list of a change")
    func severalLists() async throws {
      // Refused in both states, it makes no steps.
      #expect(try await errors(changes: "case open, close\n@Refused(in: Hatch.open) @Refused(in: Hatch.closed) case paint") == "")
    }

    @Test("rejects a list with a state of another type, and a list that nothing reads")
    func wrongList() async throws {
      let other = try await errors(changes: "case open, close\n@Refused(in: Self.open) case paint")
      #expect(other.contains("@Refused needs states, as in @Refused(in: Hatch.state)"), "\(other)")
      let unread = try await errors(states: "case open\n@Refused(in: 1) case closed")
      #expect(unread.contains("@Refused is for a case of the enum OwnChange in an enum with @Alterable"), "\(unread)")
      let outcome = try await compile(
        """
        import Alter

        @Alterable struct Counter: Hashable {
          let count: Int
          @Wire enum OwnChange: Hashable { @Ignored(in: 0) case reset }
          mutating func apply(_ change: OwnChange, at stamp: Stamp) { self = Counter(count: 0) }
        }
        """)
      #expect(outcome.errors.contains("@Ignored is for a case of the enum OwnChange in an enum with @Alterable"), "\(outcome.errors)")
    }

    @Test("explains a payload type that a generated type hides, and two states with one name for their changes")
    func hidden() async throws {
      let open = try await errors(states: "case open(OpenChange), closed")
      #expect(open.contains("generates a type 'OpenChange', which hides the one in the payload of 'open'"), "\(open)")
      let step = try await errors(changes: "case open, close([Step])")
      #expect(step.contains("generates a type 'Step', which hides the one in the payload of 'close'"), "\(step)")
      #expect(try await errors(states: "case open, closed, Open").contains("the changes in two states, 'open' and 'Open'"))
    }

    @Test("rejects steps without lists")
    func steps() async throws {
      let outcome = try await compile(
        """
        import Alter

        @Alterable enum Hatch: Hashable {
          case open
          @Wire enum OwnChange: Hashable { case close }
          mutating func apply(_ step: Step, at stamp: Stamp) {}
        }
        """)
      #expect(outcome.errors.contains("without @Refused or @Ignored, 'Hatch' makes no steps"), "\(outcome.errors)")
    }

    @Test("accepts names with spaces, names of the standard library, and several nested states on a line")
    func names() async throws {
      let outcome = try await compile(
        """
        import Alter

        @Alterable struct Lock: Hashable { let code: Int }
        @Alterable enum Hatch: Hashable {
          case `half open`, closed
          @Nested case locked(Lock), sealed(lock: Lock)
          struct String: Hashable, Codable {}
          struct Int: Hashable, Codable {}
          @Wire enum OwnChange: Hashable { @Refused(in: Hatch.closed) case name(String, to: Int) }
          mutating func apply(_ step: Step, at stamp: Stamp) { if case .`half open`(.name) = step { self = .closed } }
        }
        """)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("accepts a payload that is declared below, where an earlier file matches its state")
    func order() async throws {
      let outcome = try await compile(
        """
        import Alter

        @Alterable enum Hatch: Hashable {
          case shut
          @Nested case open(Room)
        }
        @Alterable struct Room: Hashable { let size: Int }
        """,
        after: """
          func size(_ hatch: Hatch) -> Int { if case .open(let room) = hatch { room.size } else { 0 } }
          """)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("rejects a payload that is not Alterable, once")
    func notAlterable() async throws {
      let outcome = try await compile(
        """
        import Alter

        @Alterable enum Hatch: Hashable {
          case shut
          @Nested case open(Room)
        }
        struct Room: Hashable, Codable { let size: Int }
        """)
      #expect(outcome.errors.contains("type 'Room' does not conform to protocol 'Alterable'"), "\(outcome.errors)")
      #expect(outcome.errors.components(separatedBy: ": error: ").count == 2, "\(outcome.errors)")
    }

    @Test("rejects a list with a state that does not exist")
    func unknownState() async throws {
      let errors = try await errors(changes: "case open, close\n@Refused(in: Hatch.broken) case paint")
      #expect(errors.contains("has no member 'broken'"), "\(errors)")
    }
  }
#endif
