public import TodoCore

/// The screen of the settings: facts about the list. The settings themselves belong to the device, not to the list.
public struct SettingsScreen: Hashable, Sendable {
  /// The number of items, as in '12 items, 3 of them done'.
  public let summary: String
  /// The title of the button that removes the completed items; nil if there are none.
  public let clearDone: String?

  /// The screen of a state.
  ///
  /// - Complexity: O(items).
  public init(_ state: AppState) {
    let done = state.items.count { $0.completed }
    summary = "\(counted(state.items.count)), \(done) of them done"
    clearDone = done == 0 ? nil : "Remove \(counted(done)) that \(done == 1 ? "is" : "are") done"
  }
}

/// A number of items in words.
func counted(_ items: Int) -> String { items == 1 ? "1 item" : "\(items) items" }
