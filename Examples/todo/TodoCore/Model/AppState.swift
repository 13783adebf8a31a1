public import Alter

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The whole list: the items, the notes, and the tags.
public struct AppState: Hashable, EmptyInitializable {  // @Wire
  /// The items, in the list's order.
  public private(set) var items: IdentityArray<TodoItem> = []
  /// The notes, oldest first.
  public private(set) var entries: IdentityArray<Note> = []
  /// The tags, in the order of their creation.
  public private(set) var tags: IdentityArray<Tag> = []
  /// The blank lines at the end of the todo.txt file that was imported last.
  public private(set) var trailer: String = ""
  /// The copy in the cloud; nil until the user first requests one.
  public private(set) var cloud: Cloud?
  /// The server's list that this list has become; nil for a list of its own. While it is set, the list takes no other change, so that a process
  /// that has not noticed it yet changes nothing.
  public private(set) var synced: String?

  /// An empty list.
  public init() {}

  /// The names of the tags of an item: first those in its text, then those that it belongs to without naming them.
  ///
  /// - Complexity: O(length of the text + members of all tags).
  public func tags(of item: TodoItem) -> [String] {
    let named = item.fields.tags
    return named + tags.filter { $0.items.contains(item.id) && !named.contains($0.id) }.map(\.id)
  }

  /// This list as a list of its own.
  ///
  /// - Complexity: O(1).
  public var unsynced: AppState {
    var list = self
    list.synced = nil
    return list
  }
}

extension AppState {
  /// The names of the tags that each item belongs to, in the tags' order. Items without tags have no key.
  ///
  /// - Complexity: O(members of all tags).
  var membership: [UUID: [String]] {
    var names: [UUID: [String]] = [:]
    for tag in tags {
      for id in tag.items { names[id, default: []].append(tag.id) }
    }
    return names
  }
}

extension AppState: Journaled {
  /// Makes the change.
  ///
  /// A change that removes an item also removes it from every tag, and only items of the list can belong to a tag. Therefore no tag refers
  /// to a missing item.
  ///
  /// - Throws: `Refusal` if the changed element does not exist, or if a new element is not a legal item or tag.
  /// - Complexity: that of the collections. A removal searches all tags, and a replacement all of their members.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    if case .synced(let list) = change {
      synced = list
      return
    }
    if let synced { throw .custom(code: Self.isSynced, message: "This list is synced now, as \(synced): the change belongs there.") }
    switch change {
    case .add(.item(let item)):
      guard !items.contains(id: item.id) else { throw .duplicate("item", item.id) }
      try items.add(try item.entering(at: stamp))
    case .add(.entry(let note)):
      guard !entries.contains(id: note.id) else { throw .duplicate("note", note.id) }
      try entries.add(note.entering(at: stamp))
    case .add(.tag(let tag)):
      guard !tags.contains(id: tag.id) else { throw .duplicate("tag", tag.id) }
      try tags.add(try checked(tag))

    case .update(.item(let item)):
      guard items.contains(id: item.id) else { throw .missing("item", item.id) }
      try items.update(try item.entering(at: stamp))
    case .update(.entry(let note)):
      guard entries.contains(id: note.id) else { throw .missing("note", note.id) }
      try entries.update(note.entering(at: stamp))
    case .update(.tag(let tag)):
      guard tags.contains(id: tag.id) else { throw .missing("tag", tag.id) }
      try tags.update(try checked(tag))

    case .remove(.item(let id)):
      guard items.contains(id: id) else { throw .missing("item", id) }
      items.removeIfPresent(id: id)
      for tag in tags.filter({ $0.items.contains(id) }) { try tags.apply(.remove(id), to: tag.id, at: stamp) }
    case .remove(.entry(let id)):
      guard entries.removeIfPresent(id: id) != nil else { throw .missing("note", id) }
    case .remove(.tag(let name)):
      guard tags.removeIfPresent(id: name) != nil else { throw .missing("tag", name) }

    case .move(let id, let position):
      guard items.contains(id: id) else { throw .missing("item", id) }
      try items.move(id, to: position)

    case .replace(let other):
      for item in other.items { _ = try item.entering(at: stamp) }
      (items, entries, trailer) = (other.items, other.entries, other.trailer)
      for tag in other.tags { _ = try checked(tag) }
      tags = other.tags

    case .item(let id, let change):
      guard items.contains(id: id) else { throw .missing("item", id) }
      try items.apply(change, to: id, at: stamp)
    case .entry(let id, let change):
      guard entries.contains(id: id) else { throw .missing("note", id) }
      try entries.apply(change, to: id, at: stamp)
    case .tag(let name, let change):
      if case .add(let item) = change {
        // The first item creates the tag. Thus two processes that create the same tag concurrently don't replace each other's tag.
        let tag = try checked(Tag(id: name, items: [item]))
        guard tags.contains(id: name) else {
          try tags.add(tag)
          return
        }
      }
      guard tags.contains(id: name) else { throw .missing("tag", name) }
      try tags.apply(change, to: name, at: stamp)

    case .trailer(let lines): trailer = lines
    case .cloud(let change): cloud = try Cloud.altered(cloud, by: change)
    case .synced: break
    }
  }

  /// The code of the refusal of a list that has become a server's list.
  public static let isSynced = "synced"

  /// Returns the tag if its name is legal and the list contains all of its items.
  private func checked(_ tag: Tag) throws(Refusal) -> Tag {
    guard Tag.isName(tag.id) else {
      throw .custom(code: "tagName", message: "‘\(tag.id)’ is not a tag: a tag is a word that begins with + or @.")
    }
    for item in tag.items where !items.contains(id: item) { throw .missing("item", item) }
    return tag
  }
}

// MARK: - Written by the macros
//
// To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests

// swift-format-ignore
nonisolated extension AppState: Codable, AlterCore.StoredForm {
  /// Reads the properties by their names.
  public init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.items = try fields.value("items")
    self.entries = try fields.value("entries")
    self.tags = try fields.value("tags")
    self.trailer = try fields.value("trailer")
    self.cloud = try fields.value("cloud")
    self.synced = try fields.value("synced")
  }
  /// Writes the properties by their names; an optional that is nil is left out.
  public func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.items, "items")
    try fields.write(self.entries, "entries")
    try fields.write(self.tags, "tags")
    try fields.write(self.trailer, "trailer")
    try fields.write(self.cloud, "cloud")
    try fields.write(self.synced, "synced")
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("cloud") { (model: Self) in model.cloud }
    form.part("entries") { (model: Self) in model.entries }
    form.part("items") { (model: Self) in model.items }
    form.part("synced") { (model: Self) in model.synced }
    form.part("tags") { (model: Self) in model.tags }
    form.part("trailer") { (model: Self) in model.trailer }
  }
  /// Reads the properties by their names, as they are stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.cloud = try reader.optional("cloud", in: &object)
    self.entries = try reader.required("entries", in: &object)
    self.items = try reader.required("items", in: &object)
    self.synced = try reader.optional("synced", in: &object)
    self.tags = try reader.required("tags", in: &object)
    self.trailer = try reader.required("trailer", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.cloud, "cloud")
    try writer.field(self.entries, "entries")
    try writer.field(self.items, "items")
    try writer.field(self.synced, "synced")
    try writer.field(self.tags, "tags")
    try writer.field(self.trailer, "trailer")
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}
