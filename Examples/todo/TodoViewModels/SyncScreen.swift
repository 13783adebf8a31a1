public import Alter
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The screen of a synced list: the connection, the changes that the server has not decided, and those that it has refused.
public struct SyncScreen: Hashable, Sendable {
  /// A change that is not settled.
  public struct Row: Identifiable, Hashable, Sendable {
    /// The id of the change.
    public let id: EntryID
    /// The effect of the change, in words.
    public let title: String
    /// The reason of a refusal; nil for a change that is not decided.
    public let reason: String?
  }

  /// The connection in a few words, as in 'Offline'.
  public let connection: String
  /// The time since which the server can't be reached; nil if it can be, or if the time is unknown.
  public let since: Date?
  /// The reason and the next step; nil if the connection says everything.
  public let advice: String?
  /// Whether the server is reached and decides changes.
  public let isLive: Bool
  /// The title of the undecided changes, as in '2 changes not confirmed'; nil if there are none.
  public let unconfirmedTitle: String?
  /// The changes that the server has not decided, in order.
  public let unconfirmed: [Row]
  /// The title of the refused changes; nil if there are none.
  public let refusedTitle: String?
  /// The changes that the server has refused, in order.
  public let refused: [Row]

  /// The screen of a list.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - state: The list, from which the texts of the items are known.
  ///   - outbox: The changes that are not settled, from the store's `outbox`.
  /// - Complexity: O(items + changes).
  public init(_ connection: Connection, _ state: AppState, _ outbox: OutboxState<AppState>) {
    self.init(connection, state, unconfirmed: outbox.unconfirmed, refusals: outbox.refusals)
  }

  /// The screen of a list.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - state: The list, from which the texts of the items are known.
  ///   - unconfirmed: The changes that the server has not decided.
  ///   - refusals: The changes that the server has refused.
  /// - Complexity: O(items + changes).
  public init(
    _ connection: Connection, _ state: AppState, unconfirmed: [UnconfirmedChange<AppState>] = [],
    refusals: [RefusedChange<AppState>] = []
  ) {
    let word = connection.word
    self.connection = word.prefix(1).uppercased() + word.dropFirst()
    since = connection.since.map(Date.init(microseconds:))
    advice = connection.advice.map { "\($0.prefix(1).uppercased() + $0.dropFirst())." }
    isLive = connection.isLive
    var narrator = Narrator()
    narrator.learn(state)
    self.unconfirmed = unconfirmed.map { Row(id: $0.record.id, title: narrator.tell($0.record), reason: nil) }
    refused = refusals.map { Row(id: $0.record.id, title: narrator.tell($0.record), reason: $0.explanation) }
    unconfirmedTitle = unconfirmed.isEmpty ? nil : "\(Self.changes(unconfirmed.count)) not confirmed"
    refusedTitle = refusals.isEmpty ? nil : "\(Self.changes(refusals.count)) refused"
  }

  /// Makes a refused change again.
  ///
  /// - Parameters:
  ///   - id: The id of its row. A change that is settled meanwhile is left alone.
  ///   - store: The list.
  /// - Throws: `RetryError` if the list refuses the change at once; then the row stays.
  public static func retry(_ id: EntryID, in store: Store<AppState>) throws {
    for refused in store.refusals where refused.id == id { try store.retry(refused) }
  }

  /// Gives a refused change up.
  ///
  /// - Parameters:
  ///   - id: The id of its row. A change that is settled meanwhile is left alone.
  ///   - store: The list.
  /// - Throws: `JournalError` if the file can't be written; then the row stays.
  public static func dismiss(_ id: EntryID, in store: Store<AppState>) async throws(JournalError) {
    try await store.dismiss(store.refusals.filter { $0.id == id })
  }

  private static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }
}
