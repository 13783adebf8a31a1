public import Alter
public import TodoCore

/// The content of the widget: the most urgent open items.
public struct WidgetScreen: Hashable, Sendable {
  /// The number of open items in words.
  public let title: String
  /// The items.
  public let rows: [ItemRow]
  /// The open items without a row, as in '2 more'; nil if there are none.
  public let more: String?

  /// The widget of a state.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - today: The user's current day.
  ///   - limit: The maximum number of rows.
  /// - Complexity: O(n log n + length of all texts).
  public init(_ state: AppState, today: Day, limit: Int = 4) {
    let list = ListScreen(state, filter: .open, order: .due, today: today)
    title = list.title
    rows = Array(list.rows.prefix(limit))
    more = list.rows.count > limit ? "\(list.rows.count - limit) more" : nil
  }

  /// Reads the widget from a journal, which is not changed, and closes the journal.
  ///
  /// - Parameters:
  ///   - journal: The journal, opened for reading only.
  ///   - today: The user's current day.
  /// - Throws: `JournalError` if the journal can't be read.
  public init(reading journal: any Journal, today: Day) async throws(JournalError) {
    do throws(JournalError) {
      let head = try await journal.head()
      // A process that was killed right after it created the journal leaves one without entries.
      let state = head.revision > .zero ? try await Store<AppState>.state(at: head.revision, in: journal) : AppState()
      self.init(state, today: today)
    } catch {
      await journal.close()
      throw error
    }
    await journal.close()
  }

  /// Calls a function for the widget of a store's state, and whenever its content differs. Returns when the store is closed or has failed, or
  /// when the task is cancelled.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - today: Returns the user's current day.
  ///   - reload: Reloads the widget. It is called at the beginning, too, because another process may have changed the list before.
  @MainActor
  public static func follow(
    _ store: Store<AppState>, today: @escaping @Sendable () -> Day = { .today() }, reload: @MainActor () -> Void
  ) async {
    for await _ in store.values(of: { WidgetScreen($0, today: today()) }) { reload() }
  }
}
