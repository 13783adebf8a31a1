// Every printer of this package escapes by this file: commands, errors, JSON, the live view.

extension Unicode.Scalar {
  /// Whether a terminal obeys the character instead of showing it, or shows others in another order because of it.
  ///
  /// C0 and C1 controls and DEL (ECMA-48), the line and paragraph separators, and the controls of bidirectional text (UAX #9: the marks U+061C, U+200E and
  /// U+200F, the embeddings U+202A to U+202E, the isolates U+2066 to U+2069, and the deprecated U+206A to U+206F).
  public var actsOnTerminal: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x206F: true
    default: false
    }
  }
}

extension String {
  /// The text as it can stand on one line of a terminal: a sign stands for each character that would act on it.
  ///
  /// Stored and imported texts, names of files and arguments may hold anything. Applied twice it changes nothing more.
  ///
  /// - Complexity: O(length).
  public var printable: String { replacingActive { _ in false } }

  /// The text as it can stand on several lines of a terminal: line feeds stay.
  ///
  /// - Complexity: O(length).
  public var printableLines: String { replacingActive { $0 == "\n" } }

  private func replacingActive(_ isKept: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: { $0.actsOnTerminal && !isKept($0) }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case _ where !scalar.actsOnTerminal || isKept(scalar): text.append(scalar)
      // Unicode has a picture for each of these: ␀ to ␟, and ␡.
      case 0...0x1F: text.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case 0x7F: text.append("\u{2421}")
      default: text.append("\u{FFFD}")
      }
    }
    return String(text)
  }

  /// JSON text, one value a line, that says the same and that a terminal shows as it is: `\u202e` stands for the character (RFC 8259, section 7).
  ///
  /// Outside of its strings JSON has none of these characters but line feeds, which stay, and tabs.
  ///
  /// - Complexity: O(length).
  public var printableJSON: String {
    guard unicodeScalars.contains(where: { $0.actsOnTerminal && $0 != "\n" }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      guard scalar.actsOnTerminal, scalar != "\n", scalar != "\t" else {
        text.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      text.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
    }
    return String(text)
  }
}
