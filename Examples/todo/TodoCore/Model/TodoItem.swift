public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An item of the list.
@Wire public struct TodoItem: Identifiable, Hashable {
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
  @Wire public enum Change: Sendable, Hashable {
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
