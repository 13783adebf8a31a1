public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A place in the list to which an item is moved, relative to the other items.
public enum ItemPlace: Sendable, Hashable {
  /// Immediately before an item.
  case before(UUID)
  /// Immediately after an item.
  case after(UUID)
  /// At the beginning of the list.
  case first
  /// At the end of the list.
  case last
}

extension AppState {
  /// The change that moves an item to a place.
  ///
  /// - Parameters:
  ///   - id: The item's id.
  ///   - place: The place.
  /// - Returns: The change; none if the item is there already, which is also true of a place beside the item itself.
  /// - Throws: `Refusal` if the list does not contain the item, or the item that the place is relative to.
  /// - Complexity: O(log n).
  public func changes(moving id: UUID, to place: ItemPlace) throws(Refusal) -> [Change] {
    let old = try position(of: id)
    let new: Int
    switch place {
    case .before(let other):
      let position = try position(of: other)
      new = old < position ? position - 1 : position
    case .after(let other):
      let position = try position(of: other)
      new = old <= position ? position : position + 1
    case .first: new = 0
    case .last: new = items.count - 1
    }
    return new == old ? [] : [.move(id, to: new)]
  }

  private func position(of id: UUID) throws(Refusal) -> Int {
    guard let position = items.index(of: id) else { throw .missing("item", id) }
    return position
  }
}
