public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The items whose changes are not confirmed, or were refused: the marks beside them. A list that is not synced has none.
public struct SyncMarks: Sendable, Hashable {
  private let unconfirmed: Set<UUID>
  private let refused: [UUID: String]
  /// The number of refused changes.
  public let refusals: Int
  /// The number of changes that the server has not decided.
  public let undecided: Int

  /// The marks of a list's unsettled changes.
  ///
  /// - Complexity: O(their changes).
  public init(unconfirmed: [UnconfirmedChange<AppState>] = [], refusals: [RefusedChange<AppState>] = []) {
    self.unconfirmed = Set(unconfirmed.flatMap { $0.record.items })
    var refused: [UUID: String] = [:]
    for refusal in refusals {
      for item in refusal.record.items { refused[item] = refusal.explanation }
    }
    self.refused = refused
    self.refusals = refusals.count
    undecided = unconfirmed.count
  }

  /// The mark beside an item, in words; nil for most items. One that has both kinds of changes shows the newer, unconfirmed one.
  public func text(beside item: UUID) -> String? {
    if unconfirmed.contains(item) { return "(not yet confirmed)" }
    return refused[item].map { "(a change was refused: \($0.printable))" }
  }
}

extension RefusedChange where State == AppState {
  /// The reason, for people.
  public var explanation: String {
    if let reason { return reason }
    return switch code {
    case "moot", "superseded": "it was undone elsewhere meanwhile"
    case "lost": "the server has lost it"
    default: "the list has changed meanwhile (\(code))"
    }
  }
}

extension Record<AppState> {
  /// The items that the record's changes name.
  public var items: [UUID] {
    guard case .changes(let changes) = kind else { return [] }
    return changes.flatMap(\.items)
  }
}

extension AppState.Change {
  /// The items that the change names.
  public var items: [UUID] {
    switch self {
    case .add(.item(let item)), .update(.item(let item)): [item.id]
    case .remove(.item(let id)), .move(let id, _), .item(let id, _): [id]
    case .tag(_, .add(let id)), .tag(_, .remove(let id)): [id]
    case .replace(let other): other.items.map(\.id)
    default: []
    }
  }
}
