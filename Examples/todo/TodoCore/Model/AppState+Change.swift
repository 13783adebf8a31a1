#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppState {
  /// What can happen to a list. Read a change aloud: add an item, replace the tags, item 7 is completed.
  ///
  /// ```swift
  /// state.alter(.add(.item(item)), .tag("@home", .add(item.id)))
  /// state.alter(.item(item.id, .completed(true)))
  /// ```
  public enum Change: Sendable, Hashable {
    /// Puts one thing: in its place if it is there already, at the end otherwise.
    case add(One)
    /// Puts one thing that is there already.
    case update(One)
    /// Takes one thing out.
    case remove(Name)
    /// Replaces all things of a kind.
    case replace(All)
    /// Something happens to one item.
    case item(UUID, TodoItem.Change)
    /// Something happens to one note.
    case entry(UUID, Note.Change)
    /// Something happens to one tag; the first item that is added to a tag makes it.
    case tag(String, Tag.Change)
    /// Other blank lines at the end of an exported file.
    case trailer(String)
    /// Something happens to the copy in the cloud.
    case cloud(Cloud.Change)
  }

  /// One thing of a list.
  public enum One: Sendable, Hashable {
    /// An item.
    case item(TodoItem)
    /// A note.
    case entry(Note)
    /// A tag.
    case tag(Tag)
  }

  /// What one thing of a list is known by.
  public enum Name: Sendable, Hashable {
    /// An item's id.
    case item(UUID)
    /// A note's id.
    case entry(UUID)
    /// A tag's name.
    case tag(String)
  }

  /// All things of a kind.
  public enum All: Sendable, Hashable {
    /// The items.
    case items([TodoItem])
    /// The notes.
    case entries([Note])
    /// The tags.
    case tags([Tag])
  }
}
