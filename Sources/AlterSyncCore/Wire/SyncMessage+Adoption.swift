import AlterCore
import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The request that creates a server's journal from a local one: a line with the id of the initial entry, then a line with the state.
extension SyncMessage {
  /// The present state of a local journal.
  package struct Adoption: Sendable {
    /// The id of the initial entry: the same for each attempt to adopt the same state of the same journal.
    package let id: EntryID
    /// The time of the initial entry, in microseconds since 1970 UTC.
    package let time: Int64
    package let state: StateBytes

    package init(_ id: EntryID, time: Int64, state: StateBytes) {
      (self.id, self.time, self.state) = (id, time, state)
    }

    /// The initial entry of the server's journal.
    package var draft: Entry.Draft { Entry.Draft(kind: .initial, id: id, time: time, schema: state.schema, payload: state.payload) }
  }

  /// Writes an adoption.
  package static func encode(_ adoption: Adoption) -> Data {
    var state = LineObject()
    state.put(Int64(adoption.state.schema), as: "schema")
    ExportLine.put(adoption.state.payload, as: "state", in: &state)
    var (line, id) = (first(), LineObject())
    ExportLine.put(adoption.id, in: &id)
    line.put("adopt", as: "request")
    line.put(id, as: "id")
    line.put(adoption.time, as: "time")
    return line.line + state.line
  }

  /// Reads an adoption.
  ///
  /// - Throws: ``Failure`` if it is not sound.
  package static func decodeAdoption(_ message: Data) throws(Failure) -> Adoption {
    var line = LineValue(.null)
    var lines = try Lines(message, first: &line, longest: longestFirstLine)
    guard line["request"]?.text == "adopt", let id = line["id"].flatMap(ExportLine.id), let time = line["time"]?.int else {
      throw .malformed(line: 1)
    }
    guard !lines.isAtEnd else { throw .incomplete }
    guard let value = lines.next(), lines.isAtEnd, let payload = ExportLine.bytes("state", in: value),
      let schema = value["schema"]?.int.flatMap(Int.init(exactly:)), schema >= 1
    else { throw .malformed(line: 2) }
    return Adoption(id, time: time, state: StateBytes(payload, schema: schema))
  }
}
