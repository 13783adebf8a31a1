public import Alter

/// The priority of an item: a letter from `A`, the highest, to `Z`.
public struct Priority: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The letter's ASCII code, `A` to `Z`.
  let letter: UInt8

  /// A priority from its ASCII code; nil for any code except `A` to `Z`.
  init?(letter: UInt8) {
    guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) else { return nil }
    self.letter = letter
  }

  /// A priority from its capital letter; nil for any other text.
  public init?(_ description: String) {
    guard description.utf8.count == 1, let letter = description.utf8.first else { return nil }
    self.init(letter: letter)
  }

  /// Whether the left priority is higher. Higher priorities sort first.
  public static func < (left: Priority, right: Priority) -> Bool { left.letter < right.letter }

  /// The letter.
  public var description: String { String(UnicodeScalar(letter)) }
}

extension Priority: Codable {
  /// Decodes the letter.
  ///
  /// - Throws: `DecodingError` if the text is not a capital letter.
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

extension Priority: StoredForm {
  /// Reads the form that ``encode(to:)`` writes, without a decoder.
  public init(from reader: inout StoredReader) throws(StoredFormError) {
    guard let value = Priority(try reader.string()) else { throw StoredFormError() }
    self = value
  }

  /// Writes the form that ``encode(to:)`` writes, without an encoder.
  public func write(to writer: inout StoredWriter) throws(StoredFormError) { writer.string(description) }
}
