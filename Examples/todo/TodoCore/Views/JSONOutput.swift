public import Alter

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The output of `--json`: one object a line. Scripts rely on the names: add keys, but never rename or remove one. Every key is always
// present; a missing value is null.

/// An item in the output of `list`, `search` and `show`.
public struct ItemOutput: Encodable, Sendable {
  /// The item's row.
  public let row: TodoList.Row

  /// The output of a row.
  public init(_ row: TodoList.Row) { self.row = row }

  private enum Key: String, CodingKey {
    case number, id, text, completed, priority, due, created, finished, altered, tags, overdue
  }

  /// Encodes `{"completed":false,"due":"2026-12-01","number":1,…}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    let item = row.item
    try container.encode(row.number, forKey: .number)
    try container.encode(item.id.uuidString.lowercased(), forKey: .id)
    try container.encode(item.text, forKey: .text)
    try container.encode(item.completed, forKey: .completed)
    try container.encode(item.priority, forKey: .priority)
    try container.encode(item.due, forKey: .due)
    try container.encode(item.created, forKey: .created)
    try container.encode(item.finished, forKey: .finished)
    try container.encode(item.altered, forKey: .altered)
    try container.encode(row.tags, forKey: .tags)
    try container.encode(row.urgency == .overdue, forKey: .overdue)
  }
}

/// The result of a command on one item: `{"action":"done","changed":true,"item":{…},"revision":7}`.
public struct ActionOutput: Encodable, Sendable {
  /// The command's name.
  public let action: String
  /// The item after the command. If the command removed it, the item before the command.
  public let item: ItemOutput
  /// The revision of the change; nil if the item did not change.
  public let revision: Revision?

  /// The result of a command.
  public init(_ action: String, _ row: TodoList.Row, revision: Revision?) {
    self.action = action
    item = ItemOutput(row)
    self.revision = revision
  }

  private enum Key: String, CodingKey { case action, item, revision, changed }

  /// Encodes the object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(action, forKey: .action)
    try container.encode(revision != nil, forKey: .changed)
    try container.encode(item, forKey: .item)
    try container.encode(revision?.number, forKey: .revision)
  }
}

/// An entry in the output of `log`, or the entry that an undo reverted.
public struct RecordOutput: Encodable, Sendable {
  /// The entry.
  public let record: Record<AppState>
  /// The description of the entry.
  public let what: String
  /// Whether the entry is undone at the end of the log.
  public let isUndone: Bool

  /// The output of an entry.
  public init(_ record: Record<AppState>, what: String, isUndone: Bool) {
    self.record = record
    self.what = what
    self.isUndone = isUndone
  }

  private enum Key: String, CodingKey { case revision, time, kind, what, undone, changes, metadata }

  private var kind: Entry.Kind {
    switch record.kind {
    case .initial: .initial
    case .changes: .changes
    case .reset: .reset
    case .undo: .undo
    case .redo: .redo
    }
  }

  /// Encodes `{"changes":[…],"kind":"changes","metadata":null,"revision":2,"time":"…Z","undone":false,"what":"…"}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(record.revision.number, forKey: .revision)
    try container.encode(record.stamp.date, forKey: .time)
    try container.encode(kind, forKey: .kind)
    try container.encode(what, forKey: .what)
    try container.encode(isUndone, forKey: .undone)
    var changes: [AppState.Change]?
    if case .changes(let made) = record.kind { changes = made }
    try container.encode(changes, forKey: .changes)
    try container.encode(record.cause?.metadata, forKey: .metadata)
  }
}

/// A note: `{"id":"…","number":1,"text":"…","written":"…Z"}`.
public struct NoteOutput: Encodable, Sendable {
  /// Its number, from 1.
  public let number: Int
  /// The note.
  public let note: Note

  /// The output of a note.
  public init(_ number: Int, _ note: Note) { (self.number, self.note) = (number, note) }

  private enum Key: String, CodingKey { case number, id, text, written }

  /// Encodes the object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(number, forKey: .number)
    try container.encode(note.id.uuidString.lowercased(), forKey: .id)
    try container.encode(note.text, forKey: .text)
    try container.encode(note.written, forKey: .written)
  }
}

/// The result of an undo or a redo: `{"action":"undo","of":3,"revision":5,"what":"completed ‘Pay rent’"}`.
public struct UndoOutput: Encodable, Sendable {
  /// `undo` or `redo`.
  public let action: String
  /// The revision that was undone or redone.
  public let of: Int64
  /// The revision of the undo or redo itself.
  public let revision: Int64
  /// The description of the undone or redone entry.
  public let what: String

  /// The result of an undo or a redo.
  public init(_ action: String, of: Revision, revision: Revision, what: String) {
    (self.action, self.of, self.revision, self.what) = (action, of.number, revision.number, what)
  }
}

/// The result of an import: `{"action":"import","items":4,"leftOut":1,"present":0,"revision":2}`.
public struct ImportOutput: Encodable, Sendable {
  /// `import`.
  public let action = "import"
  /// The number of imported items.
  public let items: Int
  /// The number of malformed lines, which were left out.
  public let leftOut: Int
  /// The number of items that the list already contained. They stayed unchanged.
  public let present: Int
  /// The revision of the change; nil if there was nothing to change.
  public let revision: Revision?

  /// The result of an import.
  public init(items: Int, leftOut: Int = 0, present: Int = 0, revision: Revision?) {
    (self.items, self.leftOut, self.present, self.revision) = (items, leftOut, present, revision)
  }

  private enum Key: String, CodingKey { case action, items, leftOut, present, revision }

  /// Encodes the object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(action, forKey: .action)
    try container.encode(items, forKey: .items)
    try container.encode(leftOut, forKey: .leftOut)
    try container.encode(present, forKey: .present)
    try container.encode(revision?.number, forKey: .revision)
  }
}
