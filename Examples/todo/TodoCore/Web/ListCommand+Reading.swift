public import Alter
import _AlterTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reason why the body of a request is malformed: the problem, its position, and the expected form.
public struct MalformedRequest: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem, as a sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}

// Scripts rely on these names: Design/0014-todo-web.md. Unknown names are refused, so that a request with a mistake is never carried out in
// part.

extension ListCommand {
  /// Parses `{"changes":[{"complete":{"done":true,"id":"…"}},…]}`.
  ///
  /// - Throws: ``MalformedRequest``, also for an unknown field or command.
  /// - Complexity: O(length).
  public static func commands(_ json: JSONValue) throws(MalformedRequest) -> [ListCommand] {
    var fields = try Fields(json, of: "the request")
    guard let values = try fields.take("changes").values else { throw MalformedRequest("'changes' is an array of commands.") }
    try fields.end()
    guard !values.isEmpty else { throw MalformedRequest("'changes' is empty: name at least one command.") }
    guard values.count <= most else { throw MalformedRequest("'changes' has \(values.count) commands; at most \(most) may come at once.") }
    var commands: [ListCommand] = []
    for value in values { commands.append(try ListCommand(value)) }
    return commands
  }

  /// The names of the commands.
  public enum Name: String, CaseIterable, Sendable {
    /// Adds an item.
    case add
    /// Completes or reopens an item.
    case complete
    /// Sets the text of an item.
    case rename
    /// Sets or removes the due day of an item.
    case due
    /// Sets or removes the priority of an item.
    case priority
    /// Adds a tag to an item.
    case tag
    /// Removes a tag from an item.
    case untag
    /// Adds a note.
    case note
    /// Removes an item.
    case remove
    /// Removes all completed items.
    case clearCompleted
  }

  /// Parses `{"complete":{"done":true,"id":"…"}}`.
  private init(_ json: JSONValue) throws(MalformedRequest) {
    guard let (name, payload) = json.only else {
      throw MalformedRequest("A command is an object with one field, its name, as in {\"remove\":{\"id\":\"…\"}}.")
    }
    var fields = try Fields(payload, of: "'\(name.printable)'")
    switch Name(rawValue: name) {
    case .add: self = .add(id: try fields.optionalID(), line: try fields.text("text"))
    case .complete: self = .complete(try fields.id(), try fields.flag("done"))
    case .rename: self = .rename(try fields.id(), try fields.text("text"))
    case .due: self = .due(try fields.id(), try fields.textOrNull("day"))
    case .priority: self = .prioritize(try fields.id(), try fields.priority("priority"))
    case .tag: self = .tag(try fields.id(), try fields.text("tag"))
    case .untag: self = .untag(try fields.id(), try fields.text("tag"))
    case .note: self = .note(id: try fields.optionalID(), text: try fields.text("text"))
    case .remove: self = .remove(try fields.id())
    case .clearCompleted: self = .clearCompleted
    case nil:
      throw MalformedRequest(
        "There is no command \(name.quoted): there are add, complete, rename, due, priority, tag, untag, note, remove and clearCompleted.")
    }
    try fields.end()
  }
}

/// The undo or redo that the client requests: the one that its page showed.
public struct TakeBackRequest: Sendable, Hashable {
  /// The revision to undo or redo; nil for the latest.
  public let of: Int64?

  /// Parses `{"of":12}` or `{}`.
  ///
  /// - Throws: ``MalformedRequest``.
  public init(_ json: JSONValue) throws(MalformedRequest) {
    var fields = try Fields(json, of: "the request")
    if let value = fields.takeIfThere("of") {
      guard let revision = value.int else { throw MalformedRequest("'of' is a revision: a whole number.") }
      of = revision
    } else {
      of = nil
    }
    try fields.end()
  }
}

/// The refused changes that the client wants to make again or to dismiss.
public enum RefusalRequest: Sendable, Hashable {
  /// Make these changes again, given by ``SyncPanel/Refused/key``.
  case retry([String])
  /// Give these changes up.
  case dismiss([String])

  /// Parses `{"retry":["…"]}` or `{"dismiss":["…"]}`.
  ///
  /// - Throws: ``MalformedRequest``.
  public init(_ json: JSONValue) throws(MalformedRequest) {
    var fields = try Fields(json, of: "the request")
    let (retry, dismiss) = (fields.takeIfThere("retry"), fields.takeIfThere("dismiss"))
    try fields.end()
    switch (retry, dismiss) {
    case (let keys?, nil): self = .retry(try Self.keys(keys, "retry"))
    case (nil, let keys?): self = .dismiss(try Self.keys(keys, "dismiss"))
    default: throw MalformedRequest("The request needs one of the fields 'retry' and 'dismiss'.")
    }
  }

  private static func keys(_ json: JSONValue, _ name: String) throws(MalformedRequest) -> [String] {
    guard let values = json.values, !values.isEmpty else { throw MalformedRequest("'\(name)' is an array of ids of refused changes.") }
    var keys: [String] = []
    for value in values {
      guard let key = value.text else { throw MalformedRequest("'\(name)' is an array of ids of refused changes, which are texts.") }
      keys.append(key)
    }
    return keys
  }
}

/// The fields of an object that have not been parsed yet.
private struct Fields {
  private let owner: String
  private var members: [String: JSONValue]

  init(_ json: JSONValue, of owner: String) throws(MalformedRequest) {
    guard let members = json.members else { throw MalformedRequest("\(Self.capitalized(owner)) is an object.") }
    self.owner = owner
    self.members = members
  }

  mutating func takeIfThere(_ name: String) -> JSONValue? { members.removeValue(forKey: name) }

  mutating func take(_ name: String) throws(MalformedRequest) -> JSONValue {
    guard let value = takeIfThere(name) else { throw MalformedRequest("\(Self.capitalized(owner)) needs the field '\(name)'.") }
    return value
  }

  mutating func text(_ name: String) throws(MalformedRequest) -> String {
    guard let text = try take(name).text else { throw MalformedRequest("'\(name)' of \(owner) is a text.") }
    return text
  }

  mutating func textOrNull(_ name: String) throws(MalformedRequest) -> String? {
    let value = try take(name)
    if value == .null { return nil }
    guard let text = value.text else { throw MalformedRequest("'\(name)' of \(owner) is a text, or null.") }
    return text
  }

  mutating func flag(_ name: String) throws(MalformedRequest) -> Bool {
    guard let flag = try take(name).flag else { throw MalformedRequest("'\(name)' of \(owner) is true or false.") }
    return flag
  }

  mutating func priority(_ name: String) throws(MalformedRequest) -> Priority? {
    guard let text = try textOrNull(name) else { return nil }
    guard let priority = Priority(text) else { throw MalformedRequest("'\(name)' of \(owner) is a letter from A to Z, or null.") }
    return priority
  }

  mutating func id() throws(MalformedRequest) -> UUID {
    guard let id = UUID(uuidString: try text("id")) else { throw MalformedRequest("'id' of \(owner) is the whole id of an item.") }
    return id
  }

  mutating func optionalID() throws(MalformedRequest) -> UUID? { members["id"] == nil ? nil : try id() }

  /// Throws if fields are left over.
  func end() throws(MalformedRequest) {
    guard let name = members.keys.min() else { return }
    throw MalformedRequest("\(Self.capitalized(owner)) has no field \(name.quoted).")
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
