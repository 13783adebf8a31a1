public import Alter
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The commands of other programs, such as App Intents. Each one opens the list, makes one change, and returns when it is on the disk.
///
/// The app may have the same list open: its store shows the change, and neither one loses changes of the other.
public struct ListCommands: Sendable {
  private let place: JournalPlace
  private let today: @Sendable () -> Day

  /// The commands on a list.
  ///
  /// - Parameters:
  ///   - place: The location of the list.
  ///   - today: Returns the user's current day.
  public init(at place: JournalPlace, today: @escaping @Sendable () -> Day = { .today() }) {
    (self.place, self.today) = (place, today)
  }

  /// Adds an item.
  ///
  /// - Throws: ``ItemText/Problem`` for a text that can't become an item; `JournalError` if the list can't be opened; `CommitError`.
  /// - Returns: The item.
  @discardableResult
  public func add(_ text: String) async throws -> TodoItem {
    let item = try ItemText(text).item(id: UUID(), today: today())
    try await change { _ in [.add(.item(item))] }
    return item
  }

  /// Completes an item. An item that is done already stays as it is.
  ///
  /// - Throws: `ChangeError` if the list does not contain the item; `JournalError` if the list can't be opened; `CommitError`.
  public func complete(_ id: UUID) async throws {
    try await change { state in
      if let item = state.items[id: id], item.completed { return [] }
      return [.item(id, .completed(true)), .item(id, .finished(today()))]
    }
  }

  /// The open items, the most urgent first.
  ///
  /// - Throws: `JournalError` if the list can't be opened.
  public func open(matching search: String = "") async throws -> [ItemRow] {
    let today = today()
    return try await withStore { ListScreen($0.state, search: search, order: .due, today: today).rows }
  }

  /// The items with these ids that the list contains.
  ///
  /// - Throws: `JournalError` if the list can't be opened.
  public func items(_ ids: [UUID]) async throws -> [ItemRow] {
    let today = today()
    return try await withStore { store in
      ListScreen(store.state, filter: .all, today: today).rows.filter { ids.contains($0.id) }
    }
  }

  private func change(_ changes: (AppState) -> [AppState.Change]) async throws {
    try await withStore { try await $0.change(changes($0.state)).durable() }
  }

  private func withStore<Value>(_ body: (Store<AppState>) async throws -> Value) async throws -> Value {
    let store = try await Store.open(AppState(), in: place)
    do {
      let value = try await body(store)
      _ = await store.close()
      return value
    } catch {
      _ = await store.close()
      throw error
    }
  }
}
