public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The sync of a list at one moment, for every screen: the connection, the unsettled changes, and the authors of the newest entries. It is a
/// value, so a view that shows it is a function.
public struct SyncPanel: Sendable, Hashable {
  /// A refused change, which has no effect on the list.
  public struct Refused: Sendable, Hashable, Identifiable {
    /// The id of the change.
    public let id: EntryID
    /// The effect that the change would have had, in words.
    public let what: String
    /// The reason, in words.
    public let reason: String
    /// The server's code of the reason, as in `denied`.
    public let code: String
    /// The items that the change names.
    public let items: [UUID]
  }

  /// An entry of the history.
  public struct Line: Sendable, Hashable, Identifiable {
    /// The revision; provisional if the entry is not confirmed.
    public let id: Revision
    /// The time at which the change was made, in microseconds since 1970 UTC.
    public let time: Int64
    /// The author: `you`, the name of another user, or nil for an entry from before the list was synced.
    public let author: String?
    /// The change in words.
    public let what: String
    /// Whether the server has not decided the change.
    public let isUnconfirmed: Bool
    /// Whether the change is undone at present.
    public let isUndone: Bool
  }

  /// The name of this device's user.
  public let user: String
  /// The connection.
  public let connection: Connection
  /// The marks beside the items.
  public let marks: SyncMarks
  /// The refused changes, in order.
  public let refused: [Refused]
  /// The newest entries, newest first: unconfirmed ones, then those of the server.
  public let history: [Line]
  /// The other users who were the last to change an item, as far as the history reaches.
  public let authors: [UUID: String]

  /// The panel of a list.
  ///
  /// - Parameters:
  ///   - user: The name of this device's user, which is the undo scope of the user's entries.
  ///   - connection: The connection.
  ///   - state: The list, from which the texts of the items are known.
  ///   - unconfirmed: The changes that the server has not decided.
  ///   - refusals: The changes that the server has refused.
  ///   - records: Consecutive newest entries of the server, oldest first.
  ///   - past: A state before these entries, from which earlier texts are known; nil if there is none.
  /// - Complexity: O(items + changes).
  public init(
    user: String, connection: Connection, state: AppState, unconfirmed: [UnconfirmedChange<AppState>] = [],
    refusals: [RefusedChange<AppState>] = [], records: [Record<AppState>] = [], after past: AppState? = nil
  ) {
    self.user = user
    self.connection = connection
    marks = SyncMarks(unconfirmed: unconfirmed, refusals: refusals)
    var narrator = Narrator()
    narrator.learn(state)
    refused = refusals.map {
      Refused(id: $0.record.id, what: narrator.tell($0.record), reason: $0.explanation, code: $0.code, items: $0.record.items)
    }
    // Texts change with the entries, so the narrator begins again before them.
    if let past { narrator.learn(past) }
    let waiting = unconfirmed.filter { !$0.isHidden }.map(\.record)
    let undone = Record.takenBack(in: records + waiting)
    var authors: [UUID: String] = [:]
    func line(_ record: Record<AppState>, isUnconfirmed: Bool) -> Line {
      let author: String? = record.scope == .journal ? nil : record.scope.rawValue == user ? "you" : record.scope.rawValue
      let isUndone = record.targets.isEmpty && undone.contains(record.id)
      if !isUndone, let author { for item in record.items { authors[item] = author } }
      return Line(
        id: record.revision, time: record.time, author: author, what: narrator.tell(record), isUnconfirmed: isUnconfirmed,
        isUndone: isUndone)
    }
    let lines = records.map { line($0, isUnconfirmed: false) } + waiting.map { line($0, isUnconfirmed: true) }
    history = lines.reversed()
    self.authors = authors.filter { $0.value != "you" }
  }

  /// The number of changes that the server has not decided.
  public var undecided: Int { marks.undecided }

  /// The panel in one line, the most important words first, as in `Sync: offline since 14:03, 2 unconfirmed (~), 1 refused (!)`.
  ///
  /// - Parameter time: The text of a time in microseconds since 1970 UTC.
  public func summary(_ time: (Int64) -> String) -> String {
    var parts = ["Sync: \(connection.headline(time))"]
    parts.append(undecided == 0 ? "nothing unconfirmed" : "\(undecided) unconfirmed (\(SyncMarks.Mark.unconfirmed.symbol))")
    if !refused.isEmpty { parts.append("\(refused.count) refused (\(SyncMarks.Mark.refused.symbol), R shows)") }
    let line = parts.joined(separator: ", ")
    return connection.advice.map { "\(line): \($0)" } ?? line
  }
}
