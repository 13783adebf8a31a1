/// A strict check that bytes are JSON (RFC 8259), which reports the position of the first error. Decoders are more lenient, and their
/// errors name no position.
struct JSONSyntax {
  /// The problem and its position.
  struct Problem: Error, Hashable, CustomStringConvertible {
    /// The line, from 1.
    let line: Int
    /// The column in bytes, from 1.
    let column: Int
    let reason: String

    var description: String { "line \(line), column \(column): \(reason)" }
  }

  /// The maximum nesting. No list needs more, and deeper nesting could exhaust the decoder's stack.
  private static let deepest = 128

  private let bytes: [UInt8]
  private var place = 0

  /// Checks a whole file.
  ///
  /// - Throws: ``Problem``, for the first error.
  /// - Complexity: O(bytes).
  static func check(_ bytes: [UInt8]) throws(Problem) {
    var syntax = JSONSyntax(bytes: bytes)
    if bytes.starts(with: Byte.byteOrderMark) { syntax.place = Byte.byteOrderMark.count }
    try syntax.value(depth: 0)
    syntax.skipBlanks()
    if syntax.next != nil { throw syntax.problem("more text follows its end") }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipBlanks() {
    while let byte = next, Byte.isBlank(byte) || byte == Byte.newline || byte == Byte.carriageReturn { place += 1 }
  }

  private func problem(_ reason: String) -> Problem {
    let before = bytes[..<place]
    let start = before.lastIndex(of: Byte.newline).map { $0 + 1 } ?? 0
    return Problem(
      line: before.count { $0 == Byte.newline } + 1, column: place - start + 1, reason: place < bytes.count ? reason : "it ends too early")
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int) throws(Problem) {
    guard depth < JSONSyntax.deepest else { throw problem("it is nested too deeply") }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"):
      try members(until: "}") { (syntax) throws(Problem) in
        guard syntax.next == UInt8(ascii: "\"") else { throw syntax.problem("a name in quotation marks is expected here") }
        try syntax.string()
        syntax.skipBlanks()
        guard syntax.take(":") else { throw syntax.problem("a colon is expected here") }
        try syntax.value(depth: depth + 1)
      }
    case UInt8(ascii: "["): try members(until: "]") { (syntax) throws(Problem) in try syntax.value(depth: depth + 1) }
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: try number()
    }
  }

  private mutating func members(until end: Unicode.Scalar, _ member: (inout JSONSyntax) throws(Problem) -> Void) throws(Problem) {
    place += 1
    skipBlanks()
    if take(end) { return }
    while true {
      skipBlanks()
      try member(&self)
      skipBlanks()
      if take(end) { return }
      guard take(",") else { throw problem("a comma or \(end) is expected here") }
    }
  }

  private mutating func word(_ word: StaticString) throws(Problem) {
    for character in word.description.unicodeScalars where !take(character) { throw problem("\(word) is misspelled") }
  }

  private mutating func number() throws(Problem) {
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
  }

  private mutating func digits() throws(Problem) {
    guard let first = next, Byte.isDigit(first) else { throw problem("a value is expected here") }
    while let byte = next, Byte.isDigit(byte) { place += 1 }
  }

  private mutating func string() throws(Problem) {
    let start = place
    place += 1
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard Byte.text(of: bytes[start...place]) != nil else { throw problem("the text before this is not valid UTF-8") }
        place += 1
        return
      case UInt8(ascii: "\\"):
        place += 1
        guard let escaped = next else { throw problem("") }
        guard #""\/bfnrtu"#.utf8.contains(escaped) else { throw problem("a backslash needs an escape character after it") }
        place += 1
        guard escaped == UInt8(ascii: "u") else { continue }
        for _ in 0..<4 {
          guard let digit = next, UnicodeScalar(digit).properties.isASCIIHexDigit else {
            throw problem("\\u needs four hexadecimal digits after it")
          }
          place += 1
        }
      case 0..<0x20: throw problem("a string continues beyond its line")
      default: place += 1
      }
    }
    throw problem("")
  }
}
