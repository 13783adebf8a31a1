public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A tag of items: a `+project` or a `@context`.
public struct Tag: Identifiable, Hashable {  // @Wire
  /// The name with its sign, as in `@home` or `+garage`. It is the tag's identity.
  public let id: String
  /// The items of the tag, in the order in which they were added.
  public private(set) var items: [UUID]

  /// A tag. Add it to a list with `state.alter(.add(.tag(tag)))`.
  ///
  /// - Parameters:
  ///   - id: The name: `+` or `@` and a word.
  ///   - items: The items of the tag. Repeated items are ignored.
  public init(id: String, items: [UUID] = []) {
    self.id = id
    var seen: Set<UUID> = []
    self.items = items.filter { seen.insert($0).inserted }
  }

  /// The tag's name for a name as users type it: `home` becomes the context `@home`; `+garage` and `@home` stay unchanged.
  ///
  /// - Returns: The name with its sign; nil if the text is empty or contains a space or a line break.
  public static func name(of text: String) -> String? {
    let name = text.hasPrefix("+") || text.hasPrefix("@") ? text : "@" + text
    return isName(name) ? name : nil
  }

  /// Whether a text is a legal name of a tag: written into a line of todo.txt, it is one word and is parsed as this tag.
  static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count > 1, bytes[0] == Byte.plus || bytes[0] == Byte.at else { return false }
    return !bytes.contains { Byte.isBlank($0) || $0 == Byte.newline || $0 == Byte.carriageReturn }
  }
}

extension Tag: Alterable {
  /// The changes of a tag.
  public enum Change: Sendable, Hashable {  // @Wire
    /// Adds an item to the tag.
    case add(UUID)
    /// Removes an item from the tag.
    case remove(UUID)
  }

  /// Makes the change. A tag refuses nothing: adding a member and removing a non-member have no effect.
  ///
  /// - Complexity: O(items of the tag).
  public mutating func apply(_ change: Change, at stamp: Stamp) {
    switch change {
    case .add(let item): if !items.contains(item) { items.append(item) }
    case .remove(let item): items.removeAll { $0 == item }
    }
  }
}

// MARK: - Written by the macros
//
// To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests

// swift-format-ignore
nonisolated extension Tag: Codable, AlterCore.StoredForm {
  /// Reads the properties by their names.
  public init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.id = try fields.value("id")
    self.items = try fields.value("items")
  }
  /// Writes the properties by their names; an optional that is nil is left out.
  public func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.id, "id")
    try fields.write(self.items, "items")
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("id") { (model: Self) in model.id }
    form.part("items") { (model: Self) in model.items }
  }
  /// Reads the properties by their names, as they are stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.id = try reader.required("id", in: &object)
    self.items = try reader.required("items", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.id, "id")
    try writer.field(self.items, "items")
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}

// swift-format-ignore
nonisolated extension Tag.Change: Codable, AlterCore.StoredForm {
  /// Reads an object with one key, the name of the case.
  public init(from decoder: any Decoder) throws {
    let wire = try AlterJournal.WireCase(of: Self.self, changing: Tag.self, from: decoder)
    switch wire.name {
    case "add": self = .add(try wire.value())
    case "remove": self = .remove(try wire.value())
    default: throw wire.unknown
    }
  }
  /// Writes an object with one key, the name of the case.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .add(let value): try AlterJournal.WireCase.encode("add", value, to: encoder)
    case .remove(let value): try AlterJournal.WireCase.encode("remove", value, to: encoder)
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
    form.oneCase("remove")
    form.part("") { (one: Self) in
      guard case .remove(let part) = one else { Swift.fatalError() }
      return part
    }
  }
  /// Reads an object with one key, the name of the case, as it is stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    try reader.beginCase()
    if reader.isCase("add") {
      self = .add(try reader.value())
    } else if reader.isCase("remove") {
      self = .remove(try reader.value())
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
    case .remove(let part0):
      try writer.beginCase("remove")
      try writer.value(part0)
    }
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}
