public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The state of a live view besides the list: the position of the cursor, and the text that the user is typing.
///
/// The model decides the meaning of a key, and the caller carries it out. Therefore tests need no terminal.
public struct WatchModel: Sendable, Hashable {
  /// The mode, which decides the meaning of the keys.
  public enum Mode: Sendable, Hashable {
    /// The keys move the cursor and change items.
    case browsing
    /// The keys edit the text of an item.
    case renaming(UUID, LineEditor)
    /// The keys edit the text of a new item.
    case adding(LineEditor)
    /// The help is shown. Any key closes it.
    case help
    /// The refused changes of a synced list are shown. The keys are about the chosen one.
    case refused(EntryID)
    /// The history of a synced list is shown, from this line on.
    case history(Int)
  }

  /// The action that a key requests.
  public enum Request: Sendable, Hashable {
    /// Make these changes, all or none.
    case change([AppState.Change])
    case undo, redo, quit, suspend, redraw
    /// Make a refused change again.
    case retry(EntryID)
    /// Give a refused change up.
    case dismiss(EntryID)
  }

  /// The current mode.
  public private(set) var mode = Mode.browsing
  /// The item under the cursor.
  public private(set) var cursor: UUID?
  /// The cursor's position in the list, from 0.
  public private(set) var place = 0
  /// The message to show until the next key.
  public var message = ""
  /// The number of rows that a page key moves.
  public var pageSize = 10

  /// The place of the chosen refused change, from 0.
  private var refusedPlace = 0

  /// The model of a view that has just started.
  public init() {}

  /// Adopts a new state of the list. The cursor stays on its item, even if the item moved. If the item was removed, the cursor keeps its
  /// position.
  public mutating func follow(_ state: AppState) {
    if let cursor, let now = state.items.index(of: cursor) { place = now }
    move(to: place, in: state)
    if case .renaming(let id, _) = mode, !state.items.contains(id: id) {
      mode = .browsing
      message = "Another process has removed the item."
    }
  }

  /// Adopts a new state of the sync. If the chosen refused change is settled, none is chosen: a key that the user is just pressing must be about
  /// no other one.
  public mutating func follow(_ sync: SyncPanel) {
    guard case .refused(let id) = mode else { return }
    if let now = sync.refused.firstIndex(where: { $0.id == id }) { refusedPlace = now }
    if sync.refused.isEmpty { message = "No change is refused any more. Press Esc to go back." }
  }

  /// Handles a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - state: The list.
  ///   - sync: The sync of the list; nil if it is not synced.
  ///   - today: The user's current day.
  ///   - newID: Returns the identity of a new item.
  /// - Returns: The requested action; nil if only the view has changed.
  public mutating func press(_ key: Key, in state: AppState, sync: SyncPanel? = nil, today: Day?, newID: () -> UUID = { UUID() })
    -> Request?
  {
    message = ""
    if key == .control("c") { return .quit }
    if key == .control("z") { return .suspend }
    if key == .control("l") { return .redraw }
    switch mode {
    case .browsing:
      if let sync, showSync(key, sync) { return nil }
      return browse(key, state, today)
    case .refused(let id): return decide(key, id, sync?.refused ?? [])
    case .history(let top):
      scroll(key, from: top, of: sync?.history.count ?? 0)
      return nil
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

  /// Opens a screen of a synced list.
  ///
  /// - Returns: Whether the key opens one.
  private mutating func showSync(_ key: Key, _ sync: SyncPanel) -> Bool {
    switch key {
    case .character("h"): mode = .history(0)
    case .character("R") where sync.refused.isEmpty: message = "No change is refused."
    case .character("R"): choose(0, of: sync.refused)
    default: return false
    }
    return true
  }

  private mutating func decide(_ key: Key, _ id: EntryID, _ refused: [SyncPanel.Refused]) -> Request? {
    let isThere = refused.contains { $0.id == id }
    switch key {
    // The next one has taken the place of a settled one.
    case .down, .character("j"): choose(refusedPlace + (isThere ? 1 : 0), of: refused)
    case .up, .character("k"): choose(refusedPlace - 1, of: refused)
    case .home, .character("g"): choose(0, of: refused)
    case .end, .character("G"): choose(.max, of: refused)
    case .character("r") where isThere: return .retry(id)
    case .character("d") where isThere: return .dismiss(id)
    case .character("r"), .character("d"): message = "That change is settled. Press j or k to choose another one, Esc to go back."
    case .character("q"), .escape, .character("R"): mode = .browsing
    default: message = "Press r to make the change again, d to dismiss it, Esc to go back."
    }
    return nil
  }

  private mutating func choose(_ place: Int, of refused: [SyncPanel.Refused]) {
    refusedPlace = max(0, min(place, refused.count - 1))
    mode = refused.isEmpty ? .browsing : .refused(refused[refusedPlace].id)
  }

  private mutating func scroll(_ key: Key, from top: Int, of count: Int) {
    let next: Int
    switch key {
    case .down, .character("j"): next = top + 1
    case .up, .character("k"): next = top - 1
    case .pageDown: next = top + pageSize
    case .pageUp: next = top - pageSize
    case .home, .character("g"): next = 0
    case .end, .character("G"): next = count - 1
    default:
      mode = .browsing
      return
    }
    mode = .history(max(0, min(next, count - 1)))
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
