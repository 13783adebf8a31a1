public import Alter
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The commands of other programs, such as App Intents. Each one opens the list, makes one change, and returns when it is on the disk.
///
/// The app may have the same list open: its store shows the change, and neither one loses changes of the other. If another process holds the
/// list's lock for too long, a command gives up, because the system ends an intent that takes long.
public struct ListCommands: Sendable {
  /// The reason why a command gave up.
  public enum Problem: Error, Hashable, CustomStringConvertible {
    /// The change was not made, and will not be.
    case notMade
    /// The change may have been made.
    case unknown

    /// The problem and the next step.
    public var description: String {
      switch self {
      case .notMade: "The list is in use. Nothing was changed. Try again."
      case .unknown: "The list is in use. The change may have been made: check the list before you try again."
      }
    }
  }

  private let place: JournalPlace
  private let readingPlace: JournalPlace
  private let patience: Duration
  private let today: @Sendable () -> Day

  /// The commands on a list.
  ///
  /// - Parameters:
  ///   - place: The location of the list.
  ///   - readingPlace: The same location, opened for reading only. Reading then waits for no other process, and creates no list.
  ///   - patience: The time to wait while the list can't be written, in addition to the journal's own.
  ///   - today: Returns the user's current day.
  public init(
    at place: JournalPlace, reading readingPlace: JournalPlace, patience: Duration = .seconds(5),
    today: @escaping @Sendable () -> Day = { .today() }
  ) {
    (self.place, self.readingPlace, self.patience, self.today) = (place, readingPlace, patience, today)
  }

  /// Adds an item.
  ///
  /// - Throws: ``ItemText/Problem`` for a text that can't become an item; `JournalError` if the list can't be opened; ``Problem`` if it can't be written in time; `CommitError`.
  /// - Returns: The item.
  @discardableResult
  public func add(_ text: String) async throws -> TodoItem {
    let item = try ItemText(text).item(id: UUID(), today: today())
    try await change { _ in [.add(.item(item))] }
    return item
  }

  /// Completes an item. An item that is done already stays as it is.
  ///
  /// - Throws: `ChangeError` if the list does not contain the item; `JournalError` if the list can't be opened; ``Problem`` if it can't be
  ///   written in time; `CommitError`.
  public func complete(_ id: UUID) async throws {
    try await change { state in
      if let item = state.items[id: id], item.completed { return [] }
      return [.item(id, .completed(true)), .item(id, .finished(today()))]
    }
  }

  /// The open items, the most urgent first. A list that does not exist yet has none.
  ///
  /// - Throws: `JournalError` if the list can't be read.
  public func open(matching search: String = "") async throws -> [ItemRow] {
    let today = today()
    return ListScreen(try await state(), search: search, order: .due, today: today).rows
  }

  /// The items with these ids that the list contains.
  ///
  /// - Throws: `JournalError` if the list can't be read.
  public func items(_ ids: [UUID]) async throws -> [ItemRow] {
    let today = today()
    return ListScreen(try await state(), filter: .all, today: today).rows.filter { ids.contains($0.id) }
  }

  private func state() async throws -> AppState {
    do throws(JournalError) { return try await AppState(reading: try await readingPlace.open()) } catch {
      guard error.code == .unreachable else { throw error }
      return AppState()
    }
  }

  private func change(_ changes: (AppState) -> [AppState.Change]) async throws {
    var options = StoreOptions()
    options.followsOthers = false
    options.outageTimeout = patience
    let store = try await Store.open(AppState(), in: place, options: options)
    let result: Result<Void, any Error>
    do {
      try await store.change(changes(store.state)).durable()
      result = .success(())
    } catch { result = .failure(error) }
    // Without a deadline, the change would wait for the list, and be made after its failure was reported.
    let unwritten = await store.close(deadline: patience)
    if case .failure(CommitError<Refusal>.notYet) = result {
      throw unwritten.isEmpty || unwritten.contains(where: \.mayBeWritten) ? Problem.unknown : Problem.notMade
    }
    try result.get()
  }
}
