extension StoredWriter {
  // MARK: - Texts

  /// Writes a text.
  ///
  /// - Parameter text: The text.
  /// - Complexity: O(n) in the length of the text.
  public mutating func string(_ text: String) {
    var text = text
    // The closure can't capture a writer, which can't be copied.
    let isPlain = text.withUTF8 { StoredWriter.isPlain($0) }
    let count = text.utf8.count
    reserve(isPlain ? count + 2 : count * 6 + 2)
    let target = base + self.count
    target.pointee = UInt8(ascii: "\"")
    let written = text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      guard isPlain else { return StoredWriter.escape(bytes, to: target + 1) }
      (target + 1).update(from: start, count: count)
      return count
    }
    target[written + 1] = UInt8(ascii: "\"")
    self.count += written + 2
  }

  /// Returns whether no character must be escaped.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    var offset = 0
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while bytes.count - offset >= 8 {
      let word = UnsafeRawPointer(start + offset).loadUnaligned(as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let found = ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & highs
      guard found == 0 else { return false }
      offset += 8
    }
    while offset < bytes.count {
      let byte = start[offset]
      guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return false }
      offset += 1
    }
    return true
  }

  /// Writes the bytes of a text with the escapes of Foundation's encoder, at most six bytes for one.
  private static func escape(_ bytes: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) -> Int {
    var next = target
    func put(_ byte: UInt8) {
      next.pointee = byte
      next += 1
    }
    func put(escape: UInt8) {
      put(UInt8(ascii: "\\"))
      put(escape)
    }
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(escape: byte)
      case 0x08: put(escape: UInt8(ascii: "b"))
      case 0x0C: put(escape: UInt8(ascii: "f"))
      case 0x0A: put(escape: UInt8(ascii: "n"))
      case 0x0D: put(escape: UInt8(ascii: "r"))
      case 0x09: put(escape: UInt8(ascii: "t"))
      case 0..<0x20:
        put(escape: UInt8(ascii: "u"))
        put(UInt8(ascii: "0"))
        put(UInt8(ascii: "0"))
        put(UInt8(ascii: "0") + byte >> 4)
        put(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") + byte & 15 - 10)
      default: put(byte)
      }
    }
    return next - target
  }

  /// Writes a text that has no characters to escape: a number, a date.
  mutating func plain(_ text: String) {
    put(UInt8(ascii: "\""))
    bare(text)
    put(UInt8(ascii: "\""))
  }

  /// Writes a text without quotes.
  mutating func bare(_ text: String) {
    var text = text
    let count = text.utf8.count
    reserve(count)
    let target = base + self.count
    text.withUTF8 { if let start = $0.baseAddress { target.update(from: start, count: count) } }
    self.count += count
  }

  // MARK: - Numbers

  /// Writes an integer.
  ///
  /// - Parameter number: The number.
  @inlinable
  public mutating func integer(_ number: some FixedWidthInteger) {
    if let small = Int64(exactly: number) {
      digits(small.magnitude, isNegative: small < 0)
    } else if let large = UInt64(exactly: number) {
      digits(large, isNegative: false)
    } else {
      wide(number.description)
    }
  }

  @usableFromInline mutating func wide(_ text: String) { bare(text) }

  @usableFromInline
  mutating func digits(_ magnitude: UInt64, isNegative: Bool) {
    reserve(21)
    if isNegative {
      base[count] = UInt8(ascii: "-")
      count += 1
    }
    var length = 1
    var rest = magnitude
    while rest >= 10 {
      rest /= 10
      length += 1
    }
    var place = count + length
    count = place
    rest = magnitude
    repeat {
      place -= 1
      base[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
  }

  /// Writes a number; an infinite one and NaN as a text.
  ///
  /// - Parameter number: The number.
  public mutating func double(_ number: Double) {
    if number.isFinite { finite(number.description) } else { nonConforming(number) }
  }

  /// Writes a number of single precision; an infinite one and NaN as a text.
  ///
  /// - Parameter number: The number.
  @usableFromInline
  package mutating func float(_ number: Float) {
    if number.isFinite { finite(number.description) } else { nonConforming(Double(number)) }
  }

  private mutating func finite(_ description: String) {
    bare(description)
    if base[count - 1] == UInt8(ascii: "0"), base[count - 2] == UInt8(ascii: ".") { count -= 2 }
  }

  private mutating func nonConforming(_ number: Double) {
    plain(number.isNaN ? "NaN" : number > 0 ? "Infinity" : "-Infinity")
  }
}
