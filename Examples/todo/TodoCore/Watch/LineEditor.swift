/// A line of text in an editor, with the position of the cursor.
public struct LineEditor: Sendable, Hashable {
  /// The characters before the cursor.
  private(set) var before: [Character]
  /// The characters from the cursor on.
  private(set) var after: [Character] = []

  /// A text with the cursor at its end.
  init(_ text: String) { before = Array(text) }

  /// The text.
  var text: String { String(before + after) }

  /// Edits the text or moves the cursor.
  ///
  /// - Returns: Whether the editor has a use for the key.
  /// - Complexity: O(1); O(length) for keys that move to an end of the line.
  @discardableResult
  mutating func press(_ key: Key) -> Bool {
    switch key {
    case .character(let character): before.append(character)
    case .backspace: _ = before.popLast()
    case .delete, .control("d"): if !after.isEmpty { after.removeFirst() }
    case .left, .control("b"): if let last = before.popLast() { after.insert(last, at: 0) }
    case .right, .control("f"): if !after.isEmpty { before.append(after.removeFirst()) }
    case .home, .control("a"): (before, after) = ([], before + after)
    case .end, .control("e"): (before, after) = (before + after, [])
    case .control("u"): before = []
    case .control("k"): after = []
    case .control("w"):
      while before.last?.isWhitespace == true { before.removeLast() }
      while before.last?.isWhitespace == false { before.removeLast() }
    default: return false
    }
    return true
  }
}
