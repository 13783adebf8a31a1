public import Alter
import _AlterTerminal

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A command of a page: an intention, which becomes changes on the server.
///
/// A page may show an outdated list. Therefore a command states an intention (`complete`) for ids, and the changes are made for the current
/// list. The client may choose the id of a new item: if it repeats a request whose answer was lost, the item isn't added twice.
public enum ListCommand: Sendable, Hashable {
  /// Adds an item from a line as the user types it: a line of todo.txt, in which `due:tomorrow` is also understood.
  case add(id: UUID?, line: String)
  /// Completes or reopens an item.
  case complete(UUID, Bool)
  /// Sets the text of an item. A `due:` in it becomes the due day.
  case rename(UUID, String)
  /// Sets the due day of an item, as users type it, or removes it.
  case due(UUID, String?)
  /// Sets or removes the priority of an item.
  case prioritize(UUID, Priority?)
  /// Adds a tag to an item.
  case tag(UUID, String)
  /// Removes a tag from an item.
  case untag(UUID, String)
  /// Adds a note.
  case note(id: UUID?, text: String)
  /// Removes an item.
  case remove(UUID)
  /// Removes all completed items.
  case clearCompleted

  /// The maximum length of an item's text, in bytes. It exceeds any realistic text, and keeps pages small.
  public static let longestText = 4_000
  /// The maximum length of a tag's name, in bytes.
  public static let longestTag = 100
  /// The maximum length of a note, in bytes.
  public static let longestNote = 16_000
  /// The maximum number of commands in a request.
  public static let most = 500

  /// The reason why a command fails.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The command is impossible for any list.
    case impossible(String)
    /// The current list refuses the command.
    case refused(Refusal)

    /// The problem and the next step.
    public var description: String {
      switch self {
      case .impossible(let why): why
      case .refused(.missing("item", _)): "The item isn't in the list any more: it was removed elsewhere."
      case .refused(let refusal): refusal.message
      }
    }
  }

  /// The changes for a list of commands. Each command applies to the list that the previous ones have left.
  ///
  /// - Parameters:
  ///   - commands: The commands, in order: all or none.
  ///   - state: The current list.
  ///   - today: The current day on the server.
  ///   - newID: Returns the identity of a new element, if the command has none.
  /// - Returns: The changes; none if nothing has to change.
  /// - Throws: ``Problem``.
  public static func changes(
    _ commands: [ListCommand], in state: AppState, today: Day?, newID: () -> UUID = { UUID() }
  ) throws(Problem) -> [AppState.Change] {
    var state = state
    var changes: [AppState.Change] = []
    for command in commands {
      let more = try command.changes(in: state, today: today, newID: newID)
      do throws(Refusal) { state = try state.alter(more) } catch { throw .refused(error) }
      changes += more
    }
    return changes
  }

  private func changes(in state: AppState, today: Day?, newID: () -> UUID) throws(Problem) -> [AppState.Change] {
    switch self {
    case .add(let id, let line):
      let id = id ?? newID()
      // A repeated request: the item exists, and may have been changed since.
      if state.items.contains(id: id) { return [] }
      return [.add(.item(try Self.item(id, line, today)))]
    case .complete(let id, let isDone):
      let item = try Self.item(id, in: state)
      if item.completed == isDone { return [] }
      return isDone ? item.changes(completedOn: today) : [.item(id, .completed(false))]
    case .rename(let id, let text):
      let item = try Self.item(id, in: state)
      let text = TodoLine.spellingOutDays(try Self.line(text, Self.longestText), today: today)
      if text.hasSameBytes(as: item.text) { return [] }
      do throws(TodoLine.Malformed) { return try item.changes(text: text).map { .item(id, $0) } } catch {
        throw .impossible(Self.sentence(error.description))
      }
    case .due(let id, let text):
      let item = try Self.item(id, in: state)
      let day = try text.map { text throws(Problem) in try Self.day(text, today) }
      do throws(Refusal) {
        let changes = try item.changes(due: day)
        return day == item.due && changes.count == 1 ? [] : changes.map { .item(id, $0) }
      } catch { throw .refused(error) }
    case .prioritize(let id, let priority):
      return try Self.item(id, in: state).priority == priority ? [] : [.item(id, .priority(priority))]
    case .tag(let id, let text):
      let item = try Self.item(id, in: state)
      guard text.utf8.count <= Self.longestTag, let name = Tag.name(of: text) else {
        throw .impossible("\(text.quoted) is not a tag: a tag is a single word, as in home, @home or +garage.")
      }
      return state.tags(of: item).contains(name) ? [] : [.tag(name, .add(id))]
    case .untag(let id, let name):
      let item = try Self.item(id, in: state)
      do throws(Refusal) { return try item.changes(untagging: Tag.meant(by: [name], among: state.tags(of: item)), in: state) } catch {
        throw .refused(error)
      }
    case .note(let id, let text):
      let id = id ?? newID()
      if state.entries.contains(id: id) { return [] }
      guard text.contains(where: { !$0.isWhitespace }) else { throw .impossible("The note is empty.") }
      guard text.utf8.count <= Self.longestNote else { throw .impossible("The note is too long: it may have \(Self.longestNote) bytes.") }
      return [.add(.entry(Note(id: id, text: text)))]
    case .remove(let id):
      _ = try Self.item(id, in: state)
      return [.remove(.item(id))]
    case .clearCompleted:
      return state.items.filter(\.completed).map { .remove(.item($0.id)) }
    }
  }

  private static func item(_ id: UUID, in state: AppState) throws(Problem) -> TodoItem {
    guard let item = state.items[id: id] else { throw .refused(.missing("item", id)) }
    return item
  }

  /// A new item of a line.
  private static func item(_ id: UUID, _ line: String, _ today: Day?) throws(Problem) -> TodoItem {
    let line = TodoLine.spellingOutDays(try self.line(line, longestText), today: today)
    let item: TodoItem
    do throws(TodoLine.Malformed) { item = try TodoItem(id: id, adding: Array(line.utf8)[...], today: today) } catch {
      throw .impossible(sentence(error.description))
    }
    guard item.text.contains(where: { !$0.isWhitespace }) else { throw .impossible("The item has no text: type one.") }
    return item
  }

  /// The text, if it is a single line, not empty, and not too long.
  private static func line(_ text: String, _ longest: Int) throws(Problem) -> String {
    guard text.contains(where: { !$0.isWhitespace }) else { throw .impossible("The text is empty: type one.") }
    guard !text.contains(where: \.isNewline) else { throw .impossible("An item is a single line; this text has a line break.") }
    guard text.utf8.count <= longest else { throw .impossible("The text is too long: it may have \(longest) bytes.") }
    return text
  }

  private static func day(_ text: String, _ today: Day?) throws(Problem) -> Day {
    guard let today else { throw .impossible("This computer's clock shows no day of the calendar.") }
    do throws(RelativeDay.Problem) { return try RelativeDay.day(text, today: today) } catch {
      throw .impossible(sentence(error.description))
    }
  }

  /// The message as a complete sentence.
  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}

extension TodoLine {
  /// The line with the days of its `due:` words as dates: `due:fri` becomes `due:2026-11-27`. A word that is not a day stays unchanged.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - today: The user's current day.
  /// - Complexity: O(length).
  public static func spellingOutDays(_ line: String, today: Day?) -> String {
    guard let today else { return line }
    var bytes = Array(line.utf8)
    for word in Byte.words(of: bytes[...]).reversed() {
      let text = String(decoding: word, as: UTF8.self)
      guard text.hasPrefix("due:"), due(in: word) == nil else { continue }
      guard let day = try? RelativeDay.day(String(text.dropFirst(4)), today: today) else { continue }
      bytes.replaceSubrange(word.startIndex..<word.endIndex, with: Array("due:\(day)".utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
