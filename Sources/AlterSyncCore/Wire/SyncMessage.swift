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

  /// Writes a hint about one of several journals: one line.
  package static func encode(_ hint: Hint, of key: String) -> Data {
    var line = object(hint)
    line.put(key, as: "key")
    return line.line
  }

  /// Reads a hint about one of several journals; nil if it is not understood.
  package static func decodeHint(_ line: Data) -> (key: String, hint: Hint)? {
    guard let value = LineValue(line), let key = value["key"]?.text, let hint = hint(value) else { return nil }
    return (key, hint)
  }

  /// Reads the entries that follow a hint; up to the first line that is not understood.
  package static func decodeEntries(_ lines: some Sequence<Data>) -> [SyncEntry] {
    var entries: [SyncEntry] = []
    for line in lines {
      guard let value = LineValue(line), let stored = ExportLine.entry(value), let entry = try? SyncEntry(stored) else { break }
      entries.append(entry)
    }
    return entries
  }

  // MARK: - Lines

  /// The first line of a message, with its version. Members are added.
  static func first() -> LineObject {
    var line = LineObject()
    line.put("sync", as: "alter")
    line.put(version, as: "version")
    return line
  }

  /// The lines of a message.
  struct Lines {
    /// The lines that were not read. They are not divided before they are read: a body of line feeds would have millions.
    private var rest: Data
    private let count: Int
    private(set) var number = 0

    /// The values of a line that must be parsed as a whole. Those that this library writes need not be.
    private static let values = 65_536

    /// Reads the first line.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - first: Receives the first line.
    ///   - longest: The bytes of the first line.
    init(_ message: Data, first: inout LineValue, longest: Int = .max) throws(Failure) {
      // The part after the last line feed is cut, or empty.
      rest = message.lastIndex(of: UInt8(ascii: "\n")).map { message[...$0] } ?? Data()
      count = rest.withUnsafeBytes { bytes in bytes.count { $0 == UInt8(ascii: "\n") } }
      guard count > 0 else { throw .incomplete }
      guard let value = next(longest: longest), value["alter"]?.text == "sync" else { throw .malformed(line: 1) }
      let version = value["version"]?.int
      guard version == SyncMessage.version else { throw .version(version) }
      first = value
    }

    var isAtEnd: Bool { number == count }

    /// The number of lines after the present one.
    var remaining: Int { count - number }

    /// The next line as JSON; nil at the end, if it is no JSON, or if it has more bytes or values than it may. A refused line becomes no value.
    mutating func next(longest: Int = .max) -> LineValue? {
      guard let place = rest.withUnsafeBytes({ $0.firstIndex(of: UInt8(ascii: "\n")) }) else { return nil }
      let end = rest.startIndex + place
      number += 1
      defer { rest = rest[(end + 1)...] }
      guard place <= longest else { return nil }
      return LineValue(rest[..<end], values: Self.values)
    }
  }

  // MARK: - Parts

  /// Reads a part that may be absent; nil if it is present and not what belongs there.
  static func optional<Value>(_ value: LineValue?, _ read: (LineValue) -> Value?) -> Value?? {
    guard let value else { return .some(nil) }
    return read(value).map { .some($0) }
  }

  static func object(_ head: Head) -> LineObject {
    var object = LineObject()
    object.put(head.journal.uuid, as: "journal")
    object.put(head.revision.number, as: "revision")
    object.put(head.checksum, as: "checksum")
    return object
  }

  /// Returns a line with one object.
  static func line(_ object: LineObject, as name: String) -> Data {
    var line = LineObject()
    line.put(object, as: name)
    return line.line
  }

  static func head(_ value: LineValue) -> Head? {
    guard let journal = value["journal"].flatMap(journal), let revision = value["revision"].flatMap(revision),
      let checksum = checksum(value, "checksum")
    else { return nil }
    return Head(journal: journal, revision: revision, checksum: checksum)
  }

  static func journal(_ value: LineValue) -> JournalID? { value.uuid.map { JournalID($0) } }

  static func revision(_ value: LineValue) -> Revision? { value.int.flatMap { $0 >= 0 ? Revision($0) : nil } }

  static func checksum(_ value: LineValue, _ name: String) -> Checksum? { value[name]?.checksum }

  static func text(_ generation: Generation) -> String { Pseudonym(bits: generation.number).description }

  static func generation(_ value: LineValue) -> Generation? {
    value.text.flatMap(Pseudonym.init(hexadecimal:)).map { Generation($0.bits) }
  }

  static func put(_ lineage: Lineage, in object: inout LineObject) {
    object.put(text(lineage.generation), as: "generation")
    object.put(.array(lineage.former.sorted { $0.number < $1.number }.map { .string(text($0)) }), as: "former")
  }

  static func lineage(_ value: LineValue) -> Lineage? {
    guard let present = value["generation"].flatMap(generation), let others = value["former"]?.values else { return nil }
    let former = others.compactMap(generation)
    return former.count == others.count ? Lineage(present, former: Set(former)) : nil
  }

  static func object(_ hint: Hint) -> LineObject {
    var object = object(hint.head)
    object.put(text(hint.generation), as: "generation")
    return object
  }

  static func hint(_ value: LineValue) -> Hint? {
    guard let head = head(value), let generation = value["generation"].flatMap(generation) else { return nil }
    return Hint(generation, head)
  }
}
