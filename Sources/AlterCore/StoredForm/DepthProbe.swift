#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An encoder that writes nothing, and throws where a value is nested too deep for Foundation's encoder on a small stack.
///
/// The depth of a value is known only to its own `encode(to:)`, which recursion through Foundation's encoder would carry on until the stack
/// ends. Errors of the value itself are left to Foundation, which knows their places.
struct DepthProbe: Encoder {
  private final class Finding {
    var isTooDeep = false
  }

  /// The number of open objects and arrays.
  private let levels: Int
  /// The number of calls of `encode(to:)` around. A value that writes itself as another one has no level of its own.
  private let calls: Int
  private let finding: Finding

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Checks a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - levels: The number of objects and arrays around it.
  /// - Throws: `EncodingError` if it is too deep.
  /// - Complexity: That of the value's `encode(to:)`.
  static func check<Value: Encodable>(_ value: Value, below levels: Int) throws {
    let finding = Finding()
    try? DepthProbe(levels: levels, calls: 0, finding: finding).encode(value)
    guard !finding.isTooDeep else {
      throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: StoredCoding.tooDeep))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> { KeyedEncodingContainer(Keyed(probe: deeper)) }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(probe: deeper) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Single(probe: self) }

  private var deeper: DepthProbe {
    // It may stay empty.
    if levels == StoredReader.maximumDepth { finding.isTooDeep = true }
    return DepthProbe(levels: levels + 1, calls: calls, finding: finding)
  }

  fileprivate func encode<Value: Encodable>(_ value: Value) throws {
    // Foundation writes these as a number or a text, and not by their `encode(to:)`, which would give `Data` a level, and a call for each byte.
    if Value.self == Decimal.self || Value.self == Data.self || Value.self == URL.self || Value.self == Date.self { return }
    finding.isTooDeep = finding.isTooDeep || calls > 2 * StoredReader.maximumDepth
    guard !finding.isTooDeep else { throw StoredFormError() }
    try value.encode(to: DepthProbe(levels: levels, calls: calls + 1, finding: finding))
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let probe: DepthProbe
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) {}
    mutating func encode(_ value: some Encodable, forKey key: Key) throws { try probe.encode(value) }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
      probe.container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { probe.unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { probe }
    mutating func superEncoder(forKey key: Key) -> any Encoder { probe }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let probe: DepthProbe
    var count = 0
    var codingPath: [any CodingKey] { [] }

    init(probe: DepthProbe) { self.probe = probe }

    mutating func encodeNil() { count += 1 }
    mutating func encode(_ value: some Encodable) throws {
      count += 1
      try probe.encode(value)
    }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      count += 1
      return probe.container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      count += 1
      return probe.unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder {
      count += 1
      return probe
    }
  }

  private struct Single: SingleValueEncodingContainer {
    let probe: DepthProbe
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil() {}
    mutating func encode(_ value: Bool) {}
    mutating func encode(_ value: String) {}
    mutating func encode(_ value: Double) {}
    mutating func encode(_ value: Float) {}
    mutating func encode(_ value: Int) {}
    mutating func encode(_ value: Int8) {}
    mutating func encode(_ value: Int16) {}
    mutating func encode(_ value: Int32) {}
    mutating func encode(_ value: Int64) {}
    mutating func encode(_ value: UInt) {}
    mutating func encode(_ value: UInt8) {}
    mutating func encode(_ value: UInt16) {}
    mutating func encode(_ value: UInt32) {}
    mutating func encode(_ value: UInt64) {}
    mutating func encode(_ value: some Encodable) throws { try probe.encode(value) }
  }
}
