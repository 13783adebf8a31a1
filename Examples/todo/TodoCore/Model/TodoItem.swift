public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An item of the list.
public struct TodoItem: Identifiable, Hashable {  // @Wire
  /// The identity. No change alters it.
  public let id: UUID
  /// The text, including its `+projects`, `@contexts` and `key:value` words. A single line.
  public private(set) var text: String
  /// Whether the item is completed.
  public private(set) var completed: Bool
  /// The priority; nil if it has none.
  public private(set) var priority: Priority?
  /// The day by which the item must be done.
  public private(set) var due: Day?
  /// The day on which the item was created.
  public private(set) var created: Day?
  /// The day on which the item was completed. An open item has none.
  public private(set) var finished: Day?
  /// The time of the last change, from its stamp.
  public private(set) var altered: Date?
  /// The original line, if the item was imported.
  public let source: SourceLine?

  /// An item. Add it to a list with `state.alter(.add(.item(item)))`.
  ///
  /// - Parameters:
  ///   - id: The identity: `UUID()` in the shell, `stamp.uuid()` in a change.
  ///   - line: The fields.
  ///   - source: The original line, if the item was imported.
  ///   - altered: The time of the last change, if it is known from elsewhere. The stamp of the change that adds the item takes precedence.
  public init(id: UUID, _ line: TodoLine, source: SourceLine? = nil, altered: Date? = nil) {
    self.id = id
    self.source = source
    self.altered = altered
    text = line.text
    completed = line.completed
    priority = line.priority
    due = line.due
    created = line.created
    finished = line.finished
  }

  /// An open item with a text and no other fields.
  public init(id: UUID, text: String) { self.init(id: id, TodoLine(text: text)) }

  /// The current fields, as those of a todo.txt line.
  public var fields: TodoLine {
    var line = TodoLine(text: text)
    line.completed = completed
    line.priority = priority
    line.due = due
    line.created = created
    line.finished = finished
    return line
  }
}

extension TodoItem: Alterable {
  /// The changes of an item.
  public enum Change: Sendable, Hashable {  // @Wire
    /// Sets the text.
    case text(String)
    /// Completes or reopens the item. Reopening removes the day of completion.
    case completed(Bool)
    /// Sets or removes the priority.
    case priority(Priority?)
    /// Sets or removes the due day.
    case due(Day?)
    /// Sets or removes the day of creation.
    case created(Day?)
    /// Sets or removes the day of completion.
    case finished(Day?)
  }

  /// Makes the change.
  ///
  /// - Throws: `Refusal` if the text contains a line break, or if an open item is given a day of completion.
  public mutating func apply(_ change: Change, at stamp: Stamp) throws(Refusal) {
    switch change {
    case .text(let text):
      try TodoItem.check(text)
      self.text = text
    case .completed(let completed):
      self.completed = completed
      if !completed { finished = nil }
    case .priority(let priority): self.priority = priority
    case .due(let due): self.due = due
    case .created(let created): self.created = created
    case .finished(let finished):
      guard completed || finished == nil else { throw .illegal(from: "open", change: "finished") }
      self.finished = finished
    }
    stamp.mark(&altered)
  }

  /// Checks the item and returns it with the stamp's time as its time of change.
  func entering(at stamp: Stamp) throws(Refusal) -> TodoItem {
    try TodoItem.check(text)
    guard completed || finished == nil else { throw .illegal(from: "open", change: "finished") }
    var item = self
    stamp.mark(&item.altered)
    return item
  }

  private static func check(_ text: String) throws(Refusal) {
    guard !text.utf8.contains(Byte.newline) else {
      throw .custom(code: "lineBreak", message: "The text of an item is a single line; this one has a line break.")
    }
  }
}

// MARK: - Written by the macros
//
// To write this again: ALTER_WRITE_EXPANSIONS=1 script/test --filter CheckedInExpansionTests

// swift-format-ignore
nonisolated extension TodoItem: Codable, AlterCore.StoredForm {
  /// Reads the properties by their names.
  public init(from decoder: any Decoder) throws {
    let fields = try AlterJournal.WireReader(of: Self.self, from: decoder)
    self.id = try fields.value("id")
    self.text = try fields.value("text")
    self.completed = try fields.value("completed")
    self.priority = try fields.value("priority")
    self.due = try fields.value("due")
    self.created = try fields.value("created")
    self.finished = try fields.value("finished")
    self.altered = try fields.value("altered")
    self.source = try fields.value("source")
  }
  /// Writes the properties by their names; an optional that is nil is left out.
  public func encode(to encoder: any Encoder) throws {
    var fields = AlterJournal.WireWriter(to: encoder)
    try fields.write(self.id, "id")
    try fields.write(self.text, "text")
    try fields.write(self.completed, "completed")
    try fields.write(self.priority, "priority")
    try fields.write(self.due, "due")
    try fields.write(self.created, "created")
    try fields.write(self.finished, "finished")
    try fields.write(self.altered, "altered")
    try fields.write(self.source, "source")
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.part("altered") { (model: Self) in model.altered }
    form.part("completed") { (model: Self) in model.completed }
    form.part("created") { (model: Self) in model.created }
    form.part("due") { (model: Self) in model.due }
    form.part("finished") { (model: Self) in model.finished }
    form.part("id") { (model: Self) in model.id }
    form.part("priority") { (model: Self) in model.priority }
    form.part("source") { (model: Self) in model.source }
    form.part("text") { (model: Self) in model.text }
  }
  /// Reads the properties by their names, as they are stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    var object = try reader.beginObject()
    self.altered = try reader.optional("altered", in: &object)
    self.completed = try reader.required("completed", in: &object)
    self.created = try reader.optional("created", in: &object)
    self.due = try reader.optional("due", in: &object)
    self.finished = try reader.optional("finished", in: &object)
    self.id = try reader.required("id", in: &object)
    self.priority = try reader.optional("priority", in: &object)
    self.source = try reader.optional("source", in: &object)
    self.text = try reader.required("text", in: &object)
    try reader.endObject(&object)
  }
  /// Writes the properties by their names, as they are stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    try writer.beginObject()
    try writer.field(self.altered, "altered")
    try writer.field(self.completed, "completed")
    try writer.field(self.created, "created")
    try writer.field(self.due, "due")
    try writer.field(self.finished, "finished")
    try writer.field(self.id, "id")
    try writer.field(self.priority, "priority")
    try writer.field(self.source, "source")
    try writer.field(self.text, "text")
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}

// swift-format-ignore
nonisolated extension TodoItem.Change: Codable, AlterCore.StoredForm {
  /// Reads an object with one key, the name of the case.
  public init(from decoder: any Decoder) throws {
    let wire = try AlterJournal.WireCase(of: Self.self, changing: TodoItem.self, from: decoder)
    switch wire.name {
    case "text": self = .text(try wire.value())
    case "completed": self = .completed(try wire.value())
    case "priority": self = .priority(try wire.value())
    case "due": self = .due(try wire.value())
    case "created": self = .created(try wire.value())
    case "finished": self = .finished(try wire.value())
    default: throw wire.unknown
    }
  }
  /// Writes an object with one key, the name of the case.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let value): try AlterJournal.WireCase.encode("text", value, to: encoder)
    case .completed(let value): try AlterJournal.WireCase.encode("completed", value, to: encoder)
    case .priority(let value): try AlterJournal.WireCase.encode("priority", value, to: encoder)
    case .due(let value): try AlterJournal.WireCase.encode("due", value, to: encoder)
    case .created(let value): try AlterJournal.WireCase.encode("created", value, to: encoder)
    case .finished(let value): try AlterJournal.WireCase.encode("finished", value, to: encoder)
    }
  }
  /// Each value can be read again.
  public static var _isTotal: Swift.Bool { true }
  /// Describes the stored form, for its fingerprint.
  public static func _describe(_ form: inout AlterCore.StoredFormDescription) {
    form.oneCase("completed")
    form.part("") { (one: Self) in
      guard case .completed(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("created")
    form.part("") { (one: Self) in
      guard case .created(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("due")
    form.part("") { (one: Self) in
      guard case .due(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("finished")
    form.part("") { (one: Self) in
      guard case .finished(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("priority")
    form.part("") { (one: Self) in
      guard case .priority(let part) = one else { Swift.fatalError() }
      return part
    }
    form.oneCase("text")
    form.part("") { (one: Self) in
      guard case .text(let part) = one else { Swift.fatalError() }
      return part
    }
  }
  /// Reads an object with one key, the name of the case, as it is stored.
  public init(from reader: inout AlterCore.StoredReader) throws(AlterCore.StoredFormError) {
    try reader.beginCase()
    if reader.isCase("text") {
      self = .text(try reader.value())
    } else if reader.isCase("completed") {
      self = .completed(try reader.value())
    } else if reader.isCase("priority") {
      self = .priority(try reader.value())
    } else if reader.isCase("due") {
      self = .due(try reader.value())
    } else if reader.isCase("created") {
      self = .created(try reader.value())
    } else if reader.isCase("finished") {
      self = .finished(try reader.value())
    } else {
      throw AlterCore.StoredFormError()
    }
    try reader.endCase()
  }
  /// Writes an object with one key, the name of the case, as it is stored.
  public func write(to writer: inout AlterCore.StoredWriter) throws(AlterCore.StoredFormError) {
    switch self {
    case .text(let part0):
      try writer.beginCase("text")
      try writer.value(part0)
    case .completed(let part0):
      try writer.beginCase("completed")
      try writer.value(part0)
    case .priority(let part0):
      try writer.beginCase("priority")
      try writer.value(part0)
    case .due(let part0):
      try writer.beginCase("due")
      try writer.value(part0)
    case .created(let part0):
      try writer.beginCase("created")
      try writer.value(part0)
    case .finished(let part0):
      try writer.beginCase("finished")
      try writer.value(part0)
    }
    writer.endObject()
  }
  /// Each name is stored as it is written: `@Renamed` reads older names, and CodingKeys would not be used.
  typealias CodingKeys = Swift.Never
}
