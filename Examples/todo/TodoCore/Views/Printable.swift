extension String {
  /// The text as it can stand on one line of a terminal: what would move the cursor, change colours or turn the reading direction is shown
  /// as a sign instead. An imported text may hold anything.
  ///
  /// - Complexity: O(length).
  public var printable: String {
    guard unicodeScalars.contains(where: { Self.isControl($0.value) }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      // Unicode has a picture for each of these: ␀ to ␟, and ␡.
      case 0...0x1F: text.append(UnicodeScalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case 0x7F: text.append("\u{2421}")
      case let value where Self.isControl(value): text.append("\u{FFFD}")
      default: text.append(scalar)
      }
    }
    return String(text)
  }

  /// C0 and C1 controls, line and paragraph separators, and the controls of bidirectional text.
  private static func isControl(_ value: UInt32) -> Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The printable text in quotation marks, cut to a length that fits into a sentence.
  var quoted: String {
    let text = printable
    return "‘\(text.count > 60 ? text.prefix(59) + "…" : text[...])’"
  }
}
