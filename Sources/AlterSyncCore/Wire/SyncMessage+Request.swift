import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The request of a device: a line with everything but the drafts or ids, then one line for each of these.
extension SyncMessage {
  /// A request for one of the server's journals.
  package struct Addressed: Sendable, Hashable {
    /// The key of the journal, as in `lists/42`.
    package let key: String
    package let request: Request

    package init(_ request: Request, to key: String) {
      self.key = key
      self.request = request
    }
  }

  /// Writes a request.
  ///
  /// - Parameters:
  ///   - message: The request.
  ///   - limit: The bytes after which no further draft is written. The first one is always written.
  package static func encode(_ message: Addressed, limit: Int = .max) -> Data {
    let request = message.request
    // The first line has less than 1 KiB apart from the names.
    var size = 1_024 + message.key.utf8.count * 2 + request.principal.name.utf8.count * 2
    var lines: [Data] = []
    let kind: String
    switch request.body {
    case .pull: kind = "pull"
    case .fetch(let ids):
      kind = "fetch"
      lines = ids.map { object($0).line }
    case .push(let submissions):
      kind = "push"
      for submission in submissions {
        let line = object(submission).line
        size += line.count
        guard size <= limit || lines.isEmpty else { break }
        lines.append(line)
      }
    }
    var line = first()
    line.put(kind, as: "request")
    line.put(message.key, as: "key")
    line.put(request.principal.name, as: "principal")
    line.put(request.floor.number, as: "floor")
    line.put(request.known.number, as: "known")
    line.put(Int64(lines.count), as: "lines")
    if let position = request.position { line.put(object(position), as: "position") }
    if let generation = request.generation { line.put(text(generation), as: "generation") }
    if let hint = request.hint { line.put(object(hint), as: "hint") }
    if case .fetch = request.body, let schemas = request.schemas {
      line.put(Int64(schemas.upperBound), as: "schema")
      if schemas.lowerBound < schemas.upperBound { line.put(Int64(schemas.lowerBound), as: "snapshotsFrom") }
    }
    return lines.reduce(into: line.line) { $0 += $1 }
  }

  /// Reads a request.
  ///
  /// A draft that cannot be decoded is a malformed submission, which gets a verdict: its id, its hash and its predecessor suffice.
  ///
  /// - Throws: ``Failure`` if the envelope is not sound. No draft gets a verdict then.
  package static func decodeRequest(_ message: Data) throws(Failure) -> Addressed {
    var line = LineValue(.null)
    var lines = try Lines(message, first: &line, longest: longestFirstLine)
    guard let key = line["key"]?.text, let principal = line["principal"]?.text, let floor = line["floor"].flatMap(revision),
      let known = line["known"].flatMap(revision), let count = line["lines"]?.int
    else { throw .malformed(line: 1) }
    guard let position = optional(line["position"], head), let generation = optional(line["generation"], generation),
      let hint = optional(line["hint"], hint)
    else { throw .malformed(line: 1) }
    guard let schemas = optional(line["schema"], { schemas($0, from: line["snapshotsFrom"]) }) else { throw .malformed(line: 1) }
    guard lines.remaining >= count else { throw .incomplete }
    guard lines.remaining == count else { throw .malformed(line: Int(count) + 2) }
    let body: Request.Body
    switch line["request"]?.text {
    case "pull" where count == 0: body = .pull
    case "push": body = .push(try read(&lines, longest: .max, submission))
    case "fetch": body = .fetch(try read(&lines, longest: 1_024, ExportLine.id))
    default: throw .malformed(line: 1)
    }
    return Addressed(
      Request(
        body, position: position, floor: floor, principal: Principal(principal), generation: generation, known: known, hint: hint,
        schemas: schemas), to: key)
  }

  private static func schemas(_ value: LineValue, from first: LineValue?) -> ClosedRange<Int>? {
    guard let last = value.int.flatMap(Int.init(exactly:)), last >= 1 else { return nil }
    guard let first else { return last...last }
    guard let first = first.int.flatMap(Int.init(exactly:)), (1...last).contains(first) else { return nil }
    return first...last
  }

  /// The bytes of the first line of a request: keys and names are short.
  static let longestFirstLine = 65_536

  private static func read<Value>(_ lines: inout Lines, longest: Int, _ value: (LineValue) -> Value?) throws(Failure) -> [Value] {
    var values: [Value] = []
    while !lines.isAtEnd {
      guard let value = lines.next(longest: longest).flatMap(value) else { throw .malformed(line: lines.number) }
      values.append(value)
    }
    return values
  }

  private static func object(_ id: EntryID) -> LineObject {
    var object = LineObject()
    ExportLine.put(id, in: &object)
    return object
  }

  private static func object(_ submission: Submission) -> LineObject {
    var object = LineObject()
    switch submission.body {
    case .draft(let draft): ExportLine.put(draft.stored, in: &object)
    case .oversized(let id, let size, _):
      ExportLine.put(id, in: &object)
      object.put(Int64(size), as: "size")
    case .malformed(let id, _): ExportLine.put(id, in: &object)
    }
    object.put(submission.hash, as: "hash")
    if let after = submission.after { object.put(Self.object(after), as: "after") }
    return object
  }

  private static func submission(_ value: LineValue) -> Submission? {
    guard let id = ExportLine.id(value), let hash = checksum(value, "hash") else { return nil }
    guard let after = optional(value["after"], ExportLine.id), let size = optional(value["size"], { $0.int.flatMap(Int.init(exactly:)) })
    else { return nil }
    if let size { return Submission(.oversized(id, size: size, hash: hash), after: after) }
    // A draft whose bytes have another hash is not the one that the device has.
    guard let draft = ExportLine.draft(value).flatMap({ try? SyncDraft($0) }), draft.hash == hash else {
      return Submission(.malformed(id, hash: hash), after: after)
    }
    return Submission(.draft(draft), after: after)
  }
}
