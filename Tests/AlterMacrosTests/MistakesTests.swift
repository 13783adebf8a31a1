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
#endif
