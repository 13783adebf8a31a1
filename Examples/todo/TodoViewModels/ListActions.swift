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
  /// Removes items, all or none: one step to undo.
  public let remove: UserAction<[UUID]>
  /// Removes all completed items: one step to undo.
  public let clearDone: UserAction<Void>

  /// The actions on a store.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - today: Returns the user's current day.
  ///   - newID: Returns the identity of a new item.
  public init(
    _ store: Store<AppState>, today: @escaping @Sendable () -> Day = { .today() }, newID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    add = UserAction(store) { text in .add(.item(text.item(id: newID(), today: today()))) }
    remove = UserAction(store, changes: { ids in ids.map { .remove(.item($0)) } })
    clearDone = UserAction(store, changes: { store.state.items.filter(\.completed).map { .remove(.item($0.id)) } })
  }
}

/// The actions on one item, for its row and its screen.
public struct ItemActions: Sendable {
  /// Completes or reopens the item.
  public let setDone: UserAction<Bool>
  /// Sets the text, and the due day if the text names one.
  public let rename: UserAction<ItemText>
  /// Sets or removes the due day.
  public let setDue: UserAction<Day?>
  /// Sets or removes the priority.
  public let setPriority: UserAction<Priority?>
  /// Removes the item.
  public let remove: UserAction<Void>

  /// The actions on an item of a store.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - id: The item's id. If the list no longer contains it, each action returns the refusal.
  ///   - today: Returns the user's current day.
  public init(_ store: Store<AppState>, id: UUID, today: @escaping @Sendable () -> Day = { .today() }) {
    setDone = UserAction(
      store,
      changes: { isDone in
        isDone ? [.item(id, .completed(true)), .item(id, .finished(today()))] : [.item(id, .completed(false))]
      })
    rename = UserAction(store, changes: { text in text.renaming.map { .item(id, $0) } })
    setDue = UserAction(
      store,
      changes: { day in
        // Without a day, the words for days in the text go, too, unless nothing would be left.
        let changes = store.state.items[id: id].flatMap { try? $0.changes(due: day) } ?? [.due(day)]
        return changes.map { .item(id, $0) }
      })
    setPriority = UserAction(store) { .item(id, .priority($0)) }
    remove = UserAction(store, .remove(.item(id)))
  }
}
