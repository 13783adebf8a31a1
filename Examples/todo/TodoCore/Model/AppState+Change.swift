public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppState {
  /// The changes of a list. They read like sentences: add an item, replace the tags, item 7 is completed.
  ///
  /// ```swift
  /// state.alter(.add(.item(item)), .tag("@home", .add(item.id)))
  /// state.alter(.item(item.id, .completed(true)))
  /// ```
  @Wire public enum Change: Sendable, Hashable {
    /// Adds an element at the end. An element with the same identity is replaced, and keeps its place.
    case add(One)
    /// Replaces an element that exists.
    case update(One)
    /// Removes an element.
    case remove(Name)
    /// Moves an item to a position in the list, counted from 0 after the move. A position beyond an end means that end.
    case move(UUID, to: Int)
    /// Replaces all elements of a kind.
    case replace(All)
    /// Changes one item.
    case item(UUID, TodoItem.Change)
    /// Changes one note.
    case entry(UUID, Note.Change)
    /// Changes one tag. The first item that is added to a tag creates the tag.
    case tag(String, Tag.Change)
    /// Sets the blank lines at the end of an exported file.
    case trailer(String)
    /// Changes the state of the copy in the cloud.
    case cloud(Cloud.Change)
    /// Makes the list a copy of a server's list, which takes no other change, or a list of its own again.
    case synced(String?)
  }

  /// An element of a list.
  @Wire public enum One: Sendable, Hashable {
    /// An item.
    case item(TodoItem)
    /// A note.
    case entry(Note)
    /// A tag.
    case tag(Tag)
  }

  /// The identity of an element.
  @Wire public enum Name: Sendable, Hashable {
    /// An item's id.
    case item(UUID)
    /// A note's id.
    case entry(UUID)
    /// A tag's name.
    case tag(String)
  }

  /// All elements of a kind.
  @Wire public enum All: Sendable, Hashable {
    /// The items.
    case items([TodoItem])
    /// The notes.
    case entries([Note])
    /// The tags.
    case tags([Tag])
  }
}
