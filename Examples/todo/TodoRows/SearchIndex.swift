public import Alter
import AlterRows
public import GRDB
public import TodoCore

/// The rows of an open list in a database of the app, which searches observe.
public final class SearchIndex: Sendable {
  private let pool: DatabasePool
  private let rows: Rows<AppState>

  /// Opens the database, and keeps it up to date until the index is released.
  ///
  /// - Parameters:
  ///   - store: The open list.
  ///   - path: The file of the database; created if it is missing. Delete it at any time while no process has it open.
  /// - Throws: The error of the database; `RowsError`.
  public init(of store: Store<AppState>, at path: String) async throws {
    pool = try DatabasePool(path: path)
    rows = try await Rows(of: store, in: pool, version: AppState.tablesVersion, tables: AppState.tables)
  }

  /// The items that a search finds: now, and after each change of them, the best match first.
  ///
  /// - Parameters:
  ///   - search: The search.
  ///   - today: The user's current day.
  public func found(_ search: ItemSearch, today: Day) -> AsyncValueObservation<[TodoList.Row]> {
    ValueObservation.tracking { try search.rows(in: $0, today: today) }.removeDuplicates().values(in: pool)
  }

  /// Ends the following. The list stays open.
  public func close() async {
    await rows.close()
    try? pool.close()
  }
}
