import AlterCollections
import AlterCore
import AlterStore
import Testing

@testable import AlterSwiftUI

@MainActor
@Suite("Rows that a user deletes and moves") struct RowGestureTests {
  @Test("a gesture deletes the rows that were shown, whatever has changed meanwhile") func deletion() throws {
    let store = shelf(of: 5)
    let shown = unread(store)
    let before = store.revision
    // The screen has not seen this change yet: no task has run since.
    try store.change(.remove(0))
    delete([1, 3], of: shown)
    #expect(store.state.books.map(\.id) == [2, 4])
    #expect(store.revision == before + 2)
  }

  @Test("a row that was deleted elsewhere meanwhile does not refuse the deletion of the others") func deletedElsewhere() throws {
    let store = shelf(of: 3)
    let shown = unread(store)
    try store.change(.remove(0))
    delete([0, 1], of: shown)
    #expect(store.state.books.map(\.id) == [2])
    #expect(shown.refusal == nil)
  }

  @Test("rows move as SwiftUI documents it") func moves() {
    for mask in 0..<32 {
      for destination in 0...5 {
        let offsets = (0..<5).filter { mask & (1 << $0) != 0 }
        let expected = moved(Array(0..<5), offsets, to: destination)
        let store = shelf(of: 5)
        let before = store.revision
        move(offsets, to: destination, of: unread(store))
        #expect(store.state.books.map(\.id) == expected, "\(offsets) to \(destination)")
        #expect(store.revision == (expected == Array(0..<5) ? before : before + 1))
      }
    }
  }

  @Test("a row of a filtered list moves before the row that it was dropped on") func filtered() throws {
    let store = shelf(of: 5)
    try store.change(.read(1), .read(3))
    let shown = unread(store)
    #expect(shown.value.map(\.id) == [0, 2, 4])
    move([0], to: 2, of: shown)
    #expect(shown.value.map(\.id) == [2, 0, 4])
    #expect(store.state.books.map(\.id) == [1, 2, 3, 0, 4])
  }

  @Test("a row moves to its place in the list as it is now") func movedElsewhere() throws {
    let store = shelf(of: 5)
    let shown = unread(store)
    try store.change(.move(4, to: 0), .remove(2), .add(Book(id: 5, title: "5")))
    // Dropped on 2, which is gone: before 3.
    move([0], to: 2, of: shown)
    #expect(store.state.books.map(\.id) == [4, 1, 0, 3, 5])
  }

  @Test("below all rows is the end, also of elements that are not shown yet") func end() throws {
    let store = shelf(of: 3)
    let shown = unread(store)
    try store.change(.add(Book(id: 3, title: "3")), .remove(1))
    move([0, 1], to: 3, of: shown)
    #expect(store.state.books.map(\.id) == [2, 3, 0])
  }

  @Test("a row that is shown twice is deleted and moved once") func twice() {
    let store = shelf(of: 3)
    let shown = store.observed { Array($0.books) + Array($0.books) }
    #expect(shown.value.map(\.id) == [0, 1, 2, 0, 1, 2])
    move([0, 3], to: 6, of: shown)
    #expect(store.state.books.map(\.id) == [1, 2, 0])
    delete([0, 3], of: shown)
    #expect(store.state.books.map(\.id) == [2, 0] && shown.refusal == nil)
  }

  @Test("positions that the list does not have are left out") func positions() {
    let store = shelf(of: 3)
    let shown = unread(store)
    delete([2, 3, 9], of: shown)
    #expect(store.state.books.map(\.id) == [0, 1])
    move([0, 7], to: 99, of: shown)
    #expect(store.state.books.map(\.id) == [1, 0])
    let before = store.revision
    move([5], to: 0, of: shown)
    delete([5], of: shown)
    #expect(store.revision == before)
  }

  @Test("a gesture is one step to undo") func undo() async throws {
    let store = shelf(of: 5)
    let shown = unread(store)
    delete([0, 2, 4], of: shown)
    move([0], to: 2, of: shown)
    try await store.undo()
    try await store.undo()
    #expect(store.state.books.map(\.id) == [0, 1, 2, 3, 4])
  }

  // The parts of these tests

  private func shelf(of count: Int) -> Store<Shelf> {
    Store(Shelf(books: IdentityArray((0..<count).map { Book(id: $0, title: "\($0)") })))
  }

  /// The rows that a screen shows.
  private func unread(_ store: Store<Shelf>) -> Observed<Shelf, [Book]> { store.observed { $0.books.filter { !$0.isRead } } }

  private func delete(_ offsets: [Int], of shown: Observed<Shelf, [Book]>) {
    shown.delete(offsets, of: shown.value.map(\.id), in: \.books) { .remove($0) }
  }

  private func move(_ offsets: [Int], to destination: Int, of shown: Observed<Shelf, [Book]>) {
    shown.move(offsets, to: destination, of: shown.value.map(\.id), in: \.books) { .move($0, to: $1) }
  }

  /// The documented result of SwiftUI's `move(fromOffsets:toOffset:)`.
  private func moved(_ rows: [Int], _ offsets: [Int], to destination: Int) -> [Int] {
    let others = rows.indices.filter { !offsets.contains($0) }
    return (others.filter { $0 < destination } + offsets + others.filter { $0 >= destination }).map { rows[$0] }
  }
}
