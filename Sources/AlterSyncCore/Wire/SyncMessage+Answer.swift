import AlterJournal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The answer of a server: a line with its kind, then the verdicts, the hold, the entries or the state, and the head.
extension SyncMessage {
  /// Writes an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - message: An explanation for people, which programs ignore.
  package static func encode(_ answer: Answer, message: String? = nil) -> Data {
    var lines: [Data] = []
    var line = first()
    switch answer {
    case .page(let page):
      line.put("page", as: "answer")
      line.put(page.journal.uuid, as: "journal")
      put(page.lineage, in: &line)
      lines = page.lines.map { object($0).line }
      if let hold = page.hold { lines.append(object(hold).line) }
      let written = page.written.lines.count == page.entries.count ? page.written.lines : []
      for (place, entry) in page.entries.enumerated() {
        if let reason = page.reasons[entry.id] {
          var object = LineObject()
          ExportLine.put(entry.stored, in: &object)
          object.put(reason, as: "reason")
          lines.append(object.line)
        } else {
          lines.append(written.isEmpty ? encode(entry) : written[written.startIndex + place])
        }
      }
      if let head = page.head { lines.append(Self.line(object(head), as: "head")) }
    case .snapshot(let fetched):
      line.put("snapshot", as: "answer")
      put(fetched.lineage, in: &line)
      lines = fetched.lines.map { object($0).line }
      var state = LineObject()
      state.put(Int64(fetched.floor.state.schema), as: "schema")
      ExportLine.put(fetched.floor.state.payload, as: "state", in: &state)
      lines += [state.line, Self.line(object(fetched.floor.head), as: "head")]
    case .absent: line.put("absent", as: "answer")
    case .gone: line.put("gone", as: "answer")
    case .diverged(let lineage):
      line.put("diverged", as: "answer")
      put(lineage, in: &line)
    case .unauthorised: line.put("unauthorised", as: "answer")
    case .forbidden: line.put("forbidden", as: "answer")
    case .badEnvelope: line.put("badEnvelope", as: "answer")
    case .busy(let seconds):
      line.put("busy", as: "answer")
      line.put(Int64(seconds), as: "seconds")
    case .notUnderstood: line.put("notUnderstood", as: "answer")
    }
    if let message { line.put(message, as: "message") }
    let start = line.line
    var data = Data(capacity: lines.reduce(start.count) { $0 + $1.count })
    data += start
    for line in lines { data += line }
    return data
  }

  /// Writes the line of an entry, without a reason.
  package static func encode(_ entry: SyncEntry) -> Data {
    var object = LineObject()
    ExportLine.put(entry.stored, in: &object)
    return object.line
  }

  /// Reads an answer.
  ///
  /// A page whose body is cut, or has a line that is not understood, is read up to there. It has no head then, and no hold.
  ///
  /// - Throws: ``Failure`` if the first line is not sound, or if a snapshot is not whole.
  package static func decodeAnswer(_ message: Data) throws(Failure) -> Answer {
    var line = LineValue(.null)
    var lines = try Lines(message, first: &line)
    switch line["answer"]?.text {
    case "page":
      guard let journal = line["journal"].flatMap(journal), let lineage = lineage(line) else { break }
      return .page(page(Page(journal, lineage), &lines))
    case "snapshot":
      guard let lineage = lineage(line) else { break }
      return .snapshot(try snapshot(lineage, &lines))
    case "absent": return .absent
    case "gone": return .gone
    case "diverged":
      guard let lineage = lineage(line) else { break }
      return .diverged(lineage)
    case "unauthorised": return .unauthorised
    case "forbidden": return .forbidden
    case "badEnvelope": return .badEnvelope
    case "busy":
      guard let seconds = line["seconds"]?.int, seconds >= 0 else { break }
      return .busy(Int(clamping: seconds))
    // A newer server of this version may know more answers.
    default: return .notUnderstood
    }
    throw .malformed(line: 1)
  }

  /// The explanation for people in an answer; nil if there is none.
  package static func explanation(_ message: Data) -> String? {
    var line = LineValue(.null)
    guard (try? Lines(message, first: &line)) != nil else { return nil }
    return line["message"]?.text
  }

  private static func page(_ start: Page, _ lines: inout Lines) -> Page {
    var page = start
    var hold: SyncHold?
    while let value = lines.next() {
      if value["verdict"] != nil {
        guard page.entries.isEmpty, hold == nil, let line = verdict(value) else { break }
        page.lines.append(line)
      } else if value["hold"] != nil {
        guard page.entries.isEmpty, hold == nil, let read = self.hold(value) else { break }
        hold = read
      } else if let end = value["head"] {
        guard let head = head(end), lines.isAtEnd else { break }
        (page.head, page.hold) = (head, hold)
        break
      } else {
        guard let stored = ExportLine.entry(value), let entry = try? SyncEntry(stored) else { break }
        page.entries.append(entry)
        if let reason = value["reason"]?.text { page.reasons[entry.id] = reason }
      }
    }
    return page
  }

  private static func snapshot(_ lineage: Lineage, _ lines: inout Lines) throws(Failure) -> Fetched {
    var verdicts: [VerdictLine] = []
    var state: StateBytes?
    while !lines.isAtEnd {
      guard let value = lines.next() else { throw .malformed(line: lines.number) }
      if value["verdict"] != nil, state == nil, let line = verdict(value) {
        verdicts.append(line)
      } else if state == nil, let payload = ExportLine.bytes("state", in: value),
        let schema = value["schema"]?.int.flatMap(Int.init(exactly:))
      {
        state = StateBytes(payload, schema: schema)
      } else if let state, lines.isAtEnd, let head = value["head"].flatMap(head) {
        return Fetched(lineage, floor: Floor(head: head, state: state), lines: verdicts)
      } else {
        throw .malformed(line: lines.number)
      }
    }
    throw .incomplete
  }

  private static func object(_ line: VerdictLine) -> LineObject {
    var object = LineObject()
    ExportLine.put(line.id, in: &object)
    object.put(line.hash, as: "hash")
    switch line.verdict {
    case .accepted: object.put("accepted", as: "verdict")
    case .refused(let code, _): object.put(code.rawValue, as: "verdict")
    }
    if let revision = line.verdict.revision { object.put(revision.number, as: "revision") }
    return object
  }

  private static func verdict(_ value: LineValue) -> VerdictLine? {
    guard let id = ExportLine.id(value), let hash = checksum(value, "hash"), let code = value["verdict"]?.text else { return nil }
    guard let revision = optional(value["revision"], revision) else { return nil }
    if code == "accepted" { return revision.map { VerdictLine(id: id, hash: hash, verdict: .accepted($0)) } }
    // A newer server may know more codes, as in `SyncEntry`. Without an entry such a verdict would end the draft: its code must be known.
    guard let known = RefusalCode(rawValue: code) ?? (revision == nil ? nil : .refused) else { return nil }
    return VerdictLine(id: id, hash: hash, verdict: .refused(known, at: revision))
  }

  private static func object(_ hold: SyncHold) -> LineObject {
    var object = LineObject()
    ExportLine.put(hold.id, in: &object)
    object.put(hold.code.rawValue, as: "hold")
    object.put(Int64(hold.seconds), as: "seconds")
    return object
  }

  private static func hold(_ value: LineValue) -> SyncHold? {
    guard let id = ExportLine.id(value), let code = value["hold"]?.text.flatMap(SyncHold.Code.init(rawValue:)),
      let seconds = value["seconds"]?.int,
      seconds >= 0
    else { return nil }
    return SyncHold(code, at: id, seconds: Int(clamping: seconds))
  }
}
