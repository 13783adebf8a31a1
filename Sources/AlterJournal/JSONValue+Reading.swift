#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Reading from a decoder, with an explicit stack instead of recursion: the stored JSON may be nested 512 deep, and recursion through a decoder
// would overflow a thread's stack of 512 KiB.

extension JSONValue {
  /// Reads any JSON from a decoder.
  ///
  /// A decoder does not tell the kind of a value: the kinds are tried, the likely ones first, because each failure costs an error with its
  /// coding path.
  ///
  /// - Complexity: O(n d) for n values that are nested d deep. ``JSONValue/init(parsing:)`` is O(bytes), and much faster.
  static func read(from decoder: any Decoder) throws -> JSONValue {
    if let members = try? decoder.container(keyedBy: WireKey.self) { return try read(Frame(.object(of: members))) }
    if let elements = try? decoder.unkeyedContainer() { return try read(Frame(.array(elements))) }
    var single = Single(container: try decoder.singleValueContainer())
    // A number that no case can hold throws the decoder's own error.
    return try scalar(&single) ?? .number(single.read(Double.self))
  }

  /// An array or an object of which a part has been read. It is a class, so that its values grow in place.
  private final class Frame {
    enum Source {
      case array(any UnkeyedDecodingContainer)
      case object(KeyedDecodingContainer<WireKey>, keys: [WireKey])

      static func object(of container: KeyedDecodingContainer<WireKey>) -> Source { .object(container, keys: container.allKeys) }
    }

    let source: Source
    var values: [JSONValue] = []
    /// The array's container after the values that were read.
    var rest: Element?
    /// Whether the next element of the array is likely an object: the first one, and those after an object.
    private var expectsObject = true

    init(_ source: Source) {
      self.source = source
      if case .array(let container) = source { rest = Element(container: container) }
    }

    /// Reads values up to the next array or object, and returns it; nil at the end.
    func next() throws -> Frame? {
      switch source {
      case .array:
        while var element = rest, !element.container.isAtEnd {
          defer { rest = element }
          if expectsObject, let members = try? element.container.nestedContainer(keyedBy: WireKey.self) {
            return Frame(.object(of: members))
          }
          expectsObject = false
          if let value = JSONValue.scalar(&element) {
            values.append(value)
          } else if let elements = try? element.container.nestedUnkeyedContainer() {
            return Frame(.array(elements))
          } else {
            let members = try element.container.nestedContainer(keyedBy: WireKey.self)
            expectsObject = true
            return Frame(.object(of: members))
          }
        }
      case .object(let container, let keys):
        while values.count < keys.count {
          let key = keys[values.count]
          var member = Member(container: container, key: key)
          if let value = JSONValue.scalar(&member) {
            values.append(value)
          } else if let elements = try? container.nestedUnkeyedContainer(forKey: key) {
            return Frame(.array(elements))
          } else {
            return Frame(try .object(of: container.nestedContainer(keyedBy: WireKey.self, forKey: key)))
          }
        }
      }
      return nil
    }

    /// The array or object, after the last value.
    var result: JSONValue {
      switch source {
      case .array: .array(values)
      case .object(_, let keys): .object(Dictionary(zip(keys.map(\.stringValue), values)) { first, _ in first })
      }
    }
  }

  private static func read(_ root: Frame) throws -> JSONValue {
    var stack = [root]
    while let frame = stack.last {
      if let inner = try frame.next() {
        stack.append(inner)
      } else {
        stack.removeLast()
        guard let outer = stack.last else { break }
        outer.values.append(frame.result)
      }
    }
    return root.result
  }

  /// Returns a value without parts; nil for an array or an object.
  private static func scalar(_ source: inout some ScalarSource) -> JSONValue? {
    if source.readNull() { return .null }
    if let value = try? source.read(String.self) { return .string(value) }
    if let value = source.readNumber() { return value }
    return (try? source.read(Bool.self)).map { .bool($0) }
  }

  private struct Single: ScalarSource {
    let container: any SingleValueDecodingContainer
    mutating func readNull() -> Bool { container.decodeNil() }
    mutating func read<Value: Decodable>(_ type: Value.Type) throws -> Value { try container.decode(type) }
    /// All of a number's types are tried at the same place.
    mutating func readNumber() -> JSONValue? { (try? container.decode(Number.self))?.value }
  }

  private struct Element: ScalarSource {
    var container: any UnkeyedDecodingContainer
    mutating func readNull() -> Bool { (try? container.decodeNil()) ?? false }
    mutating func read<Value: Decodable>(_ type: Value.Type) throws -> Value { try container.decode(type) }
    mutating func readNumber() -> JSONValue? { (try? container.decode(Number.self))?.value }
  }

  private struct Member: ScalarSource {
    let container: KeyedDecodingContainer<WireKey>
    let key: WireKey
    mutating func readNull() -> Bool { (try? container.decodeNil(forKey: key)) ?? false }
    mutating func read<Value: Decodable>(_ type: Value.Type) throws -> Value { try container.decode(type, forKey: key) }
    mutating func readNumber() -> JSONValue? { (try? container.decode(Number.self, forKey: key))?.value }
  }

  /// A number in the case that represents it exactly.
  private struct Number: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      // One failure for a value that is no number.
      let value = try container.decode(Double.self)
      // Foundation decodes 1.00000000000000000001 as the integer 1: its nearest `Double` is whole.
      let exact = try? container.decode(Decimal.self)
      if let whole = try? container.decode(Int64.self), exact.map({ $0 == Decimal(whole) }) ?? true {
        // A `Double` has a negative zero.
        self.value = whole == 0 && value.sign == .minus ? .number(-0.0) : .integer(whole)
      } else if let whole = try? container.decode(UInt64.self), exact.map({ $0 == Decimal(whole) }) ?? true {
        self.value = .decimal(String(whole))
      } else {
        if let exact, exact != Decimal(string: "\(value)") {
          self.value = .decimal(exact.description)
        } else {
          self.value = .number(value)
        }
      }
    }
  }
}

/// A place in a decoder that may hold a value without parts.
private protocol ScalarSource {
  mutating func readNull() -> Bool
  mutating func read<Value: Decodable>(_ type: Value.Type) throws -> Value
  mutating func readNumber() -> JSONValue?
}
