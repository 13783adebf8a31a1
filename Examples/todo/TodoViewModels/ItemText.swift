public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The text of an item as a user types it, parsed: the payload of the actions that add and rename an item.
///
/// A user action makes its changes without throwing, so its payload must be valid. The screen shows the ``Problem`` of any other text.
public struct ItemText: Sendable {
  /// The reason why a text can't become an item.
  public enum Problem: Error, Hashable, CustomStringConvertible {
    /// The text is empty.
    case empty
    /// The text has several lines.
    case lineBreak
    /// The text contains a day that does not exist.
    case malformed(TodoLine.Malformed)

    /// The problem and the next step.
    public var description: String {
      switch self {
      case .empty: "Type a text."
      case .lineBreak: "An item is a single line."
      case .malformed(let reason): "\(reason)"
      }
    }
  }

  private let fields: TodoLine
  /// The changes that give an item this text.
  let renaming: [TodoItem.Change]

  /// Parses a text, which may be a line of todo.txt: '(A) Pay rent @home due:2026-12-01'.
  ///
  /// - Parameter typed: The text. Spaces at its ends are ignored.
  /// - Throws: ``Problem``.
  /// - Complexity: O(length).
  public init(_ typed: String) throws(Problem) {
    let text = typed.trimmingSpaces
    guard !text.isEmpty else { throw .empty }
    guard !text.contains(where: \.isNewline) else { throw .lineBreak }
    let item: TodoItem
    do throws(TodoLine.Malformed) {
      item = try TodoItem(id: ItemText.noID, adding: Array(text.utf8)[...], today: nil)
      renaming = try item.text.isEmpty ? [] : item.changes(text: text)
    } catch {
      throw .malformed(error)
    }
    guard !item.text.isEmpty else { throw .empty }
    fields = item.fields
  }

  /// A new item with this text.
  ///
  /// - Parameters:
  ///   - id: The identity.
  ///   - today: The user's current day.
  public func item(id: UUID, today: Day) -> TodoItem {
    var fields = fields
    fields.created = fields.created ?? today
    if fields.completed { fields.finished = fields.finished ?? today }
    return TodoItem(id: id, fields)
  }

  private static let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension String {
  /// The text without white space at its ends.
  var trimmingSpaces: String {
    let rest = drop(while: \.isWhitespace)
    return String(rest.reversed().drop(while: \.isWhitespace).reversed())
  }
}
