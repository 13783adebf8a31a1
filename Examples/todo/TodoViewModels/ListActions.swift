public import Alter
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The actions of the list's screen.
public struct ListActions: Sendable {
  /// Adds an item.
  public let add: UserAction<ItemText>
  /// Removes all completed items: one step to undo.
  public let clearDone: UserAction<Void>

  /// The actions on a store.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - send: Makes the changes, all or none; the store itself by default. A screen passes an action that shows them at once.
  ///   - today: Returns the user's current day.
  ///   - newID: Returns the identity of a new item.
  public init(
    _ store: Store<AppState>, through send: UserAction<[AppState.Change]>? = nil, today: @escaping @Sendable () -> Day = { .today() },
    newID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    let send = send ?? UserAction(store, changes: { $0 })
    add = send.provide { text in [.add(.item(text.item(id: newID(), today: today())))] }
    clearDone = send.provide { store.state.items.filter(\.completed).map { .remove(.item($0.id)) } }
  }
}

/// The actions on one item, for its row and its screen.
public struct ItemActions: Sendable {
  /// Completes or reopens the item. An item that is done already keeps its day.
  public let setDone: UserAction<Bool>
  /// Sets the text, and the due day if the text names one.
  public let rename: UserAction<ItemText>
  /// Sets or removes the due day.
  public let setDue: UserAction<Day?>
  /// Sets or removes the priority.
  public let setPriority: UserAction<Priority?>
  /// Adds a tag. An item that has the tag stays as it is.
  public let tag: UserAction<TagName>
  /// Removes a tag, given by its name, from the item and its text. A tag that is the whole text stays: see ``ItemScreen/TagRow/canRemove``.
  public let untag: UserAction<String>
  /// Removes the item.
  public let remove: UserAction<Void>

  /// The actions on an item of a store.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - id: The item's id. If the list no longer contains it, each action returns the refusal.
  ///   - send: Makes the changes, all or none; the store itself by default. A screen passes an action that shows them at once.
  ///   - today: Returns the user's current day.
  public init(
    _ store: Store<AppState>, id: UUID, through send: UserAction<[AppState.Change]>? = nil,
    today: @escaping @Sendable () -> Day = { .today() }
  ) {
    let send = send ?? UserAction(store, changes: { $0 })
    setDone = send.provide { isDone in
      // Another process may have been first. The day of its completion stays.
      if let item = store.state.items[id: id], item.completed == isDone { return [] }
      return isDone ? [.item(id, .completed(true)), .item(id, .finished(today()))] : [.item(id, .completed(false))]
    }
    rename = send.provide { text in text.renaming.map { .item(id, $0) } }
    setDue = send.provide { day in
      // Without a day, the words for days in the text go, too, unless nothing would be left.
      let changes = store.state.items[id: id].flatMap { try? $0.changes(due: day) } ?? [.due(day)]
      return changes.map { .item(id, $0) }
    }
    setPriority = send.provide { [.item(id, .priority($0))] }
    tag = send.provide { tag in
      // A change of an item that is gone is refused.
      guard let item = store.state.items[id: id], store.state.tags(of: item).contains(tag.name) else { return [.tag(tag.name, .add(id))] }
      return []
    }
    untag = send.provide { name in
      let state = store.state
      guard let item = state.items[id: id] else { return [.tag(name, .add(id))] }
      return (try? item.changes(untagging: [name], in: state)) ?? []
    }
    remove = send.provide([.remove(.item(id))])
  }
}
