import Alter
import Foundation
import TodoCore

/// The n-th id of a test.
func id(_ n: Int) -> UUID {
  let digits = String(n)
  return UUID(uuidString: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits) ?? UUID()
}

/// A list in memory with one item for each line, which have the ids 1, 2 …
func store(_ lines: String...) throws -> Store<AppState> {
  let store = Store(AppState())
  for (place, line) in lines.enumerated() {
    try store.change(.add(.item(TodoItem(id: id(place + 1), try TodoLine(parsing: Array(line.utf8)[...])))))
  }
  return store
}
