/// The width of texts on a terminal, in columns.
enum Columns {
  /// The columns of a character: 2 for East Asian characters and most emoji, 0 for a combining mark without a base, 1 for all others.
  ///
  /// The table follows Unicode's East Asian Width (UAX #11) by blocks, as far as terminals agree.
  static func count(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.value {
    case 0..<0x300: return 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default:
      switch first.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: return 0
      default: return 1
      }
    }
  }

  /// The columns of a text.
  static func count(_ text: some Sequence<Character>) -> Int { text.reduce(0) { $0 + count($1) } }

  /// The part of a text that fits. A truncated text ends with `…`.
  static func fit(_ text: String, _ columns: Int) -> String {
    guard count(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var result = ""
    var used = 1
    for character in text {
      used += count(character)
      if used > columns { break }
      result.append(character)
    }
    return result + "…"
  }

  /// The lines of a text, broken between words. A word that is wider than a line has a line of its own, and is truncated by ``fit(_:_:)``.
  static func wrapped(_ text: String, _ columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, count(last) + 1 + count(word) <= columns {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.map { fit($0, columns) }
  }
}
