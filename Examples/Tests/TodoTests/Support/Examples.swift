import Alter
import Foundation
import TodoCore

/// The n-th id of a test: short, and the same in every run.
func id(_ n: Int) -> UUID {
  let digits = String(n)
  return UUID(uuidString: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits) ?? UUID()
}

/// A list with one item for each line.
func list(_ lines: String...) throws -> AppState {
  try AppState().alter(lines.enumerated().map { .add(.item(TodoItem(id: id($0 + 1), try line($1)))) })
}

/// The fields of a line.
func line(_ text: String) throws -> TodoLine { try TodoLine(parsing: Array(text.utf8)[...]) }

extension Stamp {
  /// A stamp at this time, in seconds since 1970.
  static func seconds(_ seconds: Int64) -> Stamp { Stamp(time: seconds * 1_000_000, origin: Origin(id(99)), sequence: 1) }
}
