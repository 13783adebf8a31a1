/// How much an item matters: a letter, `A` before `B` before … `Z`.
public struct Priority: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The letter's ASCII code, `A` to `Z`.
  let letter: UInt8

  /// A priority by its ASCII code, or nil for anything else than `A` to `Z`.
  init?(letter: UInt8) {
    guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) else { return nil }
    self.letter = letter
  }

  /// A priority by its capital letter, or nil for any other text.
  public init?(_ description: String) {
    guard description.utf8.count == 1, let letter = description.utf8.first else { return nil }
    self.init(letter: letter)
  }

  /// Whether the left one matters more: it stands first.
  public static func < (left: Priority, right: Priority) -> Bool { left.letter < right.letter }

  /// The letter.
  public var description: String { String(UnicodeScalar(letter)) }
}

extension Priority: Codable {
  /// Decodes the letter.
  ///
  /// - Throws: `DecodingError` when the text is none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let priority = Priority(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a priority is a letter from A to Z, not this text")
    }
    self = priority
  }

  /// Encodes the letter.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
