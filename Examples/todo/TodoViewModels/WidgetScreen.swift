public import Alter
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The content of the widget: the most urgent open items, or the reason why they can't be read.
public struct WidgetScreen: Hashable, Sendable {
  /// The number of open items in words.
  public let title: String
  /// The items.
  public let rows: [ItemRow]
  /// The open items without a row, as in '2 more'; nil if there are none.
  public let more: String?
  /// The next step of the user, if the list can't be read; otherwise nil.
  public let advice: String?
  /// Whether another attempt may soon succeed without the user.
  public let mayRecover: Bool

  /// The content before the list is read.
  public static let placeholder = WidgetScreen(advice: nil, mayRecover: true)

  private init(advice: String?, mayRecover: Bool) {
    (title, rows, more) = ("To Do", [], nil)
    (self.advice, self.mayRecover) = (advice, mayRecover)
  }

  /// The widget of a list that can't be read.
  ///
  /// - Parameter error: The reason.
  public init(_ error: JournalError) {
    switch error.code {
    // The file is created when the app starts for the first time.
    case .unreachable: self.init(advice: "Open the app to see your list.", mayRecover: true)
    case .newerSchema, .newerFormat, .undecodable: self.init(advice: "Update the app to see your list.", mayRecover: false)
    default: self.init(advice: "Open the app to see your list.", mayRecover: error.isTransient || error.code == .cancelled)
    }
  }

  /// The time at which the widget is to be read again: the days are relative to today, so at midnight; without a list, if that may change by
  /// itself, in 15 minutes.
  ///
  /// - Parameters:
  ///   - date: The time at which the widget was read.
  ///   - calendar: The user's calendar.
  public func expiry(readAt date: Date, in calendar: Calendar) -> Date {
    let start = calendar.startOfDay(for: date)
    let midnight = calendar.date(byAdding: .day, value: 1, to: start) ?? start.addingTimeInterval(86_400)
    return mayRecover ? min(midnight, date.addingTimeInterval(900)) : midnight
  }

  /// The widget of a state.
  ///
  /// - Parameters:
  ///   - state: The list.
  ///   - today: The user's current day.
  ///   - limit: The maximum number of rows, not negative.
  /// - Complexity: O(n log n + length of all texts).
  public init(_ state: AppState, today: Day, limit: Int = 4) {
    let list = ListScreen(state, filter: .open, order: .due, today: today)
    title = list.title
    rows = Array(list.rows.prefix(limit))
    more = list.rows.count > limit ? "\(list.rows.count - limit) more" : nil
    (advice, mayRecover) = (nil, false)
  }

  /// Opens a journal and reads the widget from it. A list that can't be read is a widget that says so.
  ///
  /// - Parameters:
  ///   - place: The location of the list, opened for reading only.
  ///   - today: The user's current day.
  public static func read(_ place: JournalPlace, today: Day) async -> WidgetScreen {
    do throws(JournalError) { return try await WidgetScreen(reading: try await place.open(), today: today) } catch {
      return WidgetScreen(error)
    }
  }

  /// Reads the widget from a journal, which is not changed, and closes the journal.
  ///
  /// - Parameters:
  ///   - journal: The journal, opened for reading only.
  ///   - today: The user's current day.
  /// - Throws: `JournalError` if the journal can't be read.
  public init(reading journal: any Journal, today: Day) async throws(JournalError) {
    self.init(try await AppState(reading: journal), today: today)
  }

  /// Calls a function for the widget of a store's confirmed state, and whenever its content differs. Returns when the store is closed or has
  /// failed, or when the task is cancelled.
  ///
  /// A pending change does not reload the widget, which reads the journal and would not find the change there.
  ///
  /// - Parameters:
  ///   - store: The list.
  ///   - today: Returns the user's current day.
  ///   - reload: Reloads the widget. It is called at the beginning, too, because another process may have changed the list before.
  @MainActor
  public static func follow(
    _ store: Store<AppState>, today: @escaping @Sendable () -> Day = { .today() }, reload: @MainActor () -> Void
  ) async {
    var shown: WidgetScreen?
    for await _ in store.revisions {
      let present = await confirmed(store, today: today())
      if present != shown { reload() }
      shown = present
    }
  }

  /// Computes the widget outside of the main actor.
  private static func confirmed(_ store: Store<AppState>, today: Day) async -> WidgetScreen {
    WidgetScreen(store.confirmed.state, today: today)
  }
}
