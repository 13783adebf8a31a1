public import Alter

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What `--json` prints, one object a line. The names are a promise to scripts: add keys, never rename or remove one. Every key is always
// there; what an item doesn't have is null.

/// An item as `list`, `search` and `show` print it.
public struct ItemOutput: Encodable, Sendable {
  /// What is shown of the item.
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

/// What a command did to an item: `{"action":"done","changed":true,"item":{…},"revision":7}`.
public struct ActionOutput: Encodable, Sendable {
  /// The command's name.
  public let action: String
  /// The item: as it is now, or, when it was removed, as it was.
  public let item: ItemOutput
  /// The revision of the change; nil when nothing had to change.
  public let revision: Revision?

  /// What a command did.
  public init(_ action: String, _ row: TodoList.Row, revision: Revision?) {
    self.action = action
    item = ItemOutput(row)
    self.revision = revision
  }

  private enum Key: String, CodingKey { case action, item, revision, changed }

  /// Encodes it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(action, forKey: .action)
    try container.encode(revision != nil, forKey: .changed)
    try container.encode(item, forKey: .item)
    try container.encode(revision?.number, forKey: .revision)
  }
}

/// An entry of the log, or what an undo took back.
public struct RecordOutput: Encodable, Sendable {
  /// The entry.
  public let record: Record<AppState>
  /// What it says, in words.
  public let what: String
  /// Whether it is undone at the end of the log.
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

  /// Encodes it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(number, forKey: .number)
    try container.encode(note.id.uuidString.lowercased(), forKey: .id)
    try container.encode(note.text, forKey: .text)
    try container.encode(note.written, forKey: .written)
  }
}

/// What an undo took back or a redo brought back: `{"action":"undo","of":3,"revision":5,"what":"completed ‘Pay rent’"}`.
public struct UndoOutput: Encodable, Sendable {
  /// `undo` or `redo`.
  public let action: String
  /// The revision that it is about.
  public let of: Int64
  /// The revision of the undo or redo itself.
  public let revision: Int64
  /// What is taken back or brought back, in words.
  public let what: String

  /// What an undo or redo did.
  public init(_ action: String, of: Revision, revision: Revision, what: String) {
    (self.action, self.of, self.revision, self.what) = (action, of.number, revision.number, what)
  }
}

/// What an import did: `{"action":"import","items":4,"leftOut":1,"present":0,"revision":2}`.
public struct ImportOutput: Encodable, Sendable {
  /// `import`.
  public let action = "import"
  /// How many items came in.
  public let items: Int
  /// How many lines were malformed and left out.
  public let leftOut: Int
  /// How many items were in the list already, and left as they are.
  public let present: Int
  /// The revision of the change; nil when there was nothing to change.
  public let revision: Revision?

  /// What an import did.
  public init(items: Int, leftOut: Int = 0, present: Int = 0, revision: Revision?) {
    (self.items, self.leftOut, self.present, self.revision) = (items, leftOut, present, revision)
  }

  private enum Key: String, CodingKey { case action, items, leftOut, present, revision }

  /// Encodes it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(action, forKey: .action)
    try container.encode(items, forKey: .items)
    try container.encode(leftOut, forKey: .leftOut)
    try container.encode(present, forKey: .present)
    try container.encode(revision?.number, forKey: .revision)
  }
}
