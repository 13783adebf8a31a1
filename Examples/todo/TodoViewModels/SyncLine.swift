public import Alter
public import TodoCore

/// The sync of a list in one line: the connection, the changes that the server has not decided, and those that it has refused.
public struct SyncLine: Hashable, Sendable {
  /// The line, as in 'Offline, 2 changes not confirmed'.
  public let text: String
  /// The reason of each refusal, or of the connection's state with the next step; nil if the line says everything.
  public let advice: String?
  /// Whether the server is reached and decides changes.
  public let isLive: Bool
  /// Whether there are refused changes, which the user can make again or give up.
  public let hasRefusals: Bool

  /// The line of a list.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - unconfirmed: The number of changes that the server has not decided.
  ///   - refusals: The changes that the server has refused.
  public init(_ connection: Connection, unconfirmed: Int = 0, refusals: [RefusedChange<AppState>] = []) {
    func changes(_ count: Int, _ word: String) -> String? {
      count == 0 ? nil : count == 1 ? "1 change \(word)" : "\(count) changes \(word)"
    }
    let parts = [connection.word, changes(unconfirmed, "not confirmed"), changes(refusals.count, "refused")]
    text = Self.sentence(parts.compactMap { $0 }.joined(separator: ", "))
    advice = refusals.isEmpty ? connection.advice.map(Self.sentence) : refusals.map(\.explanation).joined(separator: "\n")
    isLive = connection.isLive
    hasRefusals = !refusals.isEmpty
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
