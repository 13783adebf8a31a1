public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Something to do.
public struct TodoItem: Identifiable, Hashable, Codable {
  /// Its identity, which no change alters.
  public let id: UUID
  /// What to do, with the `+projects`, `@contexts` and `key:value` words that were written into it. A single line.
  public private(set) var text: String
  /// Whether it is done.
  public private(set) var completed: Bool
  /// How much it matters.
  public private(set) var priority: Priority?
  /// By when it must be done.
  public private(set) var due: Day?
  /// The day it was written down.
  public private(set) var created: Day?
  /// The day it was completed. An open item has none.
  public private(set) var finished: Day?
  /// When it was last altered, by the stamp of the change.
  public private(set) var altered: Date?
  /// How it was written where it was imported from.
  public let source: SourceLine?

  /// An item, which becomes part of a list by `state.alter(.add(.item(item)))`.
  ///
  /// - Parameters:
  ///   - id: Its identity: `UUID()` in the shell, `stamp.uuid()` in a change.
  ///   - line: What it says.
  ///   - source: How it was written where it was imported from.
  ///   - altered: When it was last altered, if that is known from elsewhere. A change that puts it into a list has a stamp, which counts more.
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

  /// An open item of nothing but text.
  public init(id: UUID, text: String) { self.init(id: id, TodoLine(text: text)) }

  /// What it says now, as the fields of a todo.txt line.
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
  /// What can happen to an item.
  public enum Change: Sendable, Hashable {
    /// Another text.
    case text(String)
    /// Done, or open again; an item that is opened again forgets when it was finished.
    case completed(Bool)
    /// Another priority, or none.
    case priority(Priority?)
    /// Another day by when it must be done, or none.
    case due(Day?)
    /// Another day of creation, or none.
    case created(Day?)
    /// Another day of completion, or none.
    case finished(Day?)
  }

  /// Makes the change.
  ///
  /// - Throws: `Refusal` when the text has a line break, or an open item is given a day of completion.
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
    altered = stamp.date ?? altered
  }

  /// The item as it enters a list: checked, and altered now.
  func entering(at stamp: Stamp) throws(Refusal) -> TodoItem {
    try TodoItem.check(text)
    guard completed || finished == nil else { throw .illegal(from: "open", change: "finished") }
    var item = self
    item.altered = stamp.date ?? altered
    return item
  }

  private static func check(_ text: String) throws(Refusal) {
    guard !text.utf8.contains(Byte.newline) else {
      throw .custom(code: "lineBreak", message: "The text of an item is a single line; this one has a line break.")
    }
  }
}
