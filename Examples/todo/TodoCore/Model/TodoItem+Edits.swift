public import Alter

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// The changes for each edit of a user. The text of an item may contain words that are fields in todo.txt. An edit removes such words from
// the text if they contradict the fields.

extension TodoItem {
  /// A new item from a line as the user types it: a line of todo.txt, created today.
  ///
  /// - Parameters:
  ///   - id: The identity.
  ///   - line: The line. Spaces at its ends are ignored.
  ///   - today: The user's current day.
  /// - Throws: ``TodoLine/Malformed``.
  public init(id: UUID, adding line: ArraySlice<UInt8>, today: Day?) throws(TodoLine.Malformed) {
    let start = line.firstIndex { !Byte.isBlank($0) } ?? line.endIndex
    let end = line.lastIndex { !Byte.isBlank($0) }.map { $0 + 1 } ?? start
    var fields = try TodoLine(parsing: line[start..<end])
    if fields.completed { fields.finished = fields.finished ?? today }
    fields.created = fields.created ?? today
    self.init(id: id, fields)
  }

  /// The changes that complete the item, with the day if it is known.
  public func changes(completedOn day: Day?) -> [AppState.Change] { [.item(id, .completed(true)), .item(id, .finished(day))] }

  /// The changes that set or remove the due day.
  ///
  /// A `due:` word that the text still contains would be read as the due day when the item is exported and imported again. Therefore the
  /// changes remove such words if `day` is nil.
  ///
  /// - Throws: `Refusal` if the text would become empty.
  public func changes(due day: Day?) throws(Refusal) -> [Change] {
    guard day == nil else { return [.due(day)] }
    let rest = text.removingWords { TodoLine.due(in: $0) != nil }
    guard !rest.hasSameBytes(as: text) else { return [.due(nil)] }
    return [.due(nil), .text(try TodoItem.something(rest))]
  }

  /// The changes that set the text. A `due:2026-12-01` in it becomes the due day, as in a line of todo.txt. Without such a word the due day
  /// stays unchanged.
  ///
  /// - Throws: ``TodoLine/Malformed`` for a day that does not exist, and for a text that is a `due:` alone.
  public func changes(text: String) throws(TodoLine.Malformed) -> [Change] {
    var line = TodoLine()
    try line.readText(Array(text.utf8)[...])
    guard line.due == nil || !line.text.utf8.allSatisfy(Byte.isBlank) else { throw .noText(text) }
    return [.text(line.text)] + (line.due.map { [.due($0)] } ?? [])
  }

  /// The changes that remove tags from the item: from its text, and from the tags that it belongs to without naming them.
  ///
  /// - Parameters:
  ///   - names: The names, with their signs.
  ///   - state: The list.
  /// - Returns: The changes; none if the item has none of these tags.
  /// - Throws: `Refusal` if the text would become empty.
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
  /// Whether a name as users type it denotes a tag: `home` denotes `@home` and `+home`; a name with a sign denotes only that tag.
  static func isMeant(by name: String, _ tag: String) -> Bool {
    tag == name || (!name.hasPrefix("+") && !name.hasPrefix("@") && tag.dropFirst() == name)
  }

  /// The tags among `tags` that the names, as users type them, denote.
  public static func meant(by names: [String], among tags: [String]) -> Set<String> {
    Set(tags.filter { tag in names.contains { isMeant(by: $0, tag) } })
  }
}

extension String {
  /// The text without the words that satisfy the predicate. One separator is removed with each word: the one before it, or at the beginning
  /// of the text the one after it.
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
