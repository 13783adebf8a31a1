import AlterCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Receives the members of a line's object, each name once.
package protocol LineMembers {
  /// Adds a string.
  mutating func put(_ text: String, as name: String)
  /// Adds a whole number.
  mutating func put(_ number: Int64, as name: String)
  /// Adds the text of a UUID, with small letters.
  mutating func put(_ uuid: UUID, as name: String)
  /// Adds the 32 digits of a checksum.
  mutating func put(_ checksum: Checksum, as name: String)
  /// Adds any value.
  mutating func put(_ value: JSONValue, as name: String)
  /// Adds JSON that ``JSONValue`` writes as it is.
  mutating func put(canonical json: Data, as name: String)
}

extension JSONValue: LineMembers {
  package mutating func put(_ text: String, as name: String) { self[name] = .string(text) }
  package mutating func put(_ number: Int64, as name: String) { self[name] = .integer(number) }
  package mutating func put(_ uuid: UUID, as name: String) { self[name] = .string(uuid.uuidString.lowercased()) }
  package mutating func put(_ checksum: Checksum, as name: String) { self[name] = .string(checksum.description) }
  package mutating func put(_ value: JSONValue, as name: String) { self[name] = value }
  package mutating func put(canonical json: Data, as name: String) { self[name] = (try? JSONValue(parsing: json)) ?? .null }
}

/// An object that becomes a line: the same bytes as those of a ``JSONValue`` with the same members, without the values.
///
/// Each name is added once, and consists of letters. Adding a member is O(bytes + members), of which a line has few.
package struct LineObject: LineMembers {
  /// The members, each with its name and without a comma, in the order in which they were added.
  private var bytes: [UInt8] = []
  /// The places of the members, by name in order.
  private var members: [Range<Int>] = []

  package init() {
    bytes.reserveCapacity(512)
    members.reserveCapacity(16)
  }

  package mutating func put(_ text: String, as name: String) { add(name) { JSONValue.write(text, to: &$0) } }

  package mutating func put(_ number: Int64, as name: String) { add(name) { $0 += String(number).utf8 } }

  package mutating func put(_ uuid: UUID, as name: String) {
    add(name) { bytes in
      bytes.append(UInt8(ascii: "\""))
      uuid.add(to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  package mutating func put(_ checksum: Checksum, as name: String) {
    add(name) { bytes in
      bytes.append(UInt8(ascii: "\""))
      HexadecimalDigits.add(checksum.high, 16, to: &bytes)
      HexadecimalDigits.add(checksum.low, 16, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  package mutating func put(_ value: JSONValue, as name: String) { add(name) { $0 += value.data } }

  package mutating func put(canonical json: Data, as name: String) { add(name) { bytes in json.withUnsafeBytes { bytes += $0 } } }

  /// Adds an object.
  package mutating func put(_ object: LineObject, as name: String) { add(name) { object.write(to: &$0) } }

  private mutating func add(_ name: String, _ value: (inout [UInt8]) -> Void) {
    let start = bytes.count
    JSONValue.write(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    value(&bytes)
    let place = members.lastIndex { isLess($0, start) }.map { $0 + 1 } ?? 0
    members.insert(start..<bytes.count, at: place)
  }

  /// Whether a member comes before the one that begins at an offset. The names of lines are letters, so a quotation mark ends the lesser one.
  private func isLess(_ member: Range<Int>, _ other: Int) -> Bool {
    var (left, right) = (member.lowerBound + 1, other + 1)
    while bytes[left] == bytes[right] {
      assert(bytes[left] != UInt8(ascii: "\""), "a line has a name once")
      (left, right) = (left + 1, right + 1)
    }
    return bytes[left] < bytes[right]
  }

  /// The line, with its line feed.
  ///
  /// - Complexity: O(bytes).
  package var line: Data {
    var line: [UInt8] = []
    line.reserveCapacity(bytes.count + members.count + 2)
    write(to: &line)
    line.append(UInt8(ascii: "\n"))
    return Data(line)
  }

  private func write(to line: inout [UInt8]) {
    line.append(UInt8(ascii: "{"))
    for (place, member) in members.enumerated() {
      if place > 0 { line.append(UInt8(ascii: ",")) }
      line += bytes[member]
    }
    line.append(UInt8(ascii: "}"))
  }
}
