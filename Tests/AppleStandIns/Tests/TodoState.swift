import AlterCore
import Foundation

/// The state of these tests: a todo list, with a change that is refused.
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

/// Counts from any thread.
nonisolated final class Calls: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var value: Int { lock.withLock { number } }
  func count() { lock.withLock { number += 1 } }
}
