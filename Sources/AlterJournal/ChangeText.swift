import _AlterTerminal

/// Formats stored JSON as the Swift code that would have made it, approximately: `.item(id: "7", change: .completed(true))`.
///
/// An object with one key, at a place for a change, is a case: `{"completed":true}`, `{"add":{"item":{…}}}`, and Swift's own
/// `{"rename":{"_0":"x"}}`. JSON alone cannot tell a case without a payload from one with the payload `true`, because both are stored as
/// `{"pay":true}`; the decoded change can.
package struct ChangeText {
  /// The text that stands for a hidden value.
  package static let hidden = "•••"

  /// The text so far.
  private var text = ""
  /// The length in UTF-8 bytes after which the text is truncated.
  private let limit: Int
  private var depth = 0
  /// The maximum depth. It bounds the use of the stack; deeper parts would not be readable anyway.
  private static let depthLimit = 64

  private init(limit: Int) { self.limit = max(0, limit) }

  /// Formats a batch of changes.
  ///
  /// - Parameters:
  ///   - payload: The JSON of a `changes` entry, or of one change.
  ///   - values: The decoded changes, in the same order; empty if their type is unknown.
  ///   - limit: The length in UTF-8 bytes after which the text is truncated; it ends with '…' then.
  /// - Complexity: O(limit), at most O(size).
  package static func changes(_ payload: JSONValue, of values: [Any] = [], limit: Int = .max) -> String {
    var writer = ChangeText(limit: limit)
    for (index, change) in (payload.values ?? [payload]).enumerated() {
      guard writer.goesOn else { break }
      if index > 0 { writer.text += ", " }
      writer.write(change: change, of: values.indices.contains(index) ? values[index] : nil)
    }
    return writer.ended()
  }

  /// Formats a value, such as a state.
  package static func value(_ value: JSONValue, limit: Int = .max) -> String {
    var writer = ChangeText(limit: limit)
    writer.write(value: value)
    return writer.ended()
  }

  private var goesOn: Bool { text.utf8.count < limit && depth < Self.depthLimit }

  private func ended() -> String {
    guard text.utf8.count > limit else { return text }
    var end = text.utf8.index(text.utf8.startIndex, offsetBy: limit)
    // Do not truncate in the middle of a character.
    while end > text.startIndex, end.samePosition(in: text) == nil { end = text.utf8.index(before: end) }
    return text[..<end] + "…"
  }

  private mutating func write(change: JSONValue, of value: Any?) {
    guard let (name, payload) = change.only, Self.isName(name) else { return write(value: change) }
    let mirror = value.map { Mirror(reflecting: $0) }
    text += ".\(name)"
    // The name must match as well: coding by hand may store another case under another name.
    if payload == .bool(true), let mirror, mirror.displayStyle == .enum, mirror.children.isEmpty, value.map({ "\($0)" }) == name { return }
    // The payload of the case: one value, or a tuple of several.
    let decoded = mirror?.displayStyle == .enum ? mirror?.children.first?.value : nil
    guard case .object(let members) = payload else {
      text += "("
      write(value: payload)
      text += ")"
      return
    }
    guard !members.isEmpty else { return }
    text += "("
    if let only = payload.only, Self.isPlace(only.name), case .object(let inner) = only.payload, inner.count != 1 {
      // A struct without a label is written without parentheses of its own.
      write(arguments: inner)
    } else if let only = payload.only, !Self.isPlace(only.name) {
      // A single key is the next case, unless it is Swift's name for a payload without a label.
      descend { $0.write(change: payload, of: decoded) }
    } else {
      write(arguments: members, of: decoded)
    }
    text += ")"
  }

  private mutating func write(arguments: [String: JSONValue], of decoded: Any? = nil) {
    for (index, member) in Self.sorted(arguments).enumerated() {
      guard goesOn else {
        text += "…"
        return
      }
      if index > 0 { text += ", " }
      let isPlace = Self.isPlace(member.key)
      if !isPlace { text += "\(Self.label(member.key)): " }
      // A nested change has the key 'change' or no label.
      descend { writer in
        guard isPlace || member.key == "change" else { return writer.write(value: member.value) }
        writer.write(change: member.value, of: decoded.flatMap { Self.argument(member.key, of: $0) })
      }
    }
  }

  private mutating func write(value: JSONValue) {
    switch value {
    case .null: text += "nil"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number, .decimal: text += value.description
    case .string(Self.hidden): text += Self.hidden
    case .string(let value): write(string: value)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        guard goesOn else {
          text += "…"
          break
        }
        if index > 0 { text += ", " }
        descend { $0.write(value: value) }
      }
      text += "]"
    case .object(let members):
      text += "("
      write(arguments: members)
      text += ")"
    }
  }

  private mutating func write(string: String) {
    text += "\""
    for character in string.unicodeScalars {
      switch character {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // These are escaped in the page and in JSON, too.
      case _ where character.actsOnTerminal:
        text += "\\u{\(String(character.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(character)
      }
      if text.utf8.count > limit { break }
    }
    text += "\""
  }

  private mutating func descend(_ body: (inout ChangeText) -> Void) {
    guard depth < Self.depthLimit else {
      text += "…"
      return
    }
    depth += 1
    body(&self)
    depth -= 1
  }

  /// Returns the part of a payload that is stored under a key: the element of a tuple, or the payload itself if it is not a tuple.
  private static func argument(_ key: String, of payload: Any) -> Any? {
    let mirror = Mirror(reflecting: payload)
    guard mirror.displayStyle == .tuple else { return payload }
    let children = Array(mirror.children)
    // A tuple names the elements without labels '.0', '.1' and so on.
    if let labelled = children.first(where: { $0.label == key || $0.label == ".\(key.dropFirst())" }) { return labelled.value }
    // 'change' is also the stored name of a last element without a label.
    return key == "change" ? children.last?.value : nil
  }

  /// Whether the key is '_0', '_1' and so on: Swift's name for a payload without a label.
  private static func isPlace(_ key: String) -> Bool { key.utf8.first == UInt8(ascii: "_") && Int(key.dropFirst()) != nil }

  private static func isName(_ key: String) -> Bool {
    !key.isEmpty && key.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0) }
      && !("0"..."9").contains(key.unicodeScalars.first!)
  }

  private static func label(_ key: String) -> String {
    if isName(key) { return key }
    var writer = ChangeText(limit: .max)
    writer.write(string: key)
    return writer.text
  }

  /// Sorts members for reading: payloads without labels by their number, then the id, then the name, title and text, then the others by
  /// name, then the change.
  ///
  /// JSON does not keep the order of the source, and a line is often truncated. So the most informative members come first.
  package static func sorted(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
    func rank(_ key: String) -> (Int, Int) {
      if isPlace(key) { return (0, Int(key.dropFirst()) ?? 0) }
      switch key {
      case "id": return (1, 0)
      case "name", "title", "text": return (2, 0)
      case "change": return (4, 0)
      default: return (3, 0)
      }
    }
    guard members.count > 1 else { return Array(members) }
    return members.map { (rank: rank($0.key), member: $0) }
      .sorted { $0.rank != $1.rank ? $0.rank < $1.rank : $0.member.key < $1.member.key }
      .map { ($0.member.key, $0.member.value) }
  }
}
