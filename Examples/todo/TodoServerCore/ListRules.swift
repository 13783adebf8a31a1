import Alter
public import TodoCore

/// The rules of the server about the changes of a list. They are made for people: each refusal says who may do it, or how to go on.
public struct ListRules: Hashable, Sendable {
  /// The most items of a list.
  public var items: Int

  /// The rules.
  ///
  /// - Parameter items: The most items of a list; 10,000 by default.
  public init(items: Int = 10_000) { self.items = items }

  /// The reason against a change; nil if it is permitted.
  ///
  /// - Parameters:
  ///   - changes: The changes that are made, or that an undo or a redo is about.
  ///   - state: The list before it.
  ///   - list: The name of the list.
  ///   - user: The user who makes it.
  public func objection(to changes: [AppState.Change], in state: AppState, of list: String, by user: String) -> String? {
    let owner = Accounts.owner(of: list)
    let isOwner = owner == user
    var count = state.items.count
    for change in changes {
      switch change {
      case .add(.item(let item)): if !state.items.contains(id: item.id) { count += 1 }
      case .remove(.item):
        guard isOwner else { return "Only \(owner), who owns this list, removes items. Complete the item instead, or ask \(owner)." }
        count -= 1
      case .remove, .replace:
        guard isOwner else { return "Only \(owner), who owns this list, removes things from it." }
        if case .replace(let other) = change { count = other.items.count }
      case .synced: return "A list on the server is no copy of another one."
      default: break
      }
    }
    guard count <= items || count <= state.items.count else {
      return "The list is full: it has \(state.items.count) items, and the server takes \(items). Remove items first."
    }
    return nil
  }
}
