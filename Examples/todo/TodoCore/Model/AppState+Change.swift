public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppState {
  /// The changes of a list. They read like sentences: add an item, remove the tag, item 7 is completed.
  ///
  /// ```swift
  /// state.alter(.add(.item(item)), .tag("@home", .add(item.id)))
  /// state.alter(.item(item.id, .completed(true)))
  /// ```
  public enum Change: Sendable, Hashable {  // @Wire
    /// Adds an element at the end. Refused if its identity exists.
    case add(One)
    /// Replaces an element that exists.
    case update(One)
    /// Removes an element.
    case remove(Name)
    /// Moves an item to a position in the list, counted from 0 after the move. A position beyond an end means that end.
    case move(UUID, to: Int)
    /// Replaces the items, the notes, the tags and the last blank lines by those of another list.
    case replace(AppState)
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
  public enum One: Sendable, Hashable {  // @Wire
    /// An item.
    case item(TodoItem)
    /// A note.
    case entry(Note)
    /// A tag.
    case tag(Tag)
  }

  /// The identity of an element.
  public enum Name: Sendable, Hashable {  // @Wire
    /// An item's id.
    case item(UUID)
    /// A note's id.
    case entry(UUID)
    /// A tag's name.
    case tag(String)
  }
}

// MARK: - Written by the macros
//
// To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests

// swift-format-ignore
nonisolated extension AppState.Change: Codable, AlterCore.StoredForm {
  /// Reads an object with one key, the name of the case.
  public init(from decoder: any Decoder) throws {
    let wire = try AlterJournal.WireCase(of: Self.self, changing: AppState.self, from: decoder)
    switch wire.name {
    case "add": self = .add(try wire.value())
    case "update": self = .update(try wire.value())
    case "remove": self = .remove(try wire.value())
    case "move":
      let fields = try wire.fields()
      self = .move(try fields.value("id"), to: try fields.value("to"))
    case "replace": self = .replace(try wire.value())
    case "item": self = try wire.path(Self.item)
    case "entry": self = try wire.path(Self.entry)
    case "tag": self = try wire.path(Self.tag)
    case "trailer": self = .trailer(try wire.value())
    case "cloud": self = .cloud(try wire.value())
    case "synced": self = .synced(try wire.value())
    default: throw wire.unknown
    }
  }
  /// Writes an object with one key, the name of the case.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .add(let value): try AlterJournal.WireCase.encode("add", value, to: encoder)
    case .update(let value): try AlterJournal.WireCase.encode("update", value, to: encoder)
    case .remove(let value): try AlterJournal.WireCase.encode("remove", value, to: encoder)
    case .move(let id, let to):
      try AlterJournal.WireCase.encode("move", to: encoder) { fields in
        try fields.write(id, "id")
        try fields.write(to, "to")
      }
    case .replace(let value): try AlterJournal.WireCase.encode("replace", value, to: encoder)
    case .item(let id, let change): try AlterJournal.WireCase.encode("item", id: id, change: change, to: encoder)
    case .entry(let id, let change): try AlterJournal.WireCase.encode("entry", id: id, change: change, to: encoder)
    case .tag(let id, let change): try AlterJournal.WireCase.encode("tag", id: id, change: change, to: encoder)
    case .trailer(let value): try AlterJournal.WireCase.encode("trailer", value, to: encoder)
    case .cloud(let value): try AlterJournal.WireCase.encode("cloud", value, to: encoder)
    case .synced(let value): try AlterJournal.WireCase.encode("synced", value, to: encoder)
    }
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.oneCase("add")
    form.part("") { (one: Self) in
      guard case .add(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("cloud")
    form.part("") { (one: Self) in
      guard case .cloud(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("entry")
    form.part("change") { (one: Self) in
      guard case .entry(_, let part) = one else { Swift.fatalError() }
      return part
    }
    form.part("id") { (one: Self) in
      guard case .entry(let part, _) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("item")
    form.part("change") { (one: Self) in
      guard case .item(_, let part) = one else { Swift.fatalError() }
      return part
    }
    form.part("id") { (one: Self) in
      guard case .item(let part, _) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("move")
    form.part("id") { (one: Self) in
      guard case .move(let part, _) = one else { Swift.fatalError() }
      return part
    }
    form.part("to") { (one: Self) in
      guard case .move(_, let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("remove")
    form.part("") { (one: Self) in
      guard case .remove(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("replace")
    form.part("") { (one: Self) in
      guard case .replace(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("synced")
    form.part("") { (one: Self) in
      guard case .synced(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("tag")
    form.part("change") { (one: Self) in
      guard case .tag(_, let part) = one else { Swift.fatalError() }
      return part
    }
    form.part("id") { (one: Self) in
      guard case .tag(let part, _) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("trailer")
    form.part("") { (one: Self) in
      guard case .trailer(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("update")
    form.part("") { (one: Self) in
      guard case .update(let part) = one else { Swift.fatalError() }
      return part
    }
  }
  /// Reads an object with one key, the name of the case, as it is stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    try reader.beginCase()
    if reader.isCase("add") {
      self = .add(try reader.value())
    } else if reader.isCase("update") {
      self = .update(try reader.value())
    } else if reader.isCase("remove") {
      self = .remove(try reader.value())
    } else if reader.isCase("move") {
      var object = try reader.beginObject()
      self = try AlterCore.StoredReader.value(of: reader.required("id", in: &object), reader.required("to", in: &object)) { Self.move($0, to: $1) }
      try reader.endObject(&object)
    } else if reader.isCase("replace") {
      self = .replace(try reader.value())
    } else if reader.isCase("item") {
      var object = try reader.beginObject()
      self = try AlterCore.StoredReader.value(of: reader.required("change", in: &object), reader.required("id", in: &object)) { Self.item($1, $0) }
      try reader.endObject(&object)
    } else if reader.isCase("entry") {
      var object = try reader.beginObject()
      self = try AlterCore.StoredReader.value(of: reader.required("change", in: &object), reader.required("id", in: &object)) { Self.entry($1, $0) }
      try reader.endObject(&object)
    } else if reader.isCase("tag") {
      var object = try reader.beginObject()
      self = try AlterCore.StoredReader.value(of: reader.required("change", in: &object), reader.required("id", in: &object)) { Self.tag($1, $0) }
      try reader.endObject(&object)
    } else if reader.isCase("trailer") {
      self = .trailer(try reader.value())
    } else if reader.isCase("cloud") {
      self = .cloud(try reader.value())
    } else if reader.isCase("synced") {
      self = .synced(try reader.value())
    } else {
      throw AlterCore.StoredFormError()
    }
    try reader.endCase()
  }
  /// Writes an object with one key, the name of the case, as it is stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    switch self {
    case .add(let part0):
      try writer.beginCase("add")
      try writer.value(part0)
    case .update(let part0):
      try writer.beginCase("update")
      try writer.value(part0)
    case .remove(let part0):
      try writer.beginCase("remove")
      try writer.value(part0)
    case .move(let part0, let part1):
      try writer.beginCase("move")
      try writer.beginObject()
      try writer.field(part0, "id")
      try writer.field(part1, "to")
      writer.endObject()
    case .replace(let part0):
      try writer.beginCase("replace")
      try writer.value(part0)
    case .item(let part0, let part1):
      try writer.beginCase("item")
      try writer.beginObject()
      writer.key("change")
      try writer.value(part1)
      writer.key("id")
      try writer.value(part0)
      writer.endObject()
    case .entry(let part0, let part1):
      try writer.beginCase("entry")
      try writer.beginObject()
      writer.key("change")
      try writer.value(part1)
      writer.key("id")
      try writer.value(part0)
      writer.endObject()
    case .tag(let part0, let part1):
      try writer.beginCase("tag")
      try writer.beginObject()
      writer.key("change")
      try writer.value(part1)
      writer.key("id")
      try writer.value(part0)
      writer.endObject()
    case .trailer(let part0):
      try writer.beginCase("trailer")
      try writer.value(part0)
    case .cloud(let part0):
      try writer.beginCase("cloud")
      try writer.value(part0)
    case .synced(let part0):
      try writer.beginCase("synced")
      try writer.value(part0)
    }
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}

// swift-format-ignore
nonisolated extension AppState.One: Codable, AlterCore.StoredForm {
  /// Reads an object with one key, the name of the case.
  public init(from decoder: any Decoder) throws {
    let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "item": self = .item(try wire.value())
    case "entry": self = .entry(try wire.value())
    case "tag": self = .tag(try wire.value())
    default: throw wire.unknown
    }
  }
  /// Writes an object with one key, the name of the case.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .item(let value): try AlterJournal.WireCase.encode("item", value, to: encoder)
    case .entry(let value): try AlterJournal.WireCase.encode("entry", value, to: encoder)
    case .tag(let value): try AlterJournal.WireCase.encode("tag", value, to: encoder)
    }
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.oneCase("entry")
    form.part("") { (one: Self) in
      guard case .entry(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("item")
    form.part("") { (one: Self) in
      guard case .item(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("tag")
    form.part("") { (one: Self) in
      guard case .tag(let part) = one else { Swift.fatalError() }
      return part
    }
  }
  /// Reads an object with one key, the name of the case, as it is stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    try reader.beginCase()
    if reader.isCase("item") {
      self = .item(try reader.value())
    } else if reader.isCase("entry") {
      self = .entry(try reader.value())
    } else if reader.isCase("tag") {
      self = .tag(try reader.value())
    } else {
      throw AlterCore.StoredFormError()
    }
    try reader.endCase()
  }
  /// Writes an object with one key, the name of the case, as it is stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    switch self {
    case .item(let part0):
      try writer.beginCase("item")
      try writer.value(part0)
    case .entry(let part0):
      try writer.beginCase("entry")
      try writer.value(part0)
    case .tag(let part0):
      try writer.beginCase("tag")
      try writer.value(part0)
    }
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}

// swift-format-ignore
nonisolated extension AppState.Name: Codable, AlterCore.StoredForm {
  /// Reads an object with one key, the name of the case.
  public init(from decoder: any Decoder) throws {
    let wire = try AlterJournal.WireCase(of: Self.self, from: decoder)
    switch wire.name {
    case "item": self = .item(try wire.value())
    case "entry": self = .entry(try wire.value())
    case "tag": self = .tag(try wire.value())
    default: throw wire.unknown
    }
  }
  /// Writes an object with one key, the name of the case.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .item(let value): try AlterJournal.WireCase.encode("item", value, to: encoder)
    case .entry(let value): try AlterJournal.WireCase.encode("entry", value, to: encoder)
    case .tag(let value): try AlterJournal.WireCase.encode("tag", value, to: encoder)
    }
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.oneCase("entry")
    form.part("") { (one: Self) in
      guard case .entry(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("item")
    form.part("") { (one: Self) in
      guard case .item(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("tag")
    form.part("") { (one: Self) in
      guard case .tag(let part) = one else { Swift.fatalError() }
      return part
    }
  }
  /// Reads an object with one key, the name of the case, as it is stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    try reader.beginCase()
    if reader.isCase("item") {
      self = .item(try reader.value())
    } else if reader.isCase("entry") {
      self = .entry(try reader.value())
    } else if reader.isCase("tag") {
      self = .tag(try reader.value())
    } else {
      throw AlterCore.StoredFormError()
    }
    try reader.endCase()
  }
  /// Writes an object with one key, the name of the case, as it is stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    switch self {
    case .item(let part0):
      try writer.beginCase("item")
      try writer.value(part0)
    case .entry(let part0):
      try writer.beginCase("entry")
      try writer.value(part0)
    case .tag(let part0):
      try writer.beginCase("tag")
      try writer.value(part0)
    }
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}
