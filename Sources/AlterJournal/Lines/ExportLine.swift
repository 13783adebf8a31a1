import AlterCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes and reads the single lines of an export. `Design/0009-export-format.md` specifies them. The messages of sync have the same lines.
package enum ExportLine {
  /// The format that is written and read.
  static let format: Int64 = 1

  /// Returns the object of the first line.
  ///
  /// - Parameters:
  ///   - head: The end of the export.
  ///   - floor: The position after which the entries begin; nil for revision 1.
  package static func header(_ head: Head, floor: Head?) -> JSONValue {
    var header: JSONValue = [
      "alter": "journal", "format": .integer(format), "journal": .string(head.journal.description),
      "revision": .integer(head.revision.number), "checksum": .string(head.checksum.description),
    ]
    if let floor { header["floor"] = ["revision": .integer(floor.revision.number), "checksum": .string(floor.checksum.description)] }
    return header
  }

  /// Returns the object of the second line of a compacted journal's export: the state at its floor.
  package static func object(_ floor: Snapshot) -> JSONValue {
    var object: JSONValue = [
      "kind": "floor", "revision": .integer(floor.head.revision.number), "schema": .integer(Int64(floor.schema)),
      "checksum": .string(floor.checksum.description),
    ]
    put(floor.payload, as: "payload", in: &object)
    return object
  }

  /// Returns a line of text, with its line feed.
  package static func line(_ value: JSONValue) -> Data { value.data + [UInt8(ascii: "\n")] }

  /// Returns the object of an entry.
  package static func object(_ entry: Entry) -> JSONValue {
    var object = JSONValue.object([:])
    put(entry, in: &object)
    return object
  }

  /// Returns the object of an id.
  package static func object(_ id: EntryID) -> JSONValue {
    var object = JSONValue.object([:])
    put(id, in: &object)
    return object
  }

  /// Adds the members of an entry.
  package static func put(_ entry: Entry, in object: inout some LineMembers) {
    put(entry.draft, in: &object)
    object.put(entry.revision.number, as: "revision")
    object.put(entry.checksum, as: "checksum")
    if let receipt = entry.receipt {
      object.put(receipt.author.description, as: "author")
      object.put(receipt.arrival, as: "arrival")
    }
  }

  /// Adds the members of a draft: those of an entry without the parts that the journal adds.
  package static func put(_ draft: Entry.Draft, in object: inout some LineMembers) {
    put(draft.id, in: &object)
    object.put(draft.time, as: "time")
    object.put(Int64(draft.schema), as: "schema")
    object.put(draft.kind.rawValue, as: "kind")
    if draft.scope != .journal { object.put(draft.scope.rawValue, as: "scope") }
    put(draft.payload, as: "payload", in: &object)
    if let cause = draft.cause { put(cause, as: "cause", in: &object) }
  }

  /// Adds the members of an id.
  package static func put(_ id: EntryID, in object: inout some LineMembers) {
    object.put(id.origin.uuid, as: "origin")
    object.put(id.sequence, as: "sequence")
  }

  /// Stores bytes as JSON if the JSON can be converted back to exactly these bytes; otherwise as text if they are UTF-8, otherwise as
  /// Base64.
  package static func put(_ bytes: Data, as name: String, in object: inout some LineMembers) {
    if CanonicalJSON.isSure(bytes) {
      object.put(canonical: bytes, as: name)
    } else if let value = try? JSONValue(parsing: bytes), value.data == bytes, value.isNested(atMost: 511) {
      object.put(value, as: name)
    } else if let text = String(data: bytes, encoding: .utf8), Data(text.utf8) == bytes {
      object.put(text, as: name + "Text")
    } else {
      object.put(bytes.base64EncodedString(), as: name + "Base64")
    }
  }

  /// Reads the bytes that ``put(_:as:in:)`` has stored; nil if there are none.
  package static func bytes(_ name: String, in object: JSONValue) -> Data? { bytes(name, in: LineValue(object)) }

  /// Reads the bytes that ``put(_:as:in:)`` has stored; nil if there are none.
  package static func bytes(_ name: String, in object: LineValue) -> Data? {
    if let value = object[name] { return value.data }
    if let text = object[name + "Text"]?.text { return Data(text.utf8) }
    return object[name + "Base64"]?.text.flatMap { Data(base64Encoded: $0) }
  }

  /// Reads an entry; nil if a field is missing or has the wrong type. The checksum is not verified.
  package static func entry(_ value: JSONValue) -> Entry? { entry(LineValue(value)) }

  /// Reads an entry; nil if a field is missing or has the wrong type. The checksum is not verified.
  package static func entry(_ value: LineValue) -> Entry? {
    guard let revision = value["revision"]?.int, let draft = draft(value), let checksum = value["checksum"]?.checksum else { return nil }
    var receipt: Receipt?
    if value["author"] != nil || value["arrival"] != nil {
      guard let author = value["author"]?.text.flatMap(Pseudonym.init(hexadecimal:)), let arrival = value["arrival"]?.int else {
        return nil
      }
      receipt = Receipt(author: author, arrival: arrival)
    }
    return Entry(revision: Revision(revision), draft: draft, receipt: receipt, checksum: checksum)
  }

  /// Reads a draft; nil if a field is missing or has the wrong type.
  package static func draft(_ value: JSONValue) -> Entry.Draft? { draft(LineValue(value)) }

  /// Reads a draft; nil if a field is missing or has the wrong type.
  package static func draft(_ value: LineValue) -> Entry.Draft? {
    guard let id = id(value), let time = value["time"]?.int, let schema = value["schema"]?.int.flatMap(Int.init(exactly:)),
      let kind = value["kind"]?.text.flatMap(Entry.Kind.init(rawValue:)), let payload = bytes("payload", in: value)
    else { return nil }
    let scope = value["scope"].map(\.text) ?? ""
    guard let scope else { return nil }
    return Entry.Draft(
      kind: kind, id: id, time: time, scope: UndoScope(rawValue: scope), schema: schema, payload: payload, cause: bytes("cause", in: value))
  }

  /// Reads an id; nil if a part is missing or has the wrong type.
  package static func id(_ value: LineValue) -> EntryID? {
    guard let origin = value["origin"]?.uuid, let sequence = value["sequence"]?.int else { return nil }
    return EntryID(origin: Origin(origin), sequence: sequence)
  }
}

/// Reads an export line by line, and checks every line and the chain of checksums.
struct ExportReader {
  private let lines: Data
  private let source: String
  private var position: Data.Index
  private var number = 0
  private var end: Head?
  private var head: Head?
  private var beginning: Snapshot?

  init(_ lines: Data, source: String) {
    self.lines = lines
    self.source = source
    position = lines.startIndex
  }

  /// Returns the state before the first entry, already verified; nil if the journal was whole.
  mutating func floor() throws(JournalError) -> Snapshot? {
    try begin()
    return beginning
  }

  /// Reads the lines before the first entry, once.
  private mutating func begin() throws(JournalError) {
    guard head == nil else { return }
    let (end, floor) = try header()
    if let floor {
      guard let value = try line() else { throw damaged("the export ends before the state at its floor") }
      guard value["kind"]?.text == "floor", let schema = value["schema"]?.int.flatMap(Int.init(exactly:)),
        let payload = ExportLine.bytes("payload", in: value), let checksum = value["checksum"]?.text.flatMap(Checksum.init(hexadecimal:))
      else { throw damaged("it is not the state at the floor: a field is missing or has the wrong type") }
      let state = Snapshot(head: floor, base: floor, schema: schema, written: 0, payload: payload, checksum: checksum)
      guard state.isSound else { throw damaged("the state at the floor does not match its checksum") }
      beginning = state
    }
    self.end = end
    head = floor ?? Head(empty: end.journal)
  }

  /// Returns the next entry, already verified; nil at the end of the export.
  mutating func next() throws(JournalError) -> Entry? {
    try begin()
    guard var head, let end else { return nil }
    guard head.revision < end.revision else {
      guard head == end else { throw damaged("the header's checksum does not match the last entry") }
      guard try line() == nil else {
        throw damaged("it follows revision \(end.revision), the last one according to the header")
      }
      return nil
    }
    guard let value = try line() else {
      throw damaged("the export ends after revision \(head.revision), but should end after \(end.revision)")
    }
    guard let entry = ExportLine.entry(value) else { throw damaged("it is not an entry: a field is missing or has the wrong type") }
    do throws(JournalError) { try head.verify(entry, in: source) } catch { throw damaged(error.description) }
    self.head = head
    return entry
  }

  private mutating func header() throws(JournalError) -> (end: Head, floor: Head?) {
    guard let value = try line(), value["alter"]?.text == "journal" else { throw damaged("it is not the header of a journal's export") }
    guard let format = value["format"]?.int, format <= ExportLine.format else {
      throw JournalError(
        .newerFormat, journal: source,
        message:
          "has export format \(value["format"]?.description ?? "none"); this version of Alter supports \(ExportLine.format). Update the app that imports it."
      )
    }
    guard let id = value["journal"]?.text.flatMap(UUID.init(uuidString:)), let revision = value["revision"]?.int, revision >= 0,
      let checksum = value["checksum"]?.text.flatMap(Checksum.init(hexadecimal:))
    else { throw damaged("a field of the header is missing or has the wrong type") }
    let end = Head(journal: JournalID(id), revision: Revision(revision), checksum: checksum)
    guard let floor = value["floor"] else { return (end, nil) }
    guard let lowest = floor["revision"]?.int, lowest > 0, lowest <= revision,
      let checksum = floor["checksum"]?.text.flatMap(Checksum.init(hexadecimal:))
    else { throw damaged("the floor in the header is not one") }
    return (end, Head(journal: end.journal, revision: Revision(lowest), checksum: checksum))
  }

  /// Returns the next line that is not blank, as JSON; nil at the end.
  private mutating func line() throws(JournalError) -> JSONValue? {
    while position < lines.endIndex {
      let rest = lines[position...]
      let feed = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = rest[..<feed]
      position = feed < rest.endIndex ? feed + 1 : feed
      number += 1
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      do { return try JSONValue(parsing: line) } catch { throw damaged("\(error)") }
    }
    number += 1
    return nil
  }

  private func damaged(_ why: String) -> JournalError {
    JournalError(
      .damaged, journal: source,
      message: "can't be imported, because of line \(number): \(why). Nothing was written. Export the journal again.")
  }
}
