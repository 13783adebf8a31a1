/// The bytes with a meaning in a todo.txt file.
///
/// The format is parsed as bytes: in a `String`, `\r\n` is a single character, and accents may merge with the preceding character.
enum Byte {
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")
  static let dash = UInt8(ascii: "-")
  static let zero = UInt8(ascii: "0")
  static let plus = UInt8(ascii: "+")
  static let at = UInt8(ascii: "@")
  static let done = UInt8(ascii: "x")
  static let open = UInt8(ascii: "(")
  static let close = UInt8(ascii: ")")
  static let due: [UInt8] = Array("due:".utf8)
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= zero + 9 }

  /// Whether a byte separates words.
  static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

  /// The words of a line, as ranges, in order.
  ///
  /// - Complexity: O(bytes).
  static func words(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split(whereSeparator: isBlank)
  }

  /// The text of bytes; nil if they aren't UTF-8.
  static func text(of bytes: ArraySlice<UInt8>) -> String? {
    // Decoding replaces invalid bytes, so that the result differs from the input.
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf8.elementsEqual(bytes) ? text : nil
  }
}

extension String {
  /// Whether both texts have the same bytes. In contrast, `==` also holds for canonically equivalent texts, whose bytes in a file differ.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
