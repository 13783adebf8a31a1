public import Alter
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The actions on one item, for its row and its screen. If the list no longer contains the item, each of them is refused.
public struct ItemActions: Sendable {
  /// Completes or reopens the item.
  public let setDone: UserAction<Bool>
  /// Sets the text, and the due day if the text names one. A text that can't be an item's changes nothing.
  public let rename: UserAction<String>
  /// Sets or removes the due day.
  public let setDue: UserAction<Day?>
  /// Removes the item.
  public let remove: UserAction<Void>

  /// The actions on an item that a screen shows.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - screen: The screen's observed value, which shows each change, or its refusal, before the action returns.
  ///   - today: Returns the user's current day.
  public init<Value>(_ item: TodoItem, on screen: Observed<AppState, Value>, today: @escaping @Sendable () -> Day = { .today() }) {
    let edit = UserAction(screen) { (changes: [TodoItem.Change]) in changes.map { .item(item.id, $0) } }
    setDone = edit.provide { isDone in isDone ? [.completed(true), .finished(today())] : [.completed(false)] }
    rename = edit.provide { typed in typed.allSatisfy(\.isWhitespace) ? [] : (try? item.changes(text: typed)) ?? [] }
    // Without a day, the words for days in the text go, too, unless nothing would be left.
    setDue = edit.provide { day in (try? item.changes(due: day)) ?? [.due(day)] }
    remove = UserAction(screen, .remove(.item(item.id)))
  }
}

extension TodoItem {
  /// A new item from a line as the user types it, which may be one of todo.txt: '(A) Pay rent @home due:2026-12-01'.
  ///
  /// An action makes its change without throwing. Its payload is therefore an item, and not a text that may be none.
  ///
  /// - Parameters:
  ///   - line: The line. It is no item if its text is empty, or if it names a day that does not exist.
  ///   - id: The identity.
  ///   - today: The user's current day.
  public init?(typed line: String, id: UUID = UUID(), today: Day) {
    guard let item = try? TodoItem(id: id, adding: Array(line.utf8)[...], today: today), !item.text.isEmpty else { return nil }
    self = item
  }
}
