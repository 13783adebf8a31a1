#if Macros
  import Alter
  import Testing

  /// A type with the name that the type of a noun's verbs would have.
  private enum LambVerb: Hashable, Codable { case bleats }

  /// Nouns that could meet: a collection that is named as its elements, two that differ in one capital, and one whose verbs are a type elsewhere.
  @Alterable(.nounFirst) private struct Farm: Hashable {
    @Each("sheep", .add, .replace) let sheep: IdentityArray<Note>
    @Each("Sheep", .add, .replace) let others: IdentityArray<Note>
    @Each let lambs: IdentityArray<Note>
    @Each("self") let selves: IdentityArray<Note>
    @Default(LambVerb.bleats) let verb: LambVerb
  }

  @Suite("A change that is written noun first")
  struct NounFirstTests {
    private typealias Change = Notebook.Change
    private let note = Note(id: 1, text: "a")

    @Test("is the one that is written verb first, for each verb that the collection has")
    func same() {
      #expect(Change.note(.add(note)) == .add(.note(note)))
      #expect(Change.note(.put(note)) == .put(.note(note)))
      #expect(Change.note(.update(note)) == .update(.note(note)))
      #expect(Change.note(.remove(1)) == .remove(.note(1)))
      #expect(Change.note(.remove(note)) == .remove(.note(1)))
      #expect(Change.note(.move(1, to: 3)) == .move(.note(1, to: 3)))
      #expect(Change.notes(.replace([note])) == .replace(.notes([note])))
      #expect(Change.page(.add(VariableNote(id: 1, text: ""))) == .add(.page(VariableNote(id: 1, text: ""))))
    }

    @Test("stands beside the changes of elements and properties, and is matched verb first")
    func beside() throws {
      let book = try Notebook().alter(
        .note(.add(note)), .note(1, .text("b")), .title("Diary"), .note(.add(Note(id: 2, text: "c"))), .note(.remove(1)))
      #expect(book == Notebook(notes: [Note(id: 2, text: "c")], title: "Diary"))
      guard case .add(.note(let added)) = Change.note(.add(note)) else {
        Issue.record("The change is not the one that is written verb first.")
        return
      }
      #expect(added == note)
    }

    @Test("has nouns that differ little, or are the name of a collection and of its elements")
    func nouns() throws {
      #expect(Farm.Change.sheep(.add(note)) == .add(.sheep(note)))
      #expect(Farm.Change.sheep(.replace([note])) == .replace(.sheep([note])))
      #expect(Farm.Change.Sheep(.add(note)) == .add(.Sheep(note)))
      #expect(Farm.Change.others(.replace([note])) == .replace(.others([note])))
      #expect(Farm.Change.lamb(.remove(1)) == .remove(.lamb(1)))
      #expect(Farm.Change.`self`(.remove(1)) == .remove(.`self`(1)))
      #expect(try Farm().alter(.verb(.bleats)).verb == .bleats)
    }

    @Test("is refused by a collection that lacks the verb, at compile time")
    func sealed() async throws {
      let outcome = try await compile(
        """
        import Alter

        @Alterable struct Page: Identifiable, Hashable {
          let id: Int
          let text: String
        }
        @Alterable(.nounFirst) struct Book: Hashable { @Each let pages: IdentityArray<Page> }

        func add(to book: Book) throws -> Book { try book.alter(.page(.add(Page(id: 1, text: "")))) }
        func put(to book: Book) throws -> Book { try book.alter(.page(.put(Page(id: 1, text: "")))) }
        """)
      #expect(outcome.errors.components(separatedBy: "swift:10:").count == 2 && !outcome.errors.contains("swift:9:"), "\(outcome.errors)")
      #expect(outcome.errors.contains("'put' is unavailable: list .put in the @Each of 'pages': .add, .put, .remove"), "\(outcome.errors)")
    }

    @Test("leaves types of the source alone whose names its own types would have")
    func hidden() async throws {
      let outcome = try await compile(
        """
        import Alter

        @Alterable struct ElementValue: Identifiable, Hashable {
          let id: Int
          let number: Int
        }
        @Alterable struct ElementID: Identifiable, Hashable {
          let id: Int
          let number: Int
        }
        @Alterable(.nounFirst) struct Both: Hashable {
          @Each("value", .add, .remove, .put, .update, .move, .replace) let values: IdentityArray<ElementValue>
          @Each("one") let ones: IdentityArray<ElementID>
        }

        func change(_ both: Both) throws -> Both {
          try both.alter(
            .add(.value(ElementValue(id: 1, number: 1))), .one(.add(ElementID(id: 1, number: 1))), .remove(.one(1)), .value(1, .number(3)))
        }
        """)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
  }
#endif
