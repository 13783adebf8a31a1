public import Alter
public import AlterRows
public import TodoCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The tables of a list: for `todo search`, and for the app's searches.
extension AppState {
  /// The version of ``tables``. Raise it with each change of them.
  public static let tablesVersion = 1

  /// The items, the tags, the items of each tag, and marks in the order of the items.
  @RowTableBuilder<AppState>
  public static func tables() -> [RowTable<AppState>] {
    // The time of the last change is stored as text: a date would be truncated to milliseconds.
    RowTable(
      "item", each: \.items, columns: ["text", "completed", "priority", "due", "created", "finished", StoredField("altered", .text)],
      search: ["text"])
    RowTable("tag", each: \.tags, columns: [], search: ["id"])
    RowTable("member", each: \.tags, \.members, columns: [], index: [["id"]])
    // The first item of each thousand, so that an item's number needs no count of all items before it.
    RowTable("thousand", columns: ["before", "item"]) { list in
      stride(from: 0, to: list.items.count, by: 1_000).map { [.int($0), .text(list.items[$0].id.uuidString)] }
    }
  }
}

/// An item of a tag, by its id.
public struct TagMember: Identifiable, Hashable, Sendable, Encodable {
  /// The id of the item.
  public let id: UUID
}

extension Tag {
  /// The items of the tag.
  ///
  /// - Complexity: O(items of the tag).
  public var members: IdentityArray<TagMember> { IdentityArray(items.map(TagMember.init)) }
}
