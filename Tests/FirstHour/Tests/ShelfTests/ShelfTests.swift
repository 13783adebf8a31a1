import Alter
import AlterTesting
import Testing

@testable import shelf

@Suite("A shelf")
struct ShelfTests {
  let dune = Book("Dune", pages: 600)

  @Test("reads on, never back, and not beyond the end")
  func reading() throws {
    let shelf = try Shelf().alter(.add(dune), .book("Dune", .read(to: 300)))
    #expect(ShelfView(shelf).lines == ["##########.......... Dune, 300/600", "0 of 12 books this year"])
    #expect(throws: Refusal.self) { try shelf.alter(.book("Dune", .read(to: 299))) }
    #expect(throws: Refusal.self) { try shelf.alter(.book("Dune", .read(to: 601))) }
  }

  @Test("praises once for each book")
  func praising() async {
    let store = TestStore(Shelf(), feedbacks: [praise], in: World { _ in })
    store.send(.add(dune), changing: [#"books["Dune"]"#: dune])
    store.send(
      .book("Dune", .read(to: 600)), changing: [#"books["Dune"].page"#: 600, #"books["Dune"].finishedAt"#: Stamped { $0.time }])
    await store.receive(.praised("Dune"), changing: ["praised": ["Dune"]])
    await store.finish()
  }

  @Test("holds, whatever happens")
  func properties() {
    ChangeProperties(of: Shelf()) { shelf, random in
      let title = ["Dune", "Emma", "Ulysses"][random.below(3)]
      return switch random.below(4) {
      case 0: .add(Book(title, pages: 1 + random.below(9)))
      case 1: .give(title)
      case 2: .book(title, .again)
      default: .book(title, .read(to: random.below(10)))
      }
    }
    .invariant("nobody is past the end") { $0.books.allSatisfy { $0.page <= $0.pages } }
    .check()
  }
}
