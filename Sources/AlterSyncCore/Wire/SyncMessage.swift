import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The messages of sync as JSON lines, whatever carries them. `Design/0021-sync-messages.md` specifies them.
///
/// Each line ends with a line feed, so that a cut body is recognised: the text after the last line feed counts for nothing.
package enum SyncMessage {
  /// The version that this code writes, and the only one that it reads.
  package static let version: Int64 = 1

  /// The reason for which a message cannot be read. It contains nothing of the message but numbers.
  package enum Failure: Error, Hashable, CustomStringConvertible {
    /// The message has another version; nil for none.
    case version(Int64?)
    /// The message ends before it can be used.
    case incomplete
    /// A line, counted from 1, is not what belongs there.
    case malformed(line: Int)

    package var description: String {
      switch self {
      case .version(let version):
        """
        The message has version \(version.map { "\($0)" } ?? "none"), and this program speaks version \(SyncMessage.version). Update the older \
        program of the two.
        """
      case .incomplete: "The message ends too early: the connection was cut. Send the request again."
      case .malformed(let line): "Line \(line) of the message is not what belongs there: a field is missing or has the wrong type."
      }
    }
  }

  /// Writes a hint: one line.
  package static func encode(_ hint: Hint) -> Data { ExportLine.line(object(hint)) }

  /// Writes a hint about one of several journals: one line.
  package static func encode(_ hint: Hint, of key: String) -> Data {
    var line = object(hint)
    line["key"] = .string(key)
    return ExportLine.line(line)
  }

  /// Reads a hint.
  package static func decodeHint(_ line: Data) throws(Failure) -> Hint {
    guard let value = try? JSONValue(parsing: line), let hint = hint(value) else { throw .malformed(line: 1) }
    return hint
  }

  /// Reads a hint about one of several journals; nil if it is not understood.
  package static func decodeKeyedHint(_ line: Data) -> (key: String, hint: Hint)? {
    guard let value = try? JSONValue(parsing: line), let key = value["key"]?.text, let hint = hint(value) else { return nil }
    return (key, hint)
  }

  // MARK: - Lines

  /// The first line of a message, with its version.
  static func first(_ rest: JSONValue) -> JSONValue {
    var line = rest
    line["alter"] = "sync"
    line["version"] = .integer(version)
    return line
  }

  /// The lines of a message.
  struct Lines {
    /// The lines that were not read. They are not divided before they are read: a body of line feeds would have millions.
    private var rest: Data
    private let count: Int
    private(set) var number = 0

    /// Reads the first line.
    init(_ message: Data, first: inout JSONValue) throws(Failure) {
      // The part after the last line feed is cut, or empty.
      rest = message.lastIndex(of: UInt8(ascii: "\n")).map { message[...$0] } ?? Data()
      count = rest.withUnsafeBytes { bytes in bytes.count { $0 == UInt8(ascii: "\n") } }
      guard count > 0 else { throw .incomplete }
      guard let value = next(), value["alter"] == "sync" else { throw .malformed(line: 1) }
      let version = value["version"]?.int
      guard version == SyncMessage.version else { throw .version(version) }
      first = value
    }

    var isAtEnd: Bool { number == count }

    /// The number of lines after the present one.
    var remaining: Int { count - number }

    /// The next line as JSON; nil at the end, or if it is no JSON.
    mutating func next() -> JSONValue? {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      number += 1
      defer { rest = rest[(end + 1)...] }
      return try? JSONValue(parsing: rest[..<end])
    }
  }

  // MARK: - Parts

  /// Reads a part that may be absent; nil if it is present and not what belongs there.
  static func optional<Value>(_ value: JSONValue?, _ read: (JSONValue) -> Value?) -> Value?? {
    guard let value else { return .some(nil) }
    return read(value).map { .some($0) }
  }

  static func object(_ head: Head) -> JSONValue {
    [
      "journal": .string(head.journal.description), "revision": .integer(head.revision.number),
      "checksum": .string(head.checksum.description),
    ]
  }

  static func head(_ value: JSONValue) -> Head? {
    guard let journal = value["journal"].flatMap(journal), let revision = value["revision"].flatMap(revision),
      let checksum = checksum(value, "checksum")
    else { return nil }
    return Head(journal: journal, revision: revision, checksum: checksum)
  }

  static func journal(_ value: JSONValue) -> JournalID? { value.text.flatMap { UUID(uuidString: $0) }.map { JournalID($0) } }

  static func revision(_ value: JSONValue) -> Revision? { value.int.flatMap { $0 >= 0 ? Revision($0) : nil } }

  static func checksum(_ value: JSONValue, _ name: String) -> Checksum? { value[name]?.text.flatMap(Checksum.init(hexadecimal:)) }

  static func text(_ generation: Generation) -> JSONValue { .string(Pseudonym(bits: generation.number).description) }

  static func generation(_ value: JSONValue) -> Generation? {
    value.text.flatMap(Pseudonym.init(hexadecimal:)).map { Generation($0.bits) }
  }

  static func put(_ lineage: Lineage, in object: inout JSONValue) {
    object["generation"] = text(lineage.generation)
    object["former"] = .array(lineage.former.sorted { $0.number < $1.number }.map(text))
  }

  static func lineage(_ value: JSONValue) -> Lineage? {
    guard let present = value["generation"].flatMap(generation), case .array(let others)? = value["former"] else { return nil }
    let former = others.compactMap(generation)
    return former.count == others.count ? Lineage(present, former: Set(former)) : nil
  }

  static func object(_ hint: Hint) -> JSONValue {
    var object = object(hint.head)
    object["generation"] = text(hint.generation)
    return object
  }

  static func hint(_ value: JSONValue) -> Hint? {
    guard let head = head(value), let generation = value["generation"].flatMap(generation) else { return nil }
    return Hint(generation, head)
  }
}
