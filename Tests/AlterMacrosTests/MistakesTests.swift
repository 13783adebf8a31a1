#if Macros
  import Foundation
  import ProcessTesting
  import Testing

  @Suite("A model with mistakes")
  struct MistakesTests {
    @Test("is reported by the macro alone: the code that uses the model gives no errors")
    func uses() async throws {
      let outcome = try await compile(
        """
        import Alter

        enum Priority: String, Codable { case low, high }

        @Alterable struct Person: Identifiable, Hashable {
          let id: Int
          let name: String
        }

        @Alterable struct Item: Identifiable, Hashable {
          let id: Int
          var text: String
          @Default(.low) let priority: Priority
          @Each let staff: IdentityArray<Person>
        }

        @Alterable struct List: Hashable {
          @Each(.add, .put, .remove) let items: IdentityArray<Item>
          @Nested let first: Item
        }

        func use(_ store: Store<List>) async throws {
          let item = Item(id: 1, text: "x", priority: .high, staff: [Person(id: 1, name: "Ann")])
          try store.change(.add(.item(item)), .item(1, .text("y")), .first(.priority(.low)))
          try store.change(.item(1, .add(.person(Person(id: 2, name: "Ben")))), .item(1, .person(2, .name("Bob"))), .remove(.item(1)))
          print(try item.alter(.text("z"), .priority(.low)).text, try JournalCoding.encode(item))
          let opened = try await Store.open(List(items: [], first: item), in: MemoryJournal())
          for await text in opened.values(of: { $0.first.text }) { print(text) }
        }
        """)
      let errors = outcome.errors.split(separator: "\n").filter { $0.first != " " && $0.contains(": error: ") }
      let messages = errors.map { $0.split(separator: ": error: ", maxSplits: 1)[1] }
      // The last one is the compiler's own, at the same place.
      let expected = [
        "'text' could be set without a Change.", "@Default can't infer a type here", "the singular of 'staff' can't be derived",
        "cannot infer contextual base in reference to member 'low'",
      ]
      #expect(outcome.status != 0 && messages.count == expected.count, "\(outcome.errors)")
      for text in expected { #expect(messages.contains { $0.hasPrefix(text) }, "\(text): \(messages)") }
    }

    @Test("is reported by the macro alone if two collections have one noun, or an element is named as a verb")
    func nouns() async throws {
      let outcome = try await compile(
        """
        import Alter

        @Alterable struct Item: Identifiable, Hashable {
          let id: Int
          let text: String
        }

        @Alterable(.nounFirst) struct List: Hashable {
          @Each("item", .add, .remove, .replace) let items: IdentityArray<Item>
          @Each("item", .add, .remove, .replace) let others: IdentityArray<Item>
        }

        @Alterable(.nounFirst) struct Sum: Hashable { @Each let adds: IdentityArray<Item> }

        func use(_ list: List) throws { print(try list.alter(.item(.add(Item(id: 1, text: ""))), .items(.replace([])), .item(.remove(1)))) }
        """)
      let errors = outcome.errors.split(separator: "\n").filter { $0.first != " " && $0.contains(": error: ") }
      #expect(errors.count == 2, "\(outcome.errors)")
      for name in ["'item' would be the name of two changes of List.", "'add' would be the name of two changes of Sum."] {
        #expect(errors.contains { $0.contains(name) }, "\(name): \(errors)")
      }
    }

    @Test("gives one error", arguments: Mistake.all)
    func one(mistake: Mistake) async throws {
      let outcome = try await compile("import Alter\n\n" + mistake.source)
      let errors = self.errors(in: outcome)
      #expect(errors.count == 1 && errors[0].contains(mistake.error), "\(errors.joined(separator: "\n"))")
    }

    @Test("gives first the macro's error, where the compiler adds its own", arguments: Mistake.repeated)
    func first(mistake: Mistake, others: Int) async throws {
      let outcome = try await compile("import Alter\n\n" + mistake.source)
      let errors = self.errors(in: outcome)
      #expect(errors.first?.contains(mistake.error) == true && errors.count <= 1 + others, "\(errors.joined(separator: "\n"))")
    }

    private func errors(in outcome: Outcome) -> [String] {
      outcome.errors.split(separator: "\n").filter { $0.first != " " && $0.contains(": error: ") }.map(String.init)
    }

    @Test("shows, beside the compiler's error, which method its own changes need")
    func method() async throws {
      let outcome = try await compile(
        """
        import Alter

        @Alterable struct Till: Hashable {
          let coins: Int
          @Wire enum OwnChange: Hashable { case empty }
        }
        """)
      let errors = outcome.errors.split(separator: "\n").filter { $0.first != " " && $0.contains(": error: ") }
      let hint = "This needs your 'mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal)', here or in an extension."
      #expect(errors.count == 1 && outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test("needs a stored form by hand if the standard library does not store the raw value bare")
    func rawValues() async throws {
      // The compiler generates {"rawValue":…} as the Codable of each of them, also of a generic type.
      let outcome = try await compile(
        """
        import Alter
        import Foundation

        struct PersonID: RawRepresentable, Codable, StoredForm { var rawValue: UUID }
        struct Box<Value: StoredForm>: RawRepresentable, Codable, StoredForm { var rawValue: Value }
        struct Rights: OptionSet, Codable, StoredForm { var rawValue: UInt16 }
        struct Name: RawRepresentable, Codable, StoredForm { var rawValue: String }
        """)
      let errors = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("/") && $0.contains("error:") }
      #expect(errors.count == 2, "\(outcome)")
      #expect(outcome.errors.contains("type 'PersonID' does not conform to protocol 'StoredForm'"))
      #expect(outcome.errors.contains("type 'Box<Value>' does not conform to protocol 'StoredForm'"))
    }
  }

  /// A source with one mistake.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// A part of its error.
    let error: String
    let source: String

    init(_ description: String, _ error: String, _ source: String) {
      testDescription = description
      self.error = error
      self.source = source
    }

    static let all = [
      Mistake(
        "a property that could be set", "'text' could be set without a Change.",
        "@Alterable struct A: Hashable { var text: String }"),
      Mistake("no written type", "'count' needs a written type", "@Alterable struct A: Hashable { private(set) var count = 0 }"),
      Mistake(
        "a property that isn't Codable", "type 'P' does not conform to protocol 'Decodable'",
        """
        struct P: Hashable, Sendable { let x: Int }
        @Alterable struct A: Hashable { let p: P }
        func use(_ store: Store<A>) throws { try store.change(.p(P(x: 1))) }
        """),
      Mistake(
        "an array of what isn't Codable, with a default", "type 'P' does not conform to protocol 'Decodable'",
        """
        struct P: Hashable, Sendable { let x: Int }
        @Alterable struct A: Hashable { @Default([]) let p: [P] }
        """),
      Mistake(
        "a state whose payload isn't Codable", "type 'P' does not conform to protocol 'Decodable'",
        """
        struct P: Hashable, Sendable { let x: Int }
        @Alterable enum A: Hashable {
          case some(P), none
          @Wire enum OwnChange: Hashable { case clear }
          mutating func apply(_ change: OwnChange, at stamp: Stamp) { self = .none }
        }
        """),
      Mistake(
        "any P", "'p' can't be stored: 'any P' is of any type",
        """
        protocol P: Sendable, Codable {}
        @Alterable struct A { let p: any P }
        func use(_ store: Store<A>, p: any P) throws { try store.change(.p(p)) }
        """),
      Mistake("a function", "'(Int) -> Int' is a function.", "@Alterable struct A { let f: @Sendable (Int) -> Int }"),
      Mistake("a tuple", "'(x: Int, y: Int)' is a tuple.", "@Alterable struct A { let place: (x: Int, y: Int) }"),
      Mistake(
        "an own Change", "@Alterable generates the enum Change",
        """
        @Alterable struct A: Hashable {
          let p: Int
          enum Change: Hashable, Codable { case p(Int), twice }
        }
        func use(_ store: Store<A>) throws { try store.change(.twice) }
        """),
      Mistake(
        "a default of another type", "@Default has a text for 'Int'",
        """
        @Alterable struct A: Hashable { @Default("x") let count: Int }
        func use(_ store: Store<A>) throws { try store.change(.count(1)); print(A()) }
        """),
      Mistake(
        "a default that is an integer", "@Default has an integer for 'String?'", "@Alterable struct A { @Default(-1) let name: String? }"),
      Mistake("nil as a default", "@Default has nil for 'Int'", "@Alterable struct A { @Default(nil) let count: Int }"),
      Mistake(
        "an older name that another property has", "'p' would be the stored name of two changes of A",
        """
        @Alterable struct A: Hashable {
          let p: Int
          @Renamed(from: "p") let q: Int
        }
        """),
      Mistake("a property called self", "'self' can't be the name of a change", "@Alterable struct A { let `self`: Int; let q: Int }"),
      Mistake(
        "an apply with another label", "this 'apply' has another signature",
        """
        @Alterable struct A: Hashable {
          let q: Int
          mutating func apply(_ change: Change, stamp: Stamp) { applyGenerated(change, at: stamp) }
        }
        """),
      Mistake(
        "an apply without a stamp", "this 'apply' has another signature",
        """
        @Alterable struct A: Hashable {
          let q: Int
          mutating func apply(_ change: Self.Change) { applyGenerated(change, at: .none) }
        }
        """),
      Mistake(
        "an apply that isn't mutating", "this 'apply' has another signature",
        """
        @Alterable struct A: Hashable {
          let q: Int
          func apply(_ change: Change, at stamp: Stamp) {}
        }
        """),
      Mistake(
        "an asynchronous apply", "this 'apply' has another signature",
        """
        @Alterable struct A: Hashable {
          let q: Int
          mutating func apply(_ change: Change, at stamp: Stamp) async throws { applyGenerated(change, at: stamp) }
        }
        """),
      Mistake(
        "an apply of OwnChange with another label", "'mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal)'",
        """
        @Alterable struct A: Hashable {
          private(set) var q: Int
          @Wire enum OwnChange: Hashable { case twice }
          mutating func apply(_ change: OwnChange, stamp: Stamp) { q *= 2 }
        }
        """),
      Mistake(
        "a state's apply with another label", "this 'apply' has another signature",
        """
        @Alterable enum A: Hashable {
          case on, off
          @Wire enum OwnChange: Hashable { case turn }
          mutating func apply(change: OwnChange, at stamp: Stamp) { self = self == .on ? .off : .on }
        }
        """),
      Mistake(
        "a verb that isn't listed", "'update' is unavailable: list .update in the @Each of 'items': .add, .update, .remove",
        list + """
          func use(_ store: Store<List>, item: Item) throws { try store.change(.update(.item(item))) }
          """),
      Mistake(
        "a verb that isn't listed, in a list of changes", "'replace' is unavailable: list .replace",
        list + """
          func use(_ store: Store<List>, item: Item) throws { try store.change(.add(.item(item)), .replace(.items([]))) }
          """),
      Mistake(
        "a verb that isn't listed, in alter", "'move' is unavailable: list .move",
        list + """
          func use(_ list: List) throws { print(try list.alter(.move(.item(1, to: 2)))) }
          """),
      Mistake(
        "a verb that the other collection lists", "'item' is unavailable: list .put in the @Each of 'items'",
        list + """
          @Alterable struct Both: Hashable {
            @Each let items: IdentityArray<Item>
            @Each(.put) let others: IdentityArray<Item>
          }
          func use(_ both: Both, _ item: Item) throws { print(try both.alter(.put(.other(item)), .put(.item(item)))) }
          """),
      Mistake(
        "a verb that isn't listed, noun first", "list .update in the @Each of 'items'",
        list + """
          @Alterable(.nounFirst) struct Nouns: Hashable { @Each let items: IdentityArray<Item> }
          func use(_ nouns: Nouns, _ item: Item) throws { print(try nouns.alter(.item(.update(item)))) }
          """),
      Mistake(
        "a change that doesn't exist", "type 'List.Change' has no member 'itms'",
        list + """
          func use(_ store: Store<List>) throws { try store.change(.itms([1])) }
          """),
      Mistake(
        "a change that doesn't exist, in alter", "type 'List.Change' has no member 'itms'",
        list + """
          func use(_ list: List) throws { print(try list.alter(.itms([1]))) }
          """),
      Mistake(
        "a change that doesn't exist, in a view", "type 'List.Change' has no member 'itms'",
        list + """
          @MainActor func use(_ list: Observed<List, List>) { list.send(.itms([1])) }
          """),
      Mistake(
        "an amount for a property that is only set", "'count(by:)' is unavailable: write @Changes before 'count'",
        """
        @Alterable struct A: Hashable { let count: Int }
        func use(_ a: A) { print(a.alter(.count(by: 5))) }
        """),
      Mistake(
        "an amount for an optional", "@Changes(.by) needs a value to start from, and 'count' is an optional",
        "@Alterable struct A: Hashable { @Changes(.set, .by) let count: Int? }"),
      Mistake(
        "a removal of elements that can't be compared", "@Changes(.removing) compares the elements of 'names'",
        "@Alterable struct A { @Changes(.set, .removing) let names: [String] }"),
      Mistake(
        "a form that the type doesn't have", "'Int' has no form .adding", "@Alterable struct A { @Changes(.adding) let count: Int }"),
      Mistake(
        "a name that another change has", "'due' would be the name of two changes of A",
        """
        @Alterable struct A: Hashable {
          let due: Int
          @Changes("due") let dueDate: Int
        }
        """),
      Mistake(
        "a property with the name of a relative change", "'countBy' would be the name of two changes of A",
        """
        @Alterable struct A: Hashable {
          @Changes let count: Int
          let countBy: Int
        }
        """),
      Mistake(
        "a change of a property that isn't marked", "type 'A.Change' has no member 'author'",
        """
        @Alterable(changing: .marked) struct A: Hashable {
          let author: String
          @Changes let title: String
        }
        func use(_ a: A) { print(a.alter(.author("x"))) }
        """),
      Mistake(
        "CodingKeys in an extension", "invalid redeclaration of 'CodingKeys'",
        """
        @Alterable struct A: Hashable { let q: Int }
        extension A { enum CodingKeys: String, CodingKey { case q = "Q" } }
        """),
      Mistake(
        "CodingKeys of states in an extension", "invalid redeclaration of 'CodingKeys'",
        """
        @Alterable enum A: Hashable {
          case on, off
          @Wire enum OwnChange: Hashable { case turn }
          mutating func apply(_ change: OwnChange, at stamp: Stamp) { self = .on }
        }
        extension A { private enum CodingKeys: String, CodingKey { case on = "ON", off } }
        """),
      Mistake(
        "CodingKeys of a wired enum in an extension", "invalid redeclaration of 'CodingKeys'",
        """
        @Wire enum A: Hashable { case on, off }
        extension A { enum CodingKeys: String, CodingKey { case on = "ON", off } }
        """),
      Mistake(
        "CodingKeys of a wired struct in an extension", "invalid redeclaration of 'CodingKeys'",
        """
        @Wire struct A: Hashable { let q: Int }
        extension A { enum CodingKeys: String, CodingKey { case q = "Q" } }
        """),
    ]

    /// Mistakes in another type that the model names. The compiler reports them where the generated code names the type, which has to be a public
    /// part of it: the changes of an element, and the conformances of `Change` that follow from them.
    static let repeated = [
      (
        Mistake(
          "elements that aren't Alterable", "type 'Item' does not conform to protocol 'Alterable'",
          """
          struct Item: Identifiable, Hashable, Codable, Sendable { let id: Int }
          @Alterable struct A: Hashable { @Each let items: IdentityArray<Item> }
          """), 4
      ),
      (
        Mistake(
          "a nested model that isn't Alterable", "type 'Item' does not conform to protocol 'Alterable'",
          """
          struct Item: Hashable, Codable, Sendable { let text: String }
          @Alterable struct A: Hashable { @Nested let item: Item }
          """), 3
      ),
      (
        Mistake(
          "an own Change that isn't Codable", "@Alterable generates the enum Change",
          """
          @Alterable struct A: Hashable {
            let p: Int
            enum Change { case p(Int) }
          }
          """), 2
      ),
    ]

    private static let list = """
      @Alterable struct Item: Identifiable, Hashable {
        let id: Int
        let text: String
      }
      @Alterable struct List: Hashable { @Each let items: IdentityArray<Item> }

      """
  }
#endif
