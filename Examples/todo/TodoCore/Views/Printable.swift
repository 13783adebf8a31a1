import _AlterTerminal

extension String {
  /// The printable text in quotation marks, truncated to a length that fits into a sentence.
  var quoted: String {
    let text = printable
    return "‘\(text.count > 60 ? text.prefix(59) + "…" : text[...])’"
  }
}
