import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a live view of a list remembers besides the list: where the cursor is, and what is being typed.
///
/// It decides what a key means; somebody else carries it out. So all of it can be tested without a terminal.
public struct WatchModel: Sendable, Hashable {
  /// What the keys do.
  public enum Mode: Sendable, Hashable {
    /// They move and act.
    case browsing
    /// They write another text of an item.
    case renaming(UUID, LineEditor)
    /// They write the text of a new item.
    case adding(LineEditor)
    /// They end the help.
    case help
  }

  /// What a key asks for.
  public enum Request: Sendable, Hashable {
    /// Changes, all or none.
    case change([AppState.Change])
    case undo, redo, quit, suspend, redraw
  }

  /// What the keys do now.
  public private(set) var mode = Mode.browsing
  /// The item that the cursor is on.
  public private(set) var cursor: UUID?
  /// Its place in the list, from 0.
  public private(set) var place = 0
  /// What there is to say, until the next key.
  public var message = ""
  /// How far a page is.
  public var pageSize = 10

  /// A view that has just begun.
  public init() {}

  /// Takes another state of the list in: the cursor stays on its item, wherever that is now; if it is gone, at its place.
  public mutating func follow(_ state: AppState) {
    if let cursor, let now = state.items.index(of: cursor) { place = now }
    move(to: place, in: state)
    if case .renaming(let id, _) = mode, !state.items.contains(id: id) {
      mode = .browsing
      message = "Another process has removed the item."
    }
  }

  /// Takes a key in.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - state: The list.
  ///   - today: The day it is where the user sits.
  ///   - newID: Gives a new item its identity.
  /// - Returns: What is to be done; nil when nothing but the view has changed.
  public mutating func press(_ key: Key, in state: AppState, today: Day?, newID: () -> UUID = { UUID() }) -> Request? {
    message = ""
    if key == .control("c") { return .quit }
    if key == .control("z") { return .suspend }
    if key == .control("l") { return .redraw }
    switch mode {
    case .browsing: return browse(key, state, today)
    case .help:
      mode = .browsing
      return nil
    case .renaming(let id, var editor):
      guard key == .enter else {
        editor.press(key)
        mode = key == .escape ? .browsing : .renaming(id, editor)
        return nil
      }
      return rename(id, editor.text, state)
    case .adding(var editor):
      guard key == .enter else {
        editor.press(key)
        mode = key == .escape ? .browsing : .adding(editor)
        return nil
      }
      return add(editor.text, newID(), today)
    }
  }

  private mutating func browse(_ key: Key, _ state: AppState, _ today: Day?) -> Request? {
    switch key {
    case .character("q"): return .quit
    case .character("u"): return .undo
    case .character("r"): return .redo
    case .character("?"): mode = .help
    case .character("a"): mode = .adding(LineEditor(""))
    case .down, .character("j"): move(to: place + 1, in: state)
    case .up, .character("k"): move(to: place - 1, in: state)
    case .pageDown: move(to: place + pageSize, in: state)
    case .pageUp: move(to: place - pageSize, in: state)
    case .home, .character("g"): move(to: 0, in: state)
    case .end, .character("G"): move(to: .max, in: state)
    case .character(" "), .character("x"), .character("e"), .enter, .character("d"):
      guard let cursor, let item = state.items[id: cursor] else {
        message = "There is no item here. Press a to add one."
        return nil
      }
      switch key {
      case .character("e"), .enter: mode = .renaming(item.id, LineEditor(item.text))
      case .character("d"): return .change([.remove(.item(item.id))])
      default: return .change(item.completed ? [.item(item.id, .completed(false))] : item.changes(completedOn: today))
      }
    default: message = "Press ? for help."
    }
    return nil
  }

  private mutating func move(to place: Int, in state: AppState) {
    self.place = max(0, min(place, state.items.count - 1))
    cursor = state.items.isEmpty ? nil : state.items[self.place].id
  }

  private mutating func rename(_ id: UUID, _ text: String, _ state: AppState) -> Request? {
    guard let item = state.items[id: id] else { return nil }
    guard text.contains(where: { !$0.isWhitespace }) else {
      message = "The text is empty. Press Esc to keep the old one."
      return nil
    }
    do throws(TodoLine.Malformed) {
      let changes = try item.changes(text: text)
      mode = .browsing
      return text.hasSameBytes(as: item.text) ? nil : .change(changes.map { .item(id, $0) })
    } catch {
      message = "\(error)"
      return nil
    }
  }

  private mutating func add(_ text: String, _ id: UUID, _ today: Day?) -> Request? {
    guard text.contains(where: { !$0.isWhitespace }) else {
      mode = .browsing
      return nil
    }
    do throws(TodoLine.Malformed) {
      let item = try TodoItem(id: id, adding: Array(text.utf8)[...], today: today)
      mode = .browsing
      cursor = id
      return .change([.add(.item(item))])
    } catch {
      message = "\(error)"
      return nil
    }
  }
}
