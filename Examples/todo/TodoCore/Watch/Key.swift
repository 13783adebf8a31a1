/// A key press on a terminal.
public enum Key: Sendable, Hashable {
  /// A key that types one character.
  case character(Character)
  /// Control and a letter.
  case control(Character)
  case up, down, left, right, home, end, pageUp, pageDown, enter, escape, backspace, delete
}

/// Reads keys from the bytes that a terminal sends, in pieces of any size.
///
/// An escape at the end of a piece is the escape key, because a terminal sends the whole sequence of any other key at once.
public struct KeyReader: Sendable {
  /// The beginning of an incomplete character.
  private var pending: [UInt8] = []

  /// A reader that has read nothing yet.
  public init() {}

  /// The keys of a piece. Unknown sequences are ignored.
  ///
  /// - Complexity: O(bytes).
  public mutating func read(_ bytes: [UInt8]) -> [Key] {
    var rest = (pending + bytes)[...]
    pending = []
    var keys: [Key] = []
    while let first = rest.first {
      if first == 0x1B {
        rest = rest.dropFirst()
        if let key = Self.sequence(&rest) { keys.append(key) }
      } else if first < 0x20 || first == 0x7F {
        rest = rest.dropFirst()
        keys.append(Self.control(first))
      } else {
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard rest.count >= length else {
          pending = Array(rest)
          break
        }
        keys += String(decoding: rest.prefix(length), as: UTF8.self).map(Key.character)
        rest = rest.dropFirst(length)
      }
    }
    return keys
  }

  private static func control(_ byte: UInt8) -> Key {
    switch byte {
    case 0x0D, 0x0A: .enter
    case 0x7F, 0x08: .backspace
    default: .control(Character(UnicodeScalar(byte | 0x60)))
    }
  }

  /// Parses the rest of a sequence after the escape: `[A`, `OA`, `[5~`, `[1;5C`.
  private static func sequence(_ rest: inout ArraySlice<UInt8>) -> Key? {
    guard let kind = rest.first, kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return .escape }
    rest = rest.dropFirst()
    let parameters = rest.prefix { (0x20...0x3F).contains($0) }
    rest = rest.dropFirst(parameters.count)
    guard let final = rest.popFirst() else { return nil }
    switch final {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return .right
    case UInt8(ascii: "D"): return .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "~"):
      switch String(decoding: parameters, as: UTF8.self) {
      case "1", "7": return .home
      case "3": return .delete
      case "4", "8": return .end
      case "5": return .pageUp
      case "6": return .pageDown
      default: return nil
      }
    default: return nil
    }
  }
}
