#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Recognises JSON that ``JSONValue`` would write byte for byte as it is, without making a value of it.
///
/// Such JSON has no spaces, the names in each object ascend, and no string has an escape that is not needed. A number is always written as it
/// was read. The answer is sure only if it is yes: JSON that is nested deeper than ``depth``, or has a name that is not plain ASCII, is left to
/// the parser.
struct CanonicalJSON {
  /// The place of a member in an object: offsets from the first byte of the JSON.
  struct Member {
    /// The name, without the quotation marks.
    let name: Range<Int>
    let value: Range<Int>
  }

  /// The depth up to which arrays and objects are examined. They are examined by recursion.
  private static let depth = 32

  private let start: UnsafePointer<UInt8>
  private let count: Int
  private var position = 0
  private var isASCII = true

  private init(_ bytes: UnsafeBufferPointer<UInt8>, from start: UnsafePointer<UInt8>) {
    self.start = start
    count = bytes.count
  }

  /// Returns the members of an object in order, none for any other value, or nil if the JSON may be another than ``JSONValue`` would write.
  ///
  /// - Complexity: O(bytes).
  static func members(of json: Data) -> [Member]? {
    json.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: UInt8.self) { bytes in
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
        var scan = CanonicalJSON(bytes, from: start)
        var members: [Member] = []
        guard start.pointee == UInt8(ascii: "{") ? scan.object(1, { members.append($0) }) : scan.value(0), scan.position == scan.count,
          scan.isASCII || isUTF8(bytes)
        else { return nil }
        return members
      }
    }
  }

  /// Whether ``JSONValue`` would surely write JSON as it is. A false may be wrong.
  ///
  /// - Complexity: O(bytes).
  static func isSure(_ json: Data) -> Bool {
    json.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: UInt8.self) { bytes in
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return false }
        var scan = CanonicalJSON(bytes, from: start)
        return scan.value(0) && scan.position == scan.count && (scan.isASCII || isUTF8(bytes))
      }
    }
  }

  /// Whether bytes are UTF-8. Decoding replaces others.
  static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { text(bytes) != nil }

  /// Returns the text of UTF-8; nil for other bytes.
  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var text = String(decoding: bytes, as: UTF8.self)
    let isExact = text.withUTF8 { isEqual(UnsafeRawBufferPointer($0), UnsafeRawBufferPointer(bytes)) }
    return isExact ? text : nil
  }

  /// Whether two texts have the same bytes. Eight are compared at once.
  static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    var offset = 0
    while left.count - offset >= 8 {
      let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
      offset += 8
    }
    while offset < left.count {
      guard left[offset] == right[offset] else { return false }
      offset += 1
    }
    return true
  }

  private var next: UInt8? { position < count ? start[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < count, start[position] == byte else { return false }
    position += 1
    return true
  }

  /// Passes a value.
  ///
  /// - Parameter depth: The number of arrays and objects around it.
  private mutating func value(_ depth: Int) -> Bool {
    switch next {
    case UInt8(ascii: "\""): string()
    case UInt8(ascii: "{"): object(depth + 1) { _ in }
    case UInt8(ascii: "["): array(depth + 1)
    case UInt8(ascii: "t"): word("true")
    case UInt8(ascii: "f"): word("false")
    case UInt8(ascii: "n"): word("null")
    case .some: number()
    case nil: false
    }
  }

  private mutating func array(_ depth: Int) -> Bool {
    guard depth <= Self.depth else { return false }
    position += 1
    if take(UInt8(ascii: "]")) { return true }
    repeat { guard value(depth) else { return false } } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]"))
  }

  private mutating func object(_ depth: Int, _ add: (Member) -> Void) -> Bool {
    guard depth <= Self.depth else { return false }
    position += 1
    if take(UInt8(ascii: "}")) { return true }
    var last: Range<Int>?
    repeat {
      guard let name = name(), last.map({ isLess($0, name) }) ?? true, take(UInt8(ascii: ":")) else { return false }
      last = name
      let first = position
      guard value(depth) else { return false }
      add(Member(name: name, value: first..<position))
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}"))
  }

  /// Whether one name comes before another one. Equal names do not.
  private func isLess(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    for offset in 0..<min(left.count, right.count) {
      let (first, second) = (start[left.lowerBound + offset], start[right.lowerBound + offset])
      if first != second { return first < second }
    }
    return left.count < right.count
  }

  /// Passes a name of plain ASCII characters.
  private mutating func name() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let first = position
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return first..<position - 1
      case UInt8(ascii: "\\"), 0..<0x20, 0x80...: return nil
      default: position += 1
      }
    }
    return nil
  }

  private mutating func string() -> Bool {
    position += 1
    while position < count {
      let byte = start[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"): guard escape() else { return false }
      case 0..<0x20: return false
      case 0x80...: isASCII = false
      default: break
      }
    }
    return false
  }

  /// Passes the part of an escape after the backslash, if it is the one that is written.
  private mutating func escape() -> Bool {
    guard let byte = next else { return false }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      return true
    case UInt8(ascii: "u"):
      guard take(UInt8(ascii: "0")), take(UInt8(ascii: "0")), let high = next, high == UInt8(ascii: "0") || high == UInt8(ascii: "1")
      else { return false }
      position += 1
      guard let low = next else { return false }
      position += 1
      switch low {
      case UInt8(ascii: "0")...UInt8(ascii: "7"), UInt8(ascii: "e"): return true
      // Five of the characters below U+0010 have a short form.
      case UInt8(ascii: "b"): return true
      case UInt8(ascii: "8"), UInt8(ascii: "9"), UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "d"): return high == UInt8(ascii: "1")
      case UInt8(ascii: "f"): return true
      default: return false
      }
    default: return false
    }
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard count - position >= length else { return false }
    for offset in 0..<length { guard start[position + offset] == word.utf8Start[offset] else { return false } }
    position += length
    return true
  }

  private mutating func number() -> Bool {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { guard digits() else { return false } }
    if take(UInt8(ascii: ".")) { guard digits() else { return false } }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard digits() else { return false }
    }
    return true
  }

  private mutating func digits() -> Bool {
    let first = position
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    return position > first
  }
}
