#if Macros
  import Alter
  import AlterTesting
  import Testing

  /// The guide "A model with rules".
  enum RulesGuide {
    // snippet: rules-book
    @Alterable struct Book: Identifiable, Hashable {
      let id: String
      let title: String  // .title("…") is generated: any writer may correct a title
      @Fixed private(set) var reader: String?  // sealed: no generated change sets it

      /// The model's own changes. They become cases of the generated `Change`.
      @Wire enum OwnChange: Hashable { case lend(to: String), bringBack }

      mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
        switch change {
        case .lend(let name):
          if let reader { throw .custom("'\(title)' is lent to \(reader).") }
          reader = name
        case .bringBack:
          guard reader != nil else { throw .custom("'\(title)' is not lent.") }
          reader = nil
        }
      }
    }
    // end

    // snippet: rules-library
    @Alterable struct Library: Hashable {
      @Each("book") private(set) var shelf: IdentityArray<Book>
      @Fixed private(set) var archive: IdentityArray<Book> = []

      @Wire enum OwnChange: Hashable { case retire(String), restore(String) }

      /// Moves a book, as a value, between two parts of the state.
      mutating func apply(_ change: OwnChange, at stamp: Stamp) throws(Refusal) {
        switch change {
        case .retire(let id):
          let book = try shelf.remove(id: id)
          if let reader = book.reader { throw .custom("'\(book.title)' is lent to \(reader).") }  // the shelf still has the book
          try archive.add(book)
        case .restore(let id):
          try shelf.add(try archive.remove(id: id))
        }
      }

      /// The rules around all changes, the generated ones included.
      mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
        switch change {
        case .add(.book(let book)):
          guard book.reader == nil, !book.title.isEmpty else { throw .custom("A new book has a title, and no reader.") }
        case .remove(.book(let id)):
          guard shelf[id: id]?.reader == nil else { throw .custom("A book that is lent can't be removed.") }
        case .book(_, .lend(let name)):
          guard shelf.count(where: { $0.reader == name }) < 2 else { throw .custom("\(name) has two books already.") }
        default: break
        }
        try applyGenerated(change, at: stamp)
      }
    }
    // end

    @Suite("The guide A model with rules")
    struct Tests {
      @Test("lends, and refuses what the rules forbid")
      func rules() throws {
        // snippet: rules-use
        let library = try Library()
          .alter(.add(.book(Book(id: "Emma", title: "Emma"))), .add(.book(Book(id: "Dune", title: "Dnue"))))
          .alter(.book("Dune", .title("Dune")), .book("Emma", .lend(to: "Ada")))

        #expect(throws: Refusal.custom("'Emma' is lent to Ada.")) { try library.alter(.book("Emma", .lend(to: "Ben"))) }
        #expect(throws: Refusal.custom("'Emma' is lent to Ada.")) { try library.alter(.retire("Emma")) }
        #expect(try library.alter(.retire("Dune")).archive.map(\.id) == ["Dune"])
        // end
        #expect(library.shelf.map(\.id) == ["Emma", "Dune"])
        #expect(try library.alter(.retire("Dune"), .restore("Dune")).shelf.map(\.id) == ["Emma", "Dune"])
        #expect(throws: Refusal.self) { try library.alter(.remove(.book("Emma"))) }
        #expect(throws: Refusal.self) { try library.alter(.add(.book(Book(id: "Ilias", title: "Ilias", reader: "Ada")))) }
        #expect(throws: Refusal.custom("'Dune' is not lent.")) { try library.alter(.book("Dune", .bringBack)) }
        #expect(throws: Refusal.custom("Ada has two books already.")) {
          let more = try library.alter(.add(.book(Book(id: "Ilias", title: "Ilias"))), .book("Dune", .lend(to: "Ada")))
          _ = try more.alter(.book("Ilias", .lend(to: "Ada")))
        }
      }

      @Test("names parts by string ids")
      func stringIDs() async {
        let store = TestStore(Library())
        store.send(.add(.book(Book(id: "Emma", title: "Emma"))), changing: [#"shelf["Emma"]"#: Book(id: "Emma", title: "Emma")])
        // snippet: rules-string-ids
        store.send(.book("Emma", .lend(to: "Ada")), changing: [#"shelf["Emma"].reader"#: "Ada"])
        // end
        await store.finish()
      }

      // snippet: rules-property
      @Test("a reader has two books at most, and an archived book has none")
      func property() {
        ChangeProperties(of: Library()) { _, random in
          let id = ["Emma", "Dune", "Ilias"][random.below(3)]
          return [
            .add(.book(Book(id: id, title: id))), .remove(.book(id)), .book(id, .lend(to: "Ada")), .book(id, .bringBack), .retire(id),
            .restore(id),
          ][random.below(6)]
        }
        .invariant("two books at most") { $0.shelf.count(where: { $0.reader == "Ada" }) <= 2 }
        .invariant("an archived book is not lent") { $0.archive.allSatisfy { $0.reader == nil } }
        .check()
      }
      // end
    }
  }
#endif
