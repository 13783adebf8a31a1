import AlterCollections
import AlterCore

// The models of the guide "In SwiftUI", and of these tests.

/// A todo list, with a change that is refused.
nonisolated struct AppState: Alterable, Hashable {
  enum Change: Hashable, Sendable {
    case add(TodoItem)
    case item(Int, TodoItem.Change)
    case remove(Int)
    case note(String)
  }

  private(set) var items: [TodoItem]
  private(set) var note = ""

  init(_ items: [TodoItem] = []) { self.items = items }

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(let item):
      guard !items.contains(where: { $0.id == item.id }) else { throw .duplicate("task", item.id) }
      items.append(item)
    case .item(let id, let change):
      guard let index = items.firstIndex(where: { $0.id == id }) else { throw .missing("task", id) }
      if case .text("") = change { throw .custom("A task needs a text.") }
      items[index].apply(change)
    case .remove(let id): items.removeAll { $0.id == id }
    case .note(let text): note = text
    }
  }
}

nonisolated struct TodoItem: Identifiable, Hashable, Sendable {
  enum Change: Hashable, Sendable { case text(String), completed(Bool) }

  let id: Int
  private(set) var text: String
  private(set) var completed = false

  init(id: Int, text: String) { (self.id, self.text) = (id, text) }

  mutating func apply(_ change: Change) {
    switch change {
    case .text(let text): self.text = text
    case .completed(let completed): self.completed = completed
    }
  }
}

nonisolated struct TodoList: Equatable {
  let open: [TodoItem]
  let title: String

  init(_ state: AppState) {
    open = state.items.filter { !$0.completed }
    title = open.isEmpty ? "All done" : "\(open.count) to do"
  }
}

nonisolated struct Recipe: Alterable, Equatable {
  enum Course: CaseIterable { case starter, main, dessert }
  enum Change { case portions(Int), vegetarian(Bool), course(Course) }

  var portions = 2
  var isVegetarian = false
  var course = Course.main

  mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .portions(let portions): self.portions = portions
    case .vegetarian(let isVegetarian): self.isVegetarian = isVegetarian
    case .course(let course): self.course = course
    }
  }
}

nonisolated struct Shelf: Alterable, Equatable {
  enum Change { case add(Book), remove(Int), move(Int, to: Int), read(Int) }

  var books: IdentityArray<Book> = []

  mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .add(let book): try books.add(book)
    case .remove(let id): try books.remove(id: id)
    case .move(let id, let position): try books.move(id, to: position)
    case .read(let id): guard books.modify(id: id, { $0.isRead = true }) != nil else { throw .missing("book", id) }
    }
  }
}

nonisolated struct Book: Identifiable, Hashable, Sendable {
  let id: Int
  var title: String
  var isRead = false
}
