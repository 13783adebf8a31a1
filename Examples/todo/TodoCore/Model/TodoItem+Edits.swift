public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// What people mean by an edit, in changes. The text of an item may hold words that are fields in todo.txt; an edit sees to it that they
// never say something else than the fields.

extension TodoItem {
  /// A new item of a line as one types it: of todo.txt, written down today.
  ///
  /// - Parameters:
  ///   - id: Its identity.
  ///   - line: The line; spaces around it don't count.
  ///   - today: The day it is where the user sits.
  /// - Throws: ``TodoLine/Malformed``.
  public init(id: UUID, adding line: ArraySlice<UInt8>, today: Day?) throws(TodoLine.Malformed) {
    let start = line.firstIndex { !Byte.isBlank($0) } ?? line.endIndex
    let end = line.lastIndex { !Byte.isBlank($0) }.map { $0 + 1 } ?? start
    var fields = try TodoLine(parsing: line[start..<end])
    if fields.completed { fields.finished = fields.finished ?? today }
    fields.created = fields.created ?? today
    self.init(id: id, fields)
  }

  /// Done, on a day, if one knows which.
  public func changes(completedOn day: Day?) -> [AppState.Change] { [.item(id, .completed(true)), .item(id, .finished(day))] }

  /// Another day by when it must be done, or none.
  ///
  /// Without a day, an earlier `due:` word that the text still holds would be read as the day when the item is exported and imported
  /// again. So such words go.
  ///
  /// - Throws: `Refusal` when nothing would be left of the text.
  public func changes(due day: Day?) throws(Refusal) -> [Change] {
    guard day == nil else { return [.due(day)] }
    let rest = text.removingWords { TodoLine.due(in: $0) != nil }
    guard !rest.hasSameBytes(as: text) else { return [.due(nil)] }
    return [.due(nil), .text(try TodoItem.something(rest))]
  }

  /// Another text. A `due:2026-12-01` in it becomes the day, as in a line of todo.txt; without one the day stays.
  ///
  /// - Throws: ``TodoLine/Malformed`` for a day that the calendar doesn't have.
  public func changes(text: String) throws(TodoLine.Malformed) -> [Change] {
    var line = TodoLine()
    try line.readText(Array(text.utf8)[...])
    return [.text(line.text)] + (line.due.map { [.due($0)] } ?? [])
  }

  /// The item without tags: out of the text, and out of the tags that it belongs to besides.
  ///
  /// - Parameters:
  ///   - names: The names, with their signs.
  ///   - state: The list.
  /// - Returns: The changes; none when it has none of these tags.
  /// - Throws: `Refusal` when nothing would be left of the text.
  /// - Complexity: O(length of the text + members of the tags).
  public func changes(untagging names: Set<String>, in state: AppState) throws(Refusal) -> [AppState.Change] {
    let rest = text.removingWords { names.contains(String(decoding: $0, as: UTF8.self)) }
    var changes: [AppState.Change] = rest.hasSameBytes(as: text) ? [] : [.item(id, .text(try TodoItem.something(rest)))]
    for tag in state.tags where names.contains(tag.id) && tag.items.contains(id) { changes.append(.tag(tag.id, .remove(id))) }
    return changes
  }

  private static func something(_ text: String) throws(Refusal) -> String {
    guard !text.utf8.allSatisfy(Byte.isBlank) else {
      throw .custom(code: "noText", message: "Nothing would be left of the item's text. Rename it first, or remove it.")
    }
    return text
  }
}

extension Tag {
  /// Whether a name as people write it means a tag: `home` is `@home` or `+home`, one with a sign is that tag alone.
  static func isMeant(by name: String, _ tag: String) -> Bool {
    tag == name || (!name.hasPrefix("+") && !name.hasPrefix("@") && tag.dropFirst() == name)
  }

  /// The names of the tags, of some, that names as people write them mean.
  public static func meant(by names: [String], among tags: [String]) -> Set<String> {
    Set(tags.filter { tag in names.contains { isMeant(by: $0, tag) } })
  }
}

extension String {
  /// The text without some of its words, each with one separator: the one before it, or at the beginning the one after.
  ///
  /// - Complexity: O(length).
  func removingWords(where isMeant: (ArraySlice<UInt8>) -> Bool) -> String {
    var bytes = Array(utf8)
    for word in Byte.words(of: bytes[...]).reversed() where isMeant(word) {
      let hasOneBefore = word.startIndex > 0
      let hasOneAfter = !hasOneBefore && word.endIndex < bytes.count
      bytes.removeSubrange((hasOneBefore ? word.startIndex - 1 : word.startIndex)..<(hasOneAfter ? word.endIndex + 1 : word.endIndex))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
