// All printers of this package escape text through this file: commands, errors, JSON and the live view.

extension Unicode.Scalar {
  /// Whether a terminal executes the character instead of showing it, or shows other characters in another order because of it.
  ///
  /// These are the C0 and C1 controls and DEL (ECMA-48), the line and paragraph separators, and the controls of bidirectional text (UAX #9:
  /// the marks U+061C, U+200E and U+200F, the embeddings U+202A to U+202E, the isolates U+2066 to U+2069, and the deprecated U+206A to
  /// U+206F).
  public var actsOnTerminal: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x206F: true
    default: false
    }
  }
}

extension String {
  /// The text for one line of a terminal: a visible symbol replaces each character that would act on the terminal.
  ///
  /// Use it for stored and imported text, file names and arguments. It is idempotent.
  ///
  /// - Complexity: O(length).
  public var printable: String { replacingActive { _ in false } }

  /// The text for several lines of a terminal: as ``printable``, but line feeds are kept.
  ///
  /// - Complexity: O(length).
  public var printableLines: String { replacingActive { $0 == "\n" } }

  private func replacingActive(_ isKept: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: { $0.actsOnTerminal && !isKept($0) }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case _ where !scalar.actsOnTerminal || isKept(scalar): text.append(scalar)
      // Unicode has symbols for these: U+2400 to U+241F for the C0 controls, U+2421 for DEL.
      case 0...0x1F: text.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case 0x7F: text.append("\u{2421}")
      default: text.append("\u{FFFD}")
      }
    }
    return String(text)
  }

  /// JSON text with the same meaning that a terminal shows unchanged: an escape like `\u202e` replaces each character that would act on the
  /// terminal (RFC 8259, section 7).
  ///
  /// Outside of its strings, valid JSON contains only two such characters, line feeds and tabs. Both are kept.
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
