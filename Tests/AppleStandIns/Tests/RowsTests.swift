import AlterCollections
import AlterCore
import AlterStore
import AlterSwiftUI
import SwiftUI
import Testing
import ViewEvaluator

@MainActor
@Suite struct RowsTests {
  @Test func `a gesture deletes the rows that were shown, whatever has changed meanwhile`() throws {
    let store = shelf(of: 5)
    let screen = Screen { ShelfView(store: store) }
    let before = store.revision
    // The screen has not seen this change yet: no task has run since.
    try store.change(.remove(0))
    screen.delete([1, 3])
    #expect(store.state.books.map(\.id) == [2, 4])
    #expect(store.revision == before + 2)
  }

  @Test func `a row that was deleted elsewhere meanwhile does not refuse the deletion of the others`() throws {
    let store = shelf(of: 3)
    let screen = Screen { ShelfView(store: store) }
    try store.change(.remove(0))
    screen.delete([0, 1])
    #expect(store.state.books.map(\.id) == [2])
    #expect(screen.alert == nil)
  }

  @Test func `rows move as SwiftUI documents it`() {
    for mask in 0..<32 {
      for destination in 0...5 {
        let offsets = IndexSet((0..<5).filter { mask & (1 << $0) != 0 })
        var expected = Array(0..<5)
        expected.move(fromOffsets: offsets, toOffset: destination)
        let store = shelf(of: 5)
        let before = store.revision
        Screen { ShelfView(store: store) }.move(offsets, to: destination)
        #expect(store.state.books.map(\.id) == expected, "\(Array(offsets)) to \(destination)")
        #expect(store.revision == (expected == Array(0..<5) ? before : before + 1))
      }
    }
  }

  @Test func `a row of a filtered list moves before the row that it was dropped on`() throws {
    let store = shelf(of: 5)
    try store.change(.read(1), .read(3))
    let screen = Screen { ShelfView(store: store) }
    #expect(screen.texts == ["0", "2", "4"])
    screen.move([0], to: 2)
    #expect(screen.texts == ["2", "0", "4"])
    #expect(store.state.books.map(\.id) == [1, 2, 3, 0, 4])
  }

  @Test func `a row moves to its place in the list as it is now`() throws {
    let store = shelf(of: 5)
    let screen = Screen { ShelfView(store: store) }
    try store.change(.move(4, to: 0), .remove(2), .add(Book(id: 5, title: "5")))
    // Dropped on 2, which is gone: before 3.
    screen.move([0], to: 2)
    #expect(store.state.books.map(\.id) == [4, 1, 0, 3, 5])
  }

  @Test func `below all rows is the end, also of elements that are not shown yet`() throws {
    let store = shelf(of: 3)
    let screen = Screen { ShelfView(store: store) }
    try store.change(.add(Book(id: 3, title: "3")), .remove(1))
    screen.move([0, 1], to: 3)
    #expect(store.state.books.map(\.id) == [2, 3, 0])
  }

  @Test func `a row that is shown twice is deleted and moved once`() {
    let store = shelf(of: 3)
    let screen = Screen { TwiceView(store: store) }
    #expect(screen.texts == ["0", "1", "2", "0", "1", "2"])
    screen.move([0, 3], to: 6)
    #expect(store.state.books.map(\.id) == [1, 2, 0])
    screen.delete([0, 3])
    #expect(store.state.books.map(\.id) == [2, 0] && screen.alert == nil)
  }

  @Test func `positions that the list does not have are left out`() {
    let store = shelf(of: 3)
    let screen = Screen { ShelfView(store: store) }
    screen.delete([2, 3, 9])
    #expect(store.state.books.map(\.id) == [0, 1])
    screen.move([0, 7], to: 99)
    #expect(store.state.books.map(\.id) == [1, 0])
    let before = store.revision
    screen.move([5], to: 0)
    screen.delete([5])
    #expect(store.revision == before)
  }

  @Test func `a row that is deleted while its text is edited loses the typed text and shows the reason`() throws {
    let store = Store<AppState>.preview(AppState(), .add(TodoItem(id: 1, text: "milk")))
    let screen = Screen { ListView(store: store) }
    screen.enter("oat milk", into: "Title")
    try store.change(.remove(1))
    screen.leave("Title")
    #expect(screen.alert?.message == "There is no task '1'.")
    #expect(store.state.items.isEmpty && !screen.texts.contains("Title"))
  }

  @Test func `a gesture is one step to undo`() async throws {
    let store = shelf(of: 5)
    let screen = Screen { ShelfView(store: store) }
    screen.delete([0, 2, 4])
    screen.move([0], to: 2)
    try await store.undo()
    try await store.undo()
    #expect(store.state.books.map(\.id) == [0, 1, 2, 3, 4])
  }
}

/// A list with duplicate ids, whose behaviour SwiftUI does not define.
private struct TwiceView: View {
  @ObservedValue<Shelf, [Book]> private var books: [Book]

  init(store: Store<Shelf>) { _books = ObservedValue(store) { Array($0.books) + Array($0.books) } }

  var body: some View {
    List {
      ForEach(books) { Text($0.title) }
        .editRows(of: $books, \.books, delete: { .remove($0) }, move: { .move($0, to: $1) })
    }
    .refusalAlert("Not possible", of: $books)
  }
}

@MainActor
private func shelf(of count: Int) -> Store<Shelf> { Store(Shelf(books: IdentityArray((0..<count).map { Book(id: $0, title: "\($0)") }))) }
