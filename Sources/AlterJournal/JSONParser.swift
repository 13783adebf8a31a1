/// Parses JSON with an explicit stack instead of recursion; see ``JSONValue/init(parsing:)``.
struct JSONParser {
  typealias ParsingError = JSONValue.ParsingError
  let bytes: [UInt8]
  var position = 0
  /// Whether an object had several members of one name so far.
  private(set) var repeatsName = false
  /// The maximum nesting depth. Deeper text is rejected, because other code that processes the value may recurse.
  private static let depth = 512

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// An array or object that has begun and not ended. The parser modifies it in place, to avoid copies.
  private struct Container {
    let isArray: Bool
    var values: [JSONValue] = []
    var members: [String: JSONValue] = [:]
    var name = ""

    /// Adds a value. Returns false if it replaces a member of the same name.
    mutating func add(_ value: JSONValue) -> Bool {
      guard isArray else { return members.updateValue(value, forKey: name) == nil }
      values.append(value)
      return true
    }

    var value: JSONValue { isArray ? .array(values) : .object(members) }
  }

  mutating func parse() throws(ParsingError) -> JSONValue {
    var open: [Container] = []
    while true {
      // A value begins.
      skipSpace()
      guard open.count < Self.depth || next != UInt8(ascii: "[") && next != UInt8(ascii: "{") else {
        throw error("it is nested more than \(Self.depth) deep")
      }
      var value: JSONValue
      if take("[") {
        guard take("]") else {
          open.append(Container(isArray: true))
          continue
        }
        value = .array([])
      } else if take("{") {
        guard take("}") else {
          open.append(Container(isArray: false, name: try name()))
          continue
        }
        value = .object([:])
      } else {
        value = try scalar()
      }
      // A value has ended, and the containers around it may end, too.
      while let last = open.indices.last {
        if !open[last].add(value) { repeatsName = true }
        if take(",") {
          if !open[last].isArray { open[last].name = try name() }
          break
        }
        let isArray = open[last].isArray
        guard take(isArray ? "]" : "}") else { throw error("',' or '\(isArray ? "]" : "}")' is missing") }
        value = open[last].value
        open.removeLast()
      }
      if open.isEmpty {
        skipSpace()
        guard position == bytes.count else { throw error("more text follows the value") }
        return value
      }
    }
  }

  /// Parses the name of a member, and the colon.
  private mutating func name() throws(ParsingError) -> String {
    skipSpace()
    guard next == UInt8(ascii: "\"") else { throw error("a member's name is missing") }
    let name = try string()
    guard take(":") else { throw error("':' is missing") }
    return name
  }

  private func error(_ reason: String) -> ParsingError { ParsingError(offset: position, reason: reason) }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func scalar() throws(ParsingError) -> JSONValue {
    switch next {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default: throw error("a value is missing")
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(ParsingError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw error("a value is missing") }
    position += word.utf8.count
    return value
  }

  private mutating func number() throws(ParsingError) -> JSONValue {
    let start = position
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false }
    if next == UInt8(ascii: "-") { position += 1 }
    guard isDigit(next) else { throw error("a digit is missing") }
    if next == UInt8(ascii: "0") { position += 1 } else { while isDigit(next) { position += 1 } }
    if next == UInt8(ascii: ".") {
      position += 1
      guard isDigit(next) else { throw error("a digit is missing") }
      while isDigit(next) { position += 1 }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      guard isDigit(next) else { throw error("a digit is missing") }
      while isDigit(next) { position += 1 }
    }
    let digits = String(decoding: bytes[start..<position], as: UTF8.self)
    if let value = Int64(digits), String(value) == digits { return .integer(value) }
    if let value = Double(digits), value.isFinite, JSONValue.digits(of: value) == digits { return .number(value) }
    return .decimal(digits)
  }

  private mutating func string() throws(ParsingError) -> String {
    position += 1
    let start = position
    var unescaped: [UInt8]?
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let text =
          if let unescaped {
            unescaped.withUnsafeBufferPointer { CanonicalJSON.text($0) }
          } else {
            bytes.withUnsafeBufferPointer { CanonicalJSON.text(UnsafeBufferPointer(rebasing: $0[start..<position])) }
          }
        guard let text else { throw error("a string is not UTF-8") }
        position += 1
        return text
      case UInt8(ascii: "\\"):
        if unescaped == nil { unescaped = Array(bytes[start..<position]) }
        position += 1
        unescaped! += try escaped()
      case 0..<0x20: throw error("a string contains a control character")
      default:
        unescaped?.append(byte)
        position += 1
      }
    }
    throw error("a string does not end")
  }

  /// Parses the part of an escape sequence after the backslash.
  private mutating func escaped() throws(ParsingError) -> [UInt8] {
    guard let byte = next else { throw error("a string does not end") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var code = try unit()
      if (0xD800..<0xDC00).contains(code) {
        guard next == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") else {
          throw error("half of a surrogate pair is missing")
        }
        position += 2
        let low = try unit()
        guard (0xDC00..<0xE000).contains(low) else { throw error("half of a surrogate pair is missing") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw error("half of a surrogate pair is missing") }
      return Array(String(Character(scalar)).utf8)
    default: throw error("an escape is unknown")
    }
  }

  private mutating func unit() throws(ParsingError) -> UInt32 {
    guard position + 4 <= bytes.count, let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16),
      bytes[position] != UInt8(ascii: "+")
    else { throw error("four hexadecimal digits are missing") }
    position += 4
    return code
  }
}
